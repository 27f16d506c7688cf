package canon

import (
	"encoding/json"
	"regexp"
	"testing"
)

// The six vectors of 02 §1.5: the canonical text and its fingerprint.
var termsVectors = []struct{ form, terms, want string }{
	{"time", `{"endTime":"2027-03-30T10:00:00.000Z","itemOffered":{"name":"Corte & barba","serviceId":"01J0SERVICE000000000000001"},"partySize":2,"startTime":"2027-03-30T09:00:00.000Z","totalPrice":{"currency":"EUR","value":5000}}`, "LVMuxVN6DCJfJyANPduUO2E9v63OrCMbtk16fmTVNic"},
	{"time", `{"endTime":"2027-03-30T12:00:00.000Z","partySize":2,"startTime":"2027-03-30T11:00:00.000Z","totalPrice":{"currency":"EUR","value":5000}}`, "jPo_JI3SHuzvG-YJZIy-vK1-MavBgks-EZ2K8D-xawk"},
	{"change", `{"endTime":"2027-03-30T12:00:00.000Z","partySize":2,"startTime":"2027-03-30T11:00:00.000Z","totalPrice":{"currency":"EUR","value":5000}}`, "XcYgDfF-y6BQCAE6c3iXPEe0mwsMpmQ-NpfRzuDgzcs"},
	{"order", `{"totalPrice":{"value":2550,"currency":"EUR"},"delivery":{"method":"pickup"},"lines":[{"name":"Mel de rosmaninho, 500 g","price":{"currency":"EUR","value":850},"productId":"01J0PRODUCT000000000000001","quantity":3,"sku":"MEL-1"}]}`, "jxcdmUT7Kj7hs9aaN-ms8cCTnA7JNOleSCnFyNZzOLs"},
	{"request", `{"itemOffered":{"name":"Pintura \u003csala\u003e"},"quantity":1,"startTime":"2027-04-12T08:00:00.000Z"}`, "i5KpRIDkPtR3hW5nWG8ohb12y4aHZZjYR3wORIQ_bYQ"},
	{"quote", `{"creates":"order","lines":[],"totalPrice":{"currency":"EUR","value":31000},"validThrough":"2027-04-02T17:00:00.000Z"}`, "jC1lcVAqVP2RxQfLXnes-XKPzSLWstM6HLPzG5-R2gk"},
}

func TestTermsSHA(t *testing.T) {
	shape := regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
	for _, v := range termsVectors {
		t.Run("ok/"+v.form+" "+v.want[:6], func(t *testing.T) {
			got := TermsSHA(v.form, json.RawMessage(v.terms))
			if got != v.want || !shape.MatchString(got) {
				t.Errorf("got %s, want %s", got, v.want)
			}
			var tree map[string]any
			if err := json.Unmarshal([]byte(v.terms), &tree); err != nil {
				t.Fatal(err)
			}
			if got := TermsSHA(v.form, tree); got != v.want {
				t.Errorf("as a map: got %s, want %s", got, v.want)
			}
		})
	}
	if a, b := TermsSHA("time", map[string]any{"kind": "change"}), TermsSHA("time", struct{}{}); a != b {
		t.Error("terms can name a form of their own")
	}
}

func TestTermsSHAPanics(t *testing.T) {
	for name, terms := range map[string]any{
		"fail/no object": []int{1}, "fail/null": nil, "fail/broken": json.RawMessage(`{`), "fail/channel": make(chan int),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("took it")
				}
			}()
			TermsSHA("time", terms)
		})
	}
}

func TestFingerprint(t *testing.T) {
	base := map[string]any{"op": "create", "scope": "business", "input": map[string]any{"a": 1, "b": nil}}
	same := json.RawMessage(`{ "input": {"b": null, "a": 1.0}, "scope": "business", "op": "create" }`)
	want := Fingerprint(base)
	if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(want) {
		t.Fatalf("%q is no lower-case SHA-256", want)
	}
	if got := Fingerprint(same); got != want {
		t.Error("another spelling of the same value has another fingerprint")
	}
	with := map[string]any{"op": "create", "scope": "business", "input": base["input"], "access_token": "t", "pass": "p", "key": "k", "idempotency_key": "i"}
	if got := Fingerprint(with, "access_token", "pass", "key", "idempotency_key"); got != want {
		t.Error("dropped keys still count")
	}
	for name, other := range map[string]any{
		"null is not absent":    map[string]any{"op": "create", "scope": "business", "input": map[string]any{"a": 1}},
		"another value":         map[string]any{"op": "create", "scope": "business", "input": map[string]any{"a": 2, "b": nil}},
		"a nested key is kept":  map[string]any{"op": "create", "scope": "business", "input": map[string]any{"a": 1, "b": nil, "key": 1}},
		"a credential counts":   with,
		"a string is no number": map[string]any{"op": "create", "scope": "business", "input": map[string]any{"a": "1", "b": nil}},
	} {
		if Fingerprint(other, "access_token") == want {
			t.Errorf("%s: same fingerprint", name)
		}
	}
}

func TestSHA256Hex(t *testing.T) {
	if got := SHA256Hex([]byte("abc")); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("got %s", got)
	}
}

// RFC 4231, test case 2.
func TestMAC(t *testing.T) {
	const want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := MAC([]byte("Jefe"), []byte("what do ya want for nothing?")); hexOf(got) != want {
		t.Errorf("got %x", got)
	}
}
