package work

import (
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// TestAutomatic is the matrix of 05 §1.6 and the Auto-Submitted row of 05 §4.3.
func TestAutomatic(t *testing.T) {
	const yes, no = true, false
	person, automation := "person", "automation"
	cases := map[string]struct {
		cause     cause
		disclosed bool
		submitted bool
	}{
		"ok/owner in the app":                        {cause{inbox.Owner, inbox.ChannelOwnerUI, ""}, no, no},
		"ok/owner's own key":                         {cause{inbox.Owner, inbox.ChannelREST, ""}, no, no},
		"ok/staff in the app":                        {cause{inbox.Staff, inbox.ChannelOwnerUI, person}, no, no},
		"ok/owner says automation wrote it":          {cause{inbox.Owner, inbox.ChannelREST, automation}, yes, yes},
		"ok/staff says automation wrote it":          {cause{inbox.Staff, inbox.ChannelOwnerUI, automation}, yes, yes},
		"ok/key says a person wrote it":              {cause{inbox.Integration, inbox.ChannelREST, person}, no, no},
		"ok/key that says nothing":                   {cause{inbox.Integration, inbox.ChannelREST, ""}, yes, yes},
		"ok/key says automation wrote it":            {cause{inbox.Integration, inbox.ChannelREST, automation}, yes, yes},
		"ok/key at the owner's MCP door":             {cause{inbox.Integration, inbox.ChannelMCPOwner, person}, yes, yes},
		"ok/connector":                               {cause{inbox.Connector, inbox.ChannelConnector, ""}, yes, yes},
		"ok/connector says a person wrote it":        {cause{inbox.Connector, inbox.ChannelConnector, person}, yes, yes},
		"ok/owner's AI":                              {cause{inbox.OwnerAI, inbox.ChannelMCPOwner, ""}, yes, yes},
		"ok/owner's AI says a person wrote it":       {cause{inbox.OwnerAI, inbox.ChannelREST, person}, yes, yes},
		"ok/full owner key at the owner's MCP door":  {cause{inbox.Owner, inbox.ChannelMCPOwner, ""}, yes, yes},
		"ok/full owner key there, a person wrote it": {cause{inbox.Owner, inbox.ChannelMCPOwner, person}, yes, yes},
		"ok/rule":             {cause{inbox.Rule, inbox.ChannelSystem, ""}, yes, yes},
		"ok/customer's agent": {cause{inbox.CustomerAgent, inbox.ChannelREST, ""}, no, yes},
		"ok/customer by link": {cause{inbox.CustomerHuman, inbox.ChannelActionLink, ""}, no, yes},
		"ok/the clock":        {cause{inbox.System, inbox.ChannelSystem, ""}, no, yes},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.cause.disclosed(); got != c.disclosed {
				t.Errorf("disclosed %v", got)
			}
			for _, template := range words.Templates() {
				want := ""
				if c.submitted {
					want = map[string]string{
						"reply": "auto-replied", "message.answered": "auto-replied",
						"ack.booking": "auto-replied", "ack.order": "auto-replied", "ack.quote": "auto-replied",
					}[template]
					if want == "" {
						want = "auto-generated"
					}
				}
				if got := c.cause.submitted(template); got != want {
					t.Errorf("%s: Auto-Submitted %q, want %q", template, got, want)
				}
			}
		})
	}
}

// neverCustomer are the events of which the customer is not mailed (05 §3.2,
// "never mailed"), with those whose return has its own mail.
var neverCustomer = []string{
	"provide_info", "start_fulfilment", "complete", "no_show", "record_delivery", "lapse", "charge_back",
	"record_charge_back", "close", "mark_spam", "unspam", "reopen",
	"request_return", "open_return",
}

