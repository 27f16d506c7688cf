package decide

import (
	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// BusinessOf applies the fall-backs of settings.business to the profile
// (03 §11.3).
func BusinessOf(p inbox.Profile, s settings.Settings) Business {
	b := Business{
		Name: either(p.Name, s.Business.Name), Domain: p.Domain,
		ZoneName: either(p.Timezone, s.Business.Timezone), Currency: either(p.Currency, s.Business.Currency),
		Languages: p.Languages,
	}
	if len(b.Languages) == 0 {
		b.Languages = s.Business.Languages
	}
	b.Zone = calendar.ZoneOrUTC(b.ZoneName)
	return b
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
