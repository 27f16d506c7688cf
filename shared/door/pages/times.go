package pages

import (
	"net/url"
	"strings"
	"time"

	"typedinbox/shared/desk"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// picker is the list of free times to choose one from, a group for each day.
func picker(lang format.Lang, t desk.FreeTimes, chosen string) group {
	g := group{el("h2", words.PageWord(lang, "page.times"))}
	if len(t.Slots) == 0 {
		return append(g, el("p", words.PageWord(lang, "page.times.none")))
	}
	var day string
	var times *element
	for _, s := range t.Slots {
		if heading := format.DayHeading(lang, s.StartTime, t.Zone); heading != day {
			day = heading
			box := el("div", attr{"class", "times"})
			times = &box
			set := el("fieldset", el("legend", format.Capital(heading)))
			g = append(g, &fieldset{set, times})
		}
		value := s.StartTime.String()
		radio := []attr{{"type", "radio"}, {"name", "time"}, {"value", value}, {"required", ""}}
		if value == chosen {
			radio = append(radio, attr{"checked", ""})
		}
		times.inner = append(times.inner, el("label", el("input", radio), label(s, t)))
	}
	return g
}

// fieldset is a group of times that is filled after it stands on the page.
type fieldset struct {
	set   element
	times *element
}

func (f *fieldset) write(b *strings.Builder) {
	set := f.set
	set.inner = append(set.inner, *f.times)
	set.write(b)
}

func label(s inbox.Slot, t desk.FreeTimes) string { return format.Time(s.StartTime, t.Zone) }

// weeks are the ways to the days before and after. to is the address of the page
// up to its query, which ends in ? or &.
func weeks(lang format.Lang, t desk.FreeTimes, to string) group {
	list := el("ul", attr{"class", "ways"})
	for _, way := range []struct{ key, from string }{{"page.times.earlier", t.Earlier}, {"page.times.later", t.Later}} {
		if way.from != "" {
			list.inner = append(list.inner, el("li", el("a", attr{"href", to + "from=" + url.QueryEscape(way.from)}, words.PageWord(lang, way.key))))
		}
	}
	if len(list.inner) == 0 {
		return nil
	}
	return group{list}
}

// day is the day of a chosen time, "" for none.
func day(start string, zone *time.Location) string {
	i, err := inbox.ParseInstant(start)
	if err != nil || zone == nil {
		return ""
	}
	return i.Time().In(zone).Format(time.DateOnly)
}