// TestEveryRowIsTold: whoever a row is to notify is mailed something in words of
// its own, and of what a row notifies nobody there is no mail, so nobody who
// should hear hears nothing.
func TestEveryRowIsTold(t *testing.T) {
	templates := words.Templates()
	for _, typ := range inbox.Types {
		table := machine.Of(typ)
		for _, row := range table.Rows {
			for _, from := range row.From {
				name := string(typ) + " " + row.Event + " from " + string(from)
				for _, cause := range causesOf(typ, row, from) {
					template, mailed := words.CustomerTemplate(cause)
					switch {
					case mailed != row.Does(machine.NotifyCustomer):
						t.Errorf("%s: customer mailed %v, notifies %v", name, mailed, row.Does(machine.NotifyCustomer))
					case mailed && !slices.Contains(templates, template):
						t.Errorf("%s: no words for %s", name, template)
					case mailed && template == "news":
						t.Errorf("%s: a row without words of its own", name)
					case mailed == slices.Contains(neverCustomer, row.Event) && !afterSending(row.Event, from):
						t.Errorf("%s: mailed %v, and in the list of never mailed: %v", name, mailed, !mailed)
					}
				}
				if template, mailed := words.OwnerTemplate(row.Event, false); row.Does(machine.NotifyOwner) && !(mailed && slices.Contains(templates, template)) {
					t.Errorf("%s: the owner is not told", name)
				}
			}
		}
	}
	for _, typ := range inbox.Types {
		if name, ok := words.OwnerTemplate(inbox.EventCreate, false); !ok || !slices.Contains(templates, name) {
			t.Errorf("a new %s: the owner is not told", typ)
		}
	}
}

// afterSending says whether an event is a withdrawal of goods that went out,
// whose return has its own mail.
func afterSending(event string, from inbox.State) bool {
	return (event == "withdraw" || event == "record_withdrawal") && (from == inbox.StateFulfilled || from == inbox.StateCompleted)
}

// causesOf are the ways a row can be fired, as far as they choose a mail.
func causesOf(typ inbox.Type, row *machine.Row, from inbox.State) (causes []words.Cause) {
	for _, said := range []bool{false, true} {
		c := words.Cause{Type: typ, Event: row.Event, From: from, Said: said}
		if row.By&machine.Customer != 0 {
			c.By = inbox.SideCustomer
			causes = append(causes, c)
		}
		if row.By&^machine.Customer != 0 {
			c.By = inbox.SideBusiness
			causes = append(causes, c)
		}
	}
	return causes
}

// TestEveryEffectHasAHandler: a write owes nothing that nobody does.
func TestEveryEffectHasAHandler(t *testing.T) {
	for _, kind := range []inbox.EffectKind{inbox.EffectNotifyCustomer, inbox.EffectNotifyOwner, inbox.EffectAcknowledge, inbox.EffectRefundDue} {
		if effects[kind] == nil {
			t.Errorf("no handler for %s", kind)
		}
	}
}

// TestMasked: errors are kept short and without addresses.
func TestMasked(t *testing.T) {
	cases := map[string]struct{ err, want string }{
		"ok/plain":               {"broken pipe", "broken pipe"},
		"ok/address":             {"Email address is not verified: Ana.M+x@example.com, region", "Email address is not verified: •••@•••, region"},
		"ok/in angle brackets":   {`no mailbox <ana@example.com>`, "no mailbox <•••@•••>"},
		"ok/quoted":              {`not an address: "ana@example.com"`, `not an address: "•••@•••"`},
		"ok/cut between runes":   {string(make([]byte, 299)) + "é", string(make([]byte, 299))},
		"ok/exactly long enough": {string(make([]byte, 300)), string(make([]byte, 300))},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := masked(text(c.err)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

type text string

func (e text) Error() string { return string(e) }

// TestBackOffTable: 60 s doubling, at most six hours (05 §4.7).
func TestBackOffTable(t *testing.T) {
	for n, want := range map[int]int64{
		1: 60, 2: 120, 3: 240, 7: 3840, 8: 7680, 9: 15360, 10: 6 * 3600, 30: 6 * 3600, 100: 6 * 3600,
	} {
		if got := backOff(n); got != want*inbox.Second {
			t.Errorf("after attempt %d: %d ms", n, got)
		}
	}
}
