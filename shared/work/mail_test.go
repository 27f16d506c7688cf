package work_test

import (
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestWhoHears walks the working verbs: what each side is mailed, and what is in
// it (05 §3.2, §3.4).
func TestWhoHears(t *testing.T) {
	cases := map[string]struct {
		do       func(w *world) opened
		customer []string // templates, in order
		owner    []string
		holds    []string // in the newest mail to the customer
		lacks    []string
	}{
		"ok/request": {
			do:    func(w *world) opened { return w.asked() },
			owner: []string{"owner.create"},
		},
		"ok/request, then 90 seconds": {
			do:       func(w *world) opened { o := w.asked(); w.sweep(); w.wait(90 * inbox.Second); return o },
			owner:    []string{"owner.create"},
			customer: []string{"ack.booking"},
			holds:    []string{`"Portrait"`, "Thursday, 8 October 2026 at 09:00 (Western European Time)", "€45.00", "Ana", "Studio Lumen"},
			lacks:    []string{"sent automatically"},
		},
		"ok/message": {
			do:    func(w *world) opened { o := w.wrote("Are you open on Sunday?"); w.wait(inbox.Day); return o },
			owner: []string{"owner.create"},
		},
		"ok/confirmed": {
			do:       func(w *world) opened { o := w.asked(); w.fire(owner, o, "confirm", "Bring a hat."); return o },
			owner:    []string{"owner.create"},
			customer: []string{"booking.confirmed"},
			holds: []string{
				"Thursday, 8 October 2026 at 09:00 (Western European Time)", "€45.00", "Bring a hat.",
				"You can cancel until Wednesday, 7 October 2026 at 09:00 (Western European Time).",
			},
			lacks: []string{"sent automatically"},
		},
		"ok/confirmed by an assistant": {
			do:       func(w *world) opened { o := w.asked(); w.fire(assistant, o, "confirm", ""); return o },
			owner:    []string{"owner.create"},
			customer: []string{"booking.confirmed"},
			holds:    []string{"This reply was sent automatically. Reply to reach a person."},
		},
		"ok/declined": {
			do:       func(w *world) opened { o := w.asked(); w.fire(owner, o, "decline", ""); return o },
			owner:    []string{"owner.create"},
			customer: []string{"declined"},
			holds:    []string{"sorry", `"Portrait"`},
		},
		"ok/question and answer": {
			do: func(w *world) opened {
				o := w.asked()
				w.fire(owner, o, "request_info", "How many of you?")
				w.sweep()
				w.says(o, "Two of us")
				return o
			},
			owner:    []string{"owner.create", "owner.provide_info"},
			customer: []string{"needs_info"},
			holds:    []string{"How many of you?"},
		},
		"ok/customer cancels": {
			do:       func(w *world) opened { o := w.asked(); w.sweep(); w.cancels(o, "I broke my leg"); return o },
			owner:    []string{"owner.create", "owner.cancel"},
			customer: []string{"cancelled.as_asked"},
			lacks:    []string{"I broke my leg", "sent automatically", "8 October"},
		},
		"ok/customer cancels what was confirmed": {
			do: func(w *world) opened {
				o := w.asked()
				w.fire(owner, o, "confirm", "")
				w.sweep()
				w.cancels(o, "")
				return o
			},
			owner:    []string{"owner.create", "owner.cancel"},
			customer: []string{"booking.confirmed", "cancelled.as_asked"},
			holds:    []string{"Thursday, 8 October 2026"},
		},
		"ok/customer cancels late": {
			do: func(w *world) opened {
				o := w.asked()
				w.fire(owner, o, "confirm", "")
				w.sweep()
				w.wait(60 * inbox.Hour)
				w.cancels(o, "")
				return o
			},
			owner:    []string{"owner.create", "owner.cancel_late"},
			customer: []string{"booking.confirmed", "cancelled.as_asked"},
			lacks:    []string{" late"},
		},
		"ok/business cancels": {
			do: func(w *world) opened {
				o := w.asked()
				w.fire(owner, o, "confirm", "")
				w.sweep()
				w.fire(owner, o, "cancel_by_business", "The studio is flooded.")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.confirmed", "cancelled.by_us"},
			holds:    []string{"sorry", "The studio is flooded."},
		},
		"ok/cancellation written down": {
			do: func(w *world) opened {
				o := w.asked()
				w.sweep()
				w.fire(owner, o, "record_cancel", "Rude on the phone.")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"cancelled.as_asked"},
			lacks:    []string{"Rude on the phone."},
		},
		"ok/lapsed": {
			do:       func(w *world) opened { o := w.asked(); w.sweep(); w.wait(72 * inbox.Hour); return o },
			owner:    []string{"owner.create"},
			customer: []string{"ack.booking", "booking.expired"},
			holds:    []string{"we did not answer"},
		},
		"ok/lapsed on our question": {
			do: func(w *world) opened {
				o := w.asked()
				w.fire(owner, o, "request_info", "How many?")
				w.sweep()
				w.wait(72 * inbox.Hour)
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"needs_info", "booking.expired"},
			holds:    []string{"did not hear back"},
		},
		"ok/lapse found too late": {
			do: func(w *world) opened {
				o := w.asked()
				w.sweep()
				w.wait(90 * inbox.Second)
				w.sweep()
				w.wait(72*inbox.Hour + 7*inbox.Day)
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"ack.booking"},
		},
		"ok/completed": {
			do: func(w *world) opened {
				o := w.asked()
				w.fire(owner, o, "confirm", "")
				w.wait(10 * inbox.Day)
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.confirmed"},
		},
		"ok/reply": {
			do: func(w *world) opened {
				o := w.asked()
				w.sweep()
				w.reply(owner, o, inbox.ReplyRequest{Body: "We look forward to it.\nMaria"})
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"reply"},
			holds:    []string{"We look forward to it.\nMaria"},
			lacks:    []string{"Hello"},
		},
		"ok/internal note": {
			do: func(w *world) opened {
				o := w.asked()
				w.reply(owner, o, inbox.ReplyRequest{Body: "Pays late", Internal: true})
				return o
			},
			owner: []string{"owner.create"},
		},
		"ok/message answered": {
			do: func(w *world) opened {
				o := w.wrote("Are you open on Sunday?")
				w.reply(owner, o, inbox.ReplyRequest{Body: "Yes, from ten."})
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"reply"},
			holds:    []string{"Yes, from ten."},
		},
		"ok/message answered elsewhere": {
			do: func(w *world) opened {
				o := w.wrote("Are you open on Sunday?")
				w.fire(owner, o, "answer", "")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"message.answered"},
		},
		"ok/customer writes on": {
			do: func(w *world) opened {
				o := w.asked()
				w.sweep()
				w.says(o, "May I bring\nmy dog?")
				return o
			},
			owner: []string{"owner.create", "owner.message"},
		},
		"ok/message goes on": {
			do: func(w *world) opened {
				o := w.wrote("Are you open on Sunday?")
				w.reply(owner, o, inbox.ReplyRequest{Body: "Yes."})
				w.sweep()
				w.says(o, "Thank you")
				return o
			},
			owner:    []string{"owner.create", "owner.message"},
			customer: []string{"reply"},
		},
		"ok/spam": {
			do: func(w *world) opened {
				o := w.wrote("Cheap pills")
				w.fire(owner, o, "mark_spam", "")
				return o
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := c.do(w)
			w.sweep()
			if got := w.to(ownerEmail); !slices.Equal(got, c.owner) && len(got)+len(c.owner) > 0 {
				t.Errorf("owner heard %v, want %v", got, c.owner)
			}
			if got := w.to(anaEmail); !slices.Equal(got, c.customer) && len(got)+len(c.customer) > 0 {
				t.Errorf("customer heard %v, want %v", got, c.customer)
			}
			if len(c.customer) > 0 {
				m := w.last(anaEmail)
				for _, s := range append(c.holds, inbox.Reference(o.id)) {
					if !strings.Contains(m.text, s) {
						t.Errorf("%q is not in\n%s", s, m.text)
					}
				}
				for _, s := range append(c.lacks, o.id) {
					if strings.Contains(m.text, s) {
						t.Errorf("%q is in\n%s", s, m.text)
					}
				}
			}
			if left := w.jobs(o.id); len(left) > 0 && left[0].RunAt <= w.now() {
				t.Errorf("jobs are left: %+v", left)
			}
			w.clean()
		})
	}
}
