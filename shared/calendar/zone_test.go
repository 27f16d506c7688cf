package calendar

import (
	_ "embed"
	"strings"
	"testing"
	"time"
)

// zonesText lists every name of the tz database, one a line.
//
//go:embed testdata/zones.txt
var zonesText string

func everyZone() []string { return strings.Fields(zonesText) }

func TestZone(t *testing.T) {
	for _, name := range everyZone() {
		z, err := Zone(name)
		if err != nil || z.String() != name {
			t.Errorf("ok/%s: %v, %v", name, z, err)
		}
		again, _ := Zone(name)
		if again != z {
			t.Errorf("ok/%s: read twice", name)
		}
	}
	for _, name := range []string{"", "Local", "Factory", "Mars/Olympus", "right/Europe/Lisbon", "posix/Europe/Lisbon", "../etc/passwd", "Europe/../Europe/Lisbon", "/etc/localtime", "Europe", "europe/lisbon", "Europe/Lisbon\n"} {
		if z, err := Zone(name); err == nil {
			t.Errorf("fail/%q: is %v", name, z)
		}
		if z := ZoneOrUTC(name); z != time.UTC {
			t.Errorf("fail/%q: stands in as %v", name, z)
		}
	}
}
