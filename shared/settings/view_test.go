package settings

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestView(t *testing.T) {
	raw := []byte(`{"email":{"inboundSecret":"0123456789abcdef"},"negotiation":{"ai":{"maxDelayDays":3},"maxRounds":4},"colour":"red"}`)
	for who, c := range callers() {
		t.Run("ok/"+who, func(t *testing.T) {
			doc, redacted, withheld := View(raw, c)
			tree, err := parse(doc)
			if err != nil {
				t.Fatal(err)
			}
			if secret, _ := lookup(tree, "email.inboundSecret"); secret != Redacted || !reflect.DeepEqual(redacted, []string{"email.inboundSecret"}) {
				t.Errorf("secret %v, redacted %v", secret, redacted)
			}
			if rounds, _ := lookup(tree, "negotiation.maxRounds"); rounds != json.Number("4") {
				t.Errorf("rounds %v", rounds)
			}
			if days, _ := lookup(tree, "orders.dueDays"); days != json.Number("30") {
				t.Errorf("a default reads as %v", days)
			}
			if _, shown := tree["colour"]; shown {
				t.Error("what is no setting is shown")
			}
			_, ai := lookup(tree, "negotiation.ai")
			_, rewards := lookup(tree, "negotiation.rewards")
			if whole := who == "owner"; ai != whole || rewards != whole || (len(withheld) == 0) != whole {
				t.Errorf("ai %v, rewards %v, withheld %v", ai, rewards, withheld)
			}
		})
	}
}

func TestViewOfNothing(t *testing.T) {
	doc, redacted, withheld := View(nil, callers()["owner"])
	tree, err := parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	if redacted == nil || withheld == nil || len(redacted)+len(withheld) > 0 {
		t.Errorf("%v %v", redacted, withheld)
	}
	networks := tree["networks"].(map[string]any)
	if len(networks) != 1 || networks[DefaultNetwork].(map[string]any)["enabled"] != false {
		t.Errorf("networks %v", networks)
	}
	if _, set := lookup(tree, "email.fromAddress"); set {
		t.Error("an unset address is shown")
	}
}

// The schema takes what a reader is shown, and refuses what a patch refuses for
// its form.
func TestSchema(t *testing.T) {
	written, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:settings", doc); err != nil {
		t.Fatal(err)
	}
	described, err := compiler.Compile("mem:settings")
	if err != nil {
		t.Fatal(err)
	}
	takes := func(raw []byte) bool {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		return described.Validate(v) == nil
	}
	for who, c := range callers() {
		if view, _, _ := View([]byte(`{"email":{"inboundSecret":"0123456789abcdef"},"directory":{"geo":{"latitude":1,"longitude":2}}}`), c); !takes(view) {
			t.Errorf("%s is shown what the schema refuses: %s", who, view)
		}
	}
	for i := range Table {
		r := &Table[i]
		good, bad := samples(r)
		for _, v := range good {
			if r.Kind != KindRewards && !takes([]byte(nested(r.Path, v))) {
				t.Errorf("%s: the schema refuses %s", r.Path, short(v))
			}
		}
		switch r.Kind {
		case KindInt, KindNumber, KindOption, KindBool:
			for _, v := range bad {
				if v != `1e1` && !r.Later && takes([]byte(nested(r.Path, v))) {
					t.Errorf("%s: the schema takes %s", r.Path, short(v))
				}
			}
		}
	}
}

func TestShortened(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          bool
	}{
		"ok/unchanged":           {`{}`, `{}`, false},
		"ok/completion shorter":  {`{}`, `{"booking":{"autoCompleteHours":47}}`, true},
		"ok/completion longer":   {`{}`, `{"booking":{"autoCompleteHours":49}}`, false},
		"ok/pay days shorter":    {`{"orders":{"payDays":20}}`, `{}`, true},
		"ok/pay days longer":     {`{}`, `{"orders":{"payDays":20}}`, false},
		"ok/both, one shorter":   {`{}`, `{"orders":{"payDays":20},"booking":{"autoCompleteHours":1}}`, true},
		"ok/clocks already set":  {`{}`, `{"booking":{"autoExpireHours":1},"orders":{"dueDays":1}}`, false},
		"ok/a bad value is none": {`{}`, `{"orders":{"payDays":0}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Shortened(Effective([]byte(c.before)), Effective([]byte(c.after))); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
	for i := range Table {
		if live := Table[i].Live; live != (Table[i].Path == "booking.autoCompleteHours" || Table[i].Path == "orders.payDays") {
			t.Errorf("%s: Live is %v, Shortened looks elsewhere", Table[i].Path, live)
		}
	}
}
