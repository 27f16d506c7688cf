package mail

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The corpus: raw messages, each with what is expected of it beside it as JSON.
// Only what a file names is compared. See testdata/corpus.md for the fields.
type expectation struct {
	About    string    `json:"about"`
	Delivery *Delivery `json:"delivery"`
	Answers  string    `json:"answers"` // token, ids, own, reference or nothing: by what the item is found
	Want     struct {
		Error       string  `json:"error"`
		From        *string `json:"from"`
		Name        *string `json:"name"`
		Contact     *string `json:"contact"`
		ContactName *string `json:"contact_name"`
		Relayed     *bool   `json:"relayed"`
		Sender      *string `json:"sender"`
		Subject     *string `json:"subject"`
		MessageID   *string `json:"message_id"`
		Mark        *string `json:"mark"`
		Special     *string `json:"special"`

		Text    *string  `json:"text"`
		TextHas []string `json:"text_has"`
		TextNot []string `json:"text_not"`

		Recipients []string `json:"recipients"`
		Tokens     []string `json:"tokens"`
		IDs        []string `json:"ids"`
		Forms      []string `json:"forms"`
		References []string `json:"references"`

		Automatic      *bool      `json:"automatic"`       // given the thread the mail answers
		AutomaticAlone *bool      `json:"automatic_alone"` // given none
		Thread         string     `json:"thread"`          // soon: within two minutes of our mail
		Kind           Automation `json:"kind"`
		Proof          *bool      `json:"proof"`
		Unanswerable   *bool      `json:"unanswerable"`

		Report json.RawMessage `json:"report"` // null: none

		Attachments []expectedFile `json:"attachments"`

		Authenticated *bool `json:"authenticated"`
		Unverified    *bool `json:"unverified"`
		Servable      *bool `json:"servable"`

		SameAs      string `json:"same_as"`
		OtherBodyOf string `json:"other_body_of"`
		DiffersFrom string `json:"differs_from"`
	} `json:"want"`
}

type expectedFile struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Bytes   *int   `json:"bytes"`
	Kept    bool   `json:"kept"`
	Harmful bool   `json:"harmful"`
}

type expectedReport struct {
	Kind       Automation          `json:"kind"`
	Mark       *string             `json:"mark"`
	IDsHave    []string            `json:"ids_have"`
	Feedback   string              `json:"feedback"`
	Reason     string              `json:"reason"`
	Recipients []expectedRecipient `json:"recipients"`
}

type expectedRecipient struct {
	Final     string `json:"final"`
	Original  string `json:"original"`
	Action    Action `json:"action"`
	Status    string `json:"status"`
	Remote    string `json:"remote"`
	Permanent bool   `json:"permanent"`
}

type sample struct {
	expectation
	raw []byte
}

func (s sample) delivery() Delivery {
	if s.Delivery == nil {
		return Delivery{}
	}
	return *s.Delivery
}

// thread is what the mail answers, as thread matching would find.
func (s sample) thread() Thread {
	strong := s.Answers == "token" || s.Answers == "ids"
	return Thread{Strong: strong, Soon: strong && s.Want.Thread == "soon"}
}

func corpus(t testing.TB) map[string]sample {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.eml")
	if err != nil || len(files) < 150 {
		t.Fatalf("%d messages, %v", len(files), err)
	}
	all := map[string]sample{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(strings.TrimSuffix(f, ".eml") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		s := sample{raw: raw}
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&s.expectation); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		all[strings.TrimSuffix(filepath.Base(f), ".eml")] = s
	}
	return all
}

func TestCorpus(t *testing.T) {
	all := corpus(t)
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			r, err := Parse(s.raw, s.delivery())
			checkError(t, err, s.Want.Error)
			checkWords(t, r, s)
			checkKeys(t, r, s)
			checkAutomatic(t, r, s)
			checkReport(t, r.Report, s)
			checkFiles(t, r.Attachments, s)
			checkDuplicates(t, r, s, all)
			checkClean(t, r)
			if t.Failed() {
				t.Logf("%s", s.About)
			}
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	wanted := map[string]error{"": nil, "no sender": ErrNoSender, "malformed": ErrMalformed, "too large": ErrTooLarge}
	if e, known := wanted[want]; !known || !errors.Is(err, e) {
		t.Errorf("error %v, want %q", err, want)
	}
}

