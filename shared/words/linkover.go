package words

import "typedinbox/shared/inbox"

// done is the page after the press: what was done while it stands, else where
// the item stands.
func (in PageInput) done() PageText {
	p := PageText{Heading: in.say("page.done")}
	said := in.did()
	switch {
	case !in.Still || said == "":
		p.Lead = []string{in.say("page.done.moved"), Human(in.Lang, in.About)}
	default:
		p.Lead = []string{said}
		if confirmed[in.Did] {
			p.Lead = append(p.Lead, in.say("page.done.mailed"))
		}
	}
	return p
}

// did is what was done: by its link where that has words of its own, else by its
// event. What was passed on says until when a suggestion still stands (05 §6.5).
func (in PageInput) did() string {
	key := "page.did." + in.Did
	if in.Did == inbox.LinkPassedOn && in.Action != inbox.LinkChangeTime && conditions()["new until"](in.mail()) {
		return in.say(key + ".until")
	}
	if s := in.say(key + "." + string(in.Action)); s != "" {
		return s
	}
	return in.say(key)
}

// confirmed are the acts of which the customer gets a mail (05 §3.2).
var confirmed = map[string]bool{
	"accept": true, "counter": true, "cancel": true, "cancel_late": true, "decline": true, "withdraw": true, "request_return": true,
	"propose_change": true, "accept_change": true, "decline_change": true,
}

// told is a page without a form: why nothing can be done here, and where the
// item stands.
func (in PageInput) told() PageText {
	key := "page." + string(in.Kind)
	p := PageText{Heading: in.say(key), Lead: in.all(key + ".lead")}
	if in.Kind == PageLate || in.Kind == PageMoved {
		if s := in.say(key + ".lead." + string(in.Action)); s != "" {
			p.Lead = []string{s}
		}
	}
	if in.Until == nil && in.Kind == PageLate {
		p.Lead = in.all("page.over.lead")
	}
	if in.Kind == PageLate && in.Agreed {
		if s := in.say(key + ".lead." + string(in.Action) + ".agreed"); s != "" {
			p.Lead = []string{s}
		}
		p.Lead = append(p.Lead, Human(in.Lang, in.About))
	}
	switch in.Kind {
	case PageReplaced, PageMoved, PageAlready, PageChanged:
		p.Lead = append(p.Lead, Human(in.Lang, in.About))
		if in.Kind == PageMoved && in.Action == inbox.LinkCancel && in.Paid {
			p.Lead = append(p.Lead, in.say("page.moved.paid"))
		}
	}
	return p
}
