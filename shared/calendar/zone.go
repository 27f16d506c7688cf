package calendar

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the runtime image has no zone database (08 §6)
)

// zoneName is the form of a name in the tz database.
var zoneName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$`)

// notZones are names a system's database may know that are no place: the
// machine's own zone and the placeholder of an unset one.
var notZones = map[string]bool{"Local": true, "Factory": true}

var zones sync.Map // name → *time.Location

// Zone finds a time zone by its IANA name, such as "Europe/Lisbon". The names
// of the host ("Local", "posix/…", "right/…") and the empty one are no zones.
// Zones are read once and kept.
func Zone(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	if !zoneName.MatchString(name) || notZones[name] || strings.Contains(name, "..") {
		return nil, fmt.Errorf("calendar: %q is not the name of a time zone", name)
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("calendar: %q is not the name of a time zone", name)
	}
	zones.Store(name, z)
	return z, nil
}

// ZoneOrUTC is [Zone] for a name that was checked when it was stored: what is no
// zone all the same, the empty name included, is UTC (05 §2.2).
func ZoneOrUTC(name string) *time.Location {
	z, err := Zone(name)
	if err != nil {
		return time.UTC
	}
	return z
}
