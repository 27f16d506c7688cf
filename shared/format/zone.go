package format

import (
	"fmt"
	"strings"
	"time"

	"typedinbox/shared/inbox"
)

// zoneNames is 05 §2.3. Names are generic, so they stay right in summer and
// winter.
var zoneNames = []struct{ en, pt, zones string }{
	{"Western European Time", "hora da Europa Ocidental", "Europe/Lisbon Atlantic/Madeira Atlantic/Canary"},
	{"Azores Time", "hora dos Açores", "Atlantic/Azores"},
	{"United Kingdom Time", "hora do Reino Unido", "Europe/London"},
	{"Ireland Time", "hora da Irlanda", "Europe/Dublin"},
	{"Central European Time", "hora da Europa Central", `Europe/Madrid Europe/Paris Europe/Berlin Europe/Brussels
		Europe/Amsterdam Europe/Rome Europe/Vienna Europe/Zurich Europe/Luxembourg Europe/Warsaw Europe/Prague
		Europe/Bratislava Europe/Budapest Europe/Ljubljana Europe/Zagreb Europe/Belgrade Europe/Sarajevo Europe/Skopje
		Europe/Podgorica Europe/Tirane Europe/Stockholm Europe/Copenhagen Europe/Oslo Europe/Malta Europe/Monaco
		Europe/Andorra Europe/San_Marino Europe/Vatican Europe/Vaduz Europe/Gibraltar Africa/Ceuta`},
	{"Eastern European Time", "hora da Europa Oriental", `Europe/Athens Europe/Helsinki Europe/Bucharest Europe/Sofia
		Europe/Kyiv Europe/Kiev Europe/Tallinn Europe/Riga Europe/Vilnius Europe/Chisinau Europe/Mariehamn Asia/Nicosia`},
	{"Türkiye Time", "hora da Turquia", "Europe/Istanbul"},
	{"Greenwich Mean Time", "hora de Greenwich", "Atlantic/Reykjavik Africa/Bissau Africa/Sao_Tome"},
	{"Brasilia Time", "hora de Brasília", `America/Sao_Paulo America/Fortaleza America/Recife America/Bahia
		America/Belem America/Maceio`},
	{"Amazon Time", "hora do Amazonas", "America/Manaus America/Cuiaba America/Campo_Grande America/Porto_Velho America/Boa_Vista"},
	{"Acre Time", "hora do Acre", "America/Rio_Branco"},
	{"Fernando de Noronha Time", "hora de Fernando de Noronha", "America/Noronha"},
	{"Cape Verde Time", "hora de Cabo Verde", "Atlantic/Cape_Verde"},
	{"West Africa Time", "hora da África Ocidental", "Africa/Luanda Africa/Lagos"},
	{"Central Africa Time", "hora da África Central", "Africa/Maputo"},
	{"South Africa Time", "hora da África do Sul", "Africa/Johannesburg"},
	{"Timor-Leste Time", "hora de Timor-Leste", "Asia/Dili"},
	{"China Time", "hora da China", "Asia/Macau Asia/Shanghai"},
	{"Eastern Time", "hora oriental norte-americana", "America/New_York America/Toronto"},
	{"Central Time", "hora central norte-americana", "America/Chicago"},
	{"Mountain Time", "hora de montanha norte-americana", "America/Denver America/Phoenix"},
	{"Pacific Time", "hora do Pacífico norte-americana", "America/Los_Angeles America/Vancouver"},
	{"Japan Time", "hora do Japão", "Asia/Tokyo"},
	{"India Time", "hora da Índia", "Asia/Kolkata"},
	{"Singapore Time", "hora de Singapura", "Asia/Singapore"},
	{"Gulf Time", "hora do Golfo", "Asia/Dubai"},
	{"Australian Eastern Time", "hora da Austrália Oriental", "Australia/Sydney Australia/Melbourne Australia/Brisbane"},
	{"New Zealand Time", "hora da Nova Zelândia", "Pacific/Auckland"},
}

var zoneNameByZone = func() map[string]map[Lang]string {
	m := map[string]map[Lang]string{}
	for _, row := range zoneNames {
		for _, zone := range strings.Fields(row.zones) {
			m[zone] = map[Lang]string{En: row.en, Pt: row.pt}
		}
	}
	return m
}()

// utcNames are the names of UTC itself in the tz database.
var utcNames = map[string]bool{
	"": true, "UTC": true, "Etc/UTC": true, "UCT": true, "Etc/UCT": true,
	"Universal": true, "Etc/Universal": true, "Zulu": true, "Etc/Zulu": true,
}

// ZoneName is what stands in the brackets after a time: the zone's generic name,
// with its offset in the hour that comes twice when clocks go back; the offset
// alone for a zone without a name; "UTC" for UTC itself (05 §2.3).
func ZoneName(l Lang, i inbox.Instant, zone *time.Location) string {
	if zone == nil || utcNames[zone.String()] {
		return "UTC"
	}
	name, ok := zoneNameByZone[zone.String()][l]
	switch {
	case !ok:
		return offsetName(i, zone)
	case comesTwice(i, zone):
		return name + ", " + offsetName(i, zone)
	}
	return name
}

// offsetName is the distance from UTC: "UTC+1", "UTC-3:30", "UTC+0".
func offsetName(i inbox.Instant, zone *time.Location) string {
	sign, minutes := '+', offset(i.In(zone))/60
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	if minutes%60 == 0 {
		return fmt.Sprintf("UTC%c%d", sign, minutes/60)
	}
	return fmt.Sprintf("UTC%c%d:%02d", sign, minutes/60, minutes%60)
}

// comesTwice says whether another instant has the same wall time: the clock goes
// back after this one, or went back before it.
func comesTwice(i inbox.Instant, zone *time.Location) bool {
	t := i.In(zone)
	from, to := t.ZoneBounds()
	if !to.IsZero() {
		back := offset(t) - offset(to)
		if twin := t.Add(seconds(back)); back > 0 && !twin.Before(to) {
			return true
		}
	}
	if !from.IsZero() {
		back := offset(from.Add(-1)) - offset(t)
		if twin := t.Add(-seconds(back)); back > 0 && twin.Before(from) {
			return true
		}
	}
	return false
}

// offset from UTC in seconds.
func offset(t time.Time) int {
	_, s := t.Zone()
	return s
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