func checkWords(t *testing.T, r Received, s sample) {
	t.Helper()
	w := s.Want
	for what, pair := range map[string]struct {
		got  string
		want *string
	}{
		"from": {r.From.Email, w.From}, "name": {r.From.Name, w.Name}, "contact": {r.Contact.Email, w.Contact}, "contact name": {r.Contact.Name, w.ContactName},
		"sender": {r.Sender, w.Sender}, "subject": {r.Subject, w.Subject}, "message id": {r.MessageID, w.MessageID}, "mark": {r.Mark, w.Mark},
		"special": {r.SpecialMailbox("in.studio.example"), w.Special}, "text": {r.Text, w.Text},
	} {
		if pair.want != nil && pair.got != *pair.want {
			t.Errorf("%s %q, want %q", what, pair.got, *pair.want)
		}
	}
	for _, has := range w.TextHas {
		if !strings.Contains(r.Text, has) {
			t.Errorf("text %q has not %q", r.Text, has)
		}
	}
	for _, not := range w.TextNot {
		if strings.Contains(r.Text, not) {
			t.Errorf("text has %q", not)
		}
	}
	for what, pair := range map[string]struct {
		got  bool
		want *bool
	}{
		"relayed": {r.Relayed, w.Relayed}, "authenticated": {s.delivery().Authenticated(), w.Authenticated},
		"unverified": {s.delivery().Unverified(), w.Unverified}, "servable": {s.delivery().Servable(), w.Servable},
		"unanswerable": {r.Signs.Unanswerable, w.Unanswerable}, "proof": {r.Signs.Proof != "", w.Proof},
	} {
		if pair.want != nil && pair.got != *pair.want {
			t.Errorf("%s is %v", what, pair.got)
		}
	}
}

func checkKeys(t *testing.T, r Received, s sample) {
	t.Helper()
	for what, pair := range map[string]struct{ got, want []string }{
		"recipients": {r.Recipients, s.Want.Recipients}, "tokens": {r.Keys.Tokens, s.Want.Tokens},
		"ids": {r.Keys.IDs, s.Want.IDs}, "references": {r.Keys.References, s.Want.References},
	} {
		if pair.want != nil && !slices.Equal(pair.got, pair.want) {
			t.Errorf("%s %q, want %q", what, pair.got, pair.want)
		}
	}
	for _, f := range s.Want.Forms {
		if len(r.Keys.IDs) == 0 || !slices.Contains(IDForms(r.Keys.IDs[0]), f) {
			t.Errorf("no form %q of %q", f, r.Keys.IDs)
		}
	}
	const token, id = "aaaabbbbccccddddeeeeffff22", "0102019a1b2c3d4e-11112222-3333-4444-5555-666677778888-000000"
	found := map[string]bool{
		"": true, "token": slices.Contains(r.Keys.Tokens, token), "own": slices.Contains(r.Keys.IDs, "first.mail@example.com"),
		"ids":       slices.ContainsFunc(r.Keys.IDs, func(i string) bool { return slices.Contains(IDForms(i), id) || strings.HasPrefix(i, "a.AAAA") }),
		"reference": slices.Contains(r.Keys.References, "7K3QXA"),
	}
	if !found[s.Answers] {
		t.Errorf("its item is not found by its %s: %+v", s.Answers, r.Keys)
	}
}

func checkAutomatic(t *testing.T, r Received, s sample) {
	t.Helper()
	j := r.Automatic(s.thread())
	if s.Want.Automatic != nil && j.Automatic != *s.Want.Automatic {
		t.Errorf("judged %+v by %+v", j, r.Signs)
	}
	if s.Want.Kind != "" && j.Kind != s.Want.Kind {
		t.Errorf("kind %q, want %q", j.Kind, s.Want.Kind)
	}
	if alone := r.Automatic(Thread{}); s.Want.AutomaticAlone != nil && alone.Automatic != *s.Want.AutomaticAlone {
		t.Errorf("without a thread judged %+v by %+v", alone, r.Signs)
	}
	if j.Automatic != (j.Kind != "") || j.Automatic != (j.Why != "") {
		t.Errorf("half a judgement: %+v", j)
	}
}

func checkReport(t *testing.T, r *Report, s sample) {
	t.Helper()
	if s.Want.Report == nil {
		return
	}
	if string(s.Want.Report) == "null" {
		if r != nil {
			t.Errorf("a report: %+v", r)
		}
		return
	}
	var want expectedReport
	if err := json.Unmarshal(s.Want.Report, &want); err != nil {
		t.Fatal(err)
	}
	if r == nil {
		t.Fatal("no report")
	}
	if r.Kind != want.Kind || r.Feedback != want.Feedback || want.Reason != "" && r.Reason != want.Reason || want.Mark != nil && r.Mark != *want.Mark {
		t.Errorf("report %+v", r)
	}
	for _, id := range want.IDsHave {
		if !slices.Contains(r.IDs, id) {
			t.Errorf("ids %q without %q", r.IDs, id)
		}
	}
	if want.Recipients == nil {
		return
	}
	got := []expectedRecipient{}
	for i, g := range r.Recipients {
		e := expectedRecipient{g.Final, g.Original, g.Action, g.Status, g.RemoteMTA, g.Permanent()}
		if i < len(want.Recipients) { // compared only where named
			if want.Recipients[i].Original == "" {
				e.Original = ""
			}
			if want.Recipients[i].Remote == "" {
				e.Remote = ""
			}
		}
		got = append(got, e)
	}
	if !slices.Equal(got, want.Recipients) {
		t.Errorf("recipients %+v, want %+v", got, want.Recipients)
	}
}

func checkFiles(t *testing.T, files []Attachment, s sample) {
	t.Helper()
	total := 0
	for _, f := range files {
		if f.Kept != (f.Content != nil) || f.Kept && f.Bytes != len(f.Content) || f.Name == "" || strings.ContainsAny(f.Name, "/\\\n") {
			t.Errorf("file %q: kept %v, %d bytes of %d", f.Name, f.Kept, len(f.Content), f.Bytes)
		}
		total += len(f.Content)
	}
	if total > MaxAttached {
		t.Errorf("%d bytes kept", total)
	}
	if s.Want.Attachments == nil {
		return
	}
	got := []expectedFile{}
	for i, f := range files {
		e := expectedFile{Name: f.Name, Type: f.Type, Kept: f.Kept, Harmful: f.Harmful}
		if i < len(s.Want.Attachments) && s.Want.Attachments[i].Bytes != nil {
			e.Bytes = &f.Bytes
		}
		got = append(got, e)
	}
	if !reflect.DeepEqual(got, s.Want.Attachments) {
		t.Errorf("files %+v, want %+v", got, s.Want.Attachments)
	}
}

func checkDuplicates(t *testing.T, r Received, s sample, all map[string]sample) {
	t.Helper()
	other := func(name string) Received {
		o, err := Parse(all[name].raw, all[name].delivery())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return o
	}
	if n := s.Want.SameAs; n != "" {
		if o := other(n); o.DuplicateKey() != r.DuplicateKey() || o.BodyHash != r.BodyHash {
			t.Errorf("another mail than %s", n)
		}
	}
	if n := s.Want.OtherBodyOf; n != "" {
		if o := other(n); o.DuplicateKey() != r.DuplicateKey() || o.BodyHash == r.BodyHash || o.OtherBodyKey() == r.OtherBodyKey() {
			t.Errorf("not another body of %s", n)
		}
	}
	if n := s.Want.DiffersFrom; n != "" {
		if o := other(n); o.DuplicateKey() == r.DuplicateKey() {
			t.Errorf("the key of %s", n)
		}
	}
}

// TestCorpusLimits: no message of the corpus takes a second of the processor or
// 256 MB.
func TestCorpusLimits(t *testing.T) {
	for name, s := range corpus(t) {
		spent, bytes := cost(func() { Parse(s.raw, s.delivery()) }) //nolint:errcheck // only its cost is asked
		if spent > time.Second || bytes > 256<<20 {
			t.Errorf("%s took %v and %d MiB", name, spent, bytes>>20)
		}
	}
}

// cost is the processor time and the allocated bytes of a call: no less than it
// waits on a quiet machine, no less than it ever holds.
func cost(do func()) (time.Duration, uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := processorTime()
	do()
	spent := processorTime() - start
	runtime.ReadMemStats(&after)
	return spent, after.TotalAlloc - before.TotalAlloc
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
