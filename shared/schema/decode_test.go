package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// cents reads its own JSON, like money does.
type cents int64

type centsError string

func (e centsError) Error() string         { return "must be an amount" }
func (e centsError) Where() (string, bool) { return string(e), e == "unit" }

func (c *cents) UnmarshalJSON(b []byte) error {
	var v struct{ Value, Unit *int64 }
	switch err := json.Unmarshal(b, &v); {
	case err != nil:
		return errors.New("must be {value, unit}")
	case v.Unit == nil:
		return centsError("unit")
	case v.Value == nil || *v.Value < 0:
		return centsError("value")
	}
	*c = cents(*v.Value)
	return nil
}

func (c cents) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"value":%d,"unit":1}`, int64(c)), nil
}

type inner struct {
	Name  string `json:"name" in:"required,len=1..5"`
	Count int64  `json:"count,omitempty" in:"num=1..9"`
	Price *cents `json:"price,omitempty"`
	Inbox string `json:"inbox,omitempty" in:"out"`
}

type base struct {
	ID string `json:"id,omitempty" in:"len=0..3"`
}

type thing struct {
	base2
	base
	Path   string             `json:"-" path:"item_id"`
	Text   string             `json:"text,omitempty" in:"len=2..4"`
	Trim   string             `json:"trim,omitempty" in:"trim,len=1..3"`
	Words  string             `json:"words,omitempty" in:"len=1..5,words"`
	Passes string             `json:"passes,omitempty" in:"len=0..1608,passes"`
	Paid   *cents             `json:"paid,omitempty" in:"business"`
	Enum   string             `json:"enum,omitempty" in:"enum=a|bee"`
	Mail   string             `json:"mail,omitempty" in:"email"`
	URL    string             `json:"url,omitempty" in:"url"`
	Day    string             `json:"day,omitempty" in:"date"`
	Money  string             `json:"money,omitempty" in:"currency"`
	Code   string             `json:"code,omitempty" in:"match=^[0-9]{2,3}$"`
	Flag   *bool              `json:"flag,omitempty"`
	On     bool               `json:"on" in:"default=true"`
	Sort   int                `json:"sort" in:"num=0..10,default=7"`
	Small  int32              `json:"small,omitempty"`
	Big    int64              `json:"big,omitempty"`
	Rate   float64            `json:"rate,omitempty" in:"num=0..50"`
	One    *inner             `json:"one,omitempty"`
	Lines  []inner            `json:"lines,omitempty" in:"items=1..3"`
	Tags   []string           `json:"tags,omitempty" in:"items=0..2,len=1..3"`
	Object json.RawMessage    `json:"object,omitempty" in:"object"`
	Any    json.RawMessage    `json:"any,omitempty"`
	Keep   json.RawMessage    `json:"keep,omitempty" in:"any"`
	Pair   *[2]string         `json:"pair,omitempty" in:"match=^[0-9]+$"`
	SHA    string             `json:"sha,omitempty" in:"terms_sha"`
	Only   string             `query:"only" in:"required"`
	Header string             `json:"header" header:"X-Header" in:"required"`
	Map    map[string]string  `json:"map,omitempty" in:"items=0..2,len=0..3"`
	Stock  Optional[int]      `json:"stock,omitzero" in:"nullable,num=0..9"`
	Loose  Optional[int]      `json:"loose,omitzero"`
	Null   *int               `json:"null" in:"required,nullable"`
	Price  cents              `json:"price,omitempty"`
	hidden string             //nolint:unused // unexported fields are no input
	Nested map[string][]inner `json:"nested,omitempty"`
}

type base2 struct {
	Note string `json:"note,omitempty"`
}

// with is a thing that is right but for what is given.
func with(fields string) string {
	if fields != "" {
		fields = "," + fields
	}
	return `{"null":null` + fields + `}`
}

func TestDecodeTakes(t *testing.T) {
	yes, n := true, 3
	price := cents(5)
	tests := map[string]struct {
		in   string
		want thing
	}{
		"ok/nothing optional":         {`{"null":3}`, thing{Null: &n}},
		"ok/nullable and required":    {`{"null":null}`, thing{}},
		"ok/white space":              {" {\n\"null\" :\tnull , \"text\"\r:\"abc\" } ", thing{Text: "abc"}},
		"ok/unknown dropped":          {with(`"x":{"y":[1,"}",{"z":"\""}]},"text":"abc"`), thing{Text: "abc"}},
		"ok/case matters":             {with(`"Text":"abc","TEXT":5`), thing{}},
		"ok/last one wins":            {with(`"text":"toolong","text":"abc","text":"abd"`), thing{Text: "abd"}},
		"ok/last one wins, null":      {with(`"text":"toolong","text":null`), thing{}},
		"ok/escaped name":             {with(`"te\u0078t":"abc"`), thing{Text: "abc"}},
		"ok/promoted":                 {with(`"id":"1","note":"n"`), thing{base: base{ID: "1"}, base2: base2{Note: "n"}}},
		"ok/path is the door's":       {with(`"Path":"x","-":"x","item_id":"x"`), thing{}},
		"ok/shortest":                 {with(`"text":"ab"`), thing{Text: "ab"}},
		"ok/longest, code points":     {with(`"text":"é😀é😀"`), thing{Text: "é😀é😀"}},
		"ok/escapes":                  {with(`"text":"\ud83d\ude00\n\/\""`), thing{Text: "😀\n/\""}},
		"ok/escaped replacement":      {with(`"text":"\ufffdx"`), thing{Text: "\ufffdx"}},
		"ok/tab and line breaks":      {with(`"text":"\t\r\n."`), thing{Text: "\t\r\n."}},
		"ok/words, as they are":       {with(`"words":" a \n"`), thing{Words: " a \n"}},
		"ok/eight passes":             {with(`"passes":"` + passes(8, 200) + `"`), thing{Passes: passes(8, 200)}},
		"ok/no passes":                {with(`"passes":" "`), thing{Passes: " "}},
		"ok/the business's own":       {with(`"paid":{"value":5,"unit":1}`), thing{Paid: &price}},
		"ok/trimmed":                  {with(`"trim":"  abc \n"`), thing{Trim: "abc"}},
		"ok/enum":                     {with(`"enum":"bee"`), thing{Enum: "bee"}},
		"ok/mail":                     {with(`"mail":"a.b+c@x-y.example"`), thing{Mail: "a.b+c@x-y.example"}},
		"ok/url":                      {with(`"url":"https://x.example/a?b=c#d"`), thing{URL: "https://x.example/a?b=c#d"}},
		"ok/day":                      {with(`"day":"2028-02-29"`), thing{Day: "2028-02-29"}},
		"ok/currency":                 {with(`"money":"eUr"`), thing{Money: "EUR"}},
		"ok/match":                    {with(`"code":"042"`), thing{Code: "042"}},
		"ok/boolean":                  {with(`"flag":true`), thing{Flag: &yes}},
		"ok/default overridden":       {with(`"on":false,"sort":0`), thing{On: false, Sort: 0}},
		"ok/null is absent":           {with(`"flag":null,"on":null,"one":null,"lines":null,"text":null`), thing{}},
		"ok/whole numbers":            {with(`"big":9007199254740991,"small":-2147483648,"sort":10`), thing{Big: 1<<53 - 1, Small: -1 << 31, Sort: 10}},
		"ok/minus zero":               {with(`"sort":-0`), thing{Sort: 0}},
		"ok/fraction":                 {with(`"rate":2.5e1`), thing{Rate: 25}},
		"ok/struct":                   {with(`"one":{"name":"a","count":9,"price":{"value":5,"unit":1}}`), thing{One: &inner{Name: "a", Count: 9, Price: &price}}},
		"ok/out dropped":              {with(`"one":{"name":"a","inbox":{"not":"even a string"}}`), thing{One: &inner{Name: "a"}}},
		"ok/list":                     {with(`"lines":[{"name":"a"},{"name":"b","x":1}]`), thing{Lines: []inner{{Name: "a"}, {Name: "b"}}}},
		"ok/empty list":               {with(`"tags":[]`), thing{Tags: []string{}}},
		"ok/full list":                {with(`"tags":["a","bcd"]`), thing{Tags: []string{"a", "bcd"}}},
		"ok/object as it came":        {with(`"object": {"a" : [1.50,null]} `), thing{Object: json.RawMessage(`{"a" : [1.50,null]}`)}},
		"ok/anything":                 {with(`"any":[1]`), thing{Any: json.RawMessage(`[1]`)}},
		"ok/null is kept":             {with(`"keep":null`), thing{Keep: json.RawMessage(`null`)}},
		"ok/null of anything else":    {with(`"any":null`), thing{}},
		"ok/fingerprint":              {with(`"sha":"` + strings.Repeat("a-_9", 10) + `xyz"`), thing{SHA: strings.Repeat("a-_9", 10) + "xyz"}},
		"ok/query and header":         {with(`"only":5,"Only":5,"header":5`), thing{}},
		"ok/fixed length":             {with(`"pair":["1","23"]`), thing{Pair: &[2]string{"1", "23"}}},
		"ok/map":                      {with(`"map":{"a":"x","b":null,"c":"abc"}`), thing{Map: map[string]string{"a": "x", "c": "abc"}}},
		"ok/optional set":             {with(`"stock":0`), thing{Stock: Optional[int]{Set: true}}},
		"ok/optional null":            {with(`"stock":null`), thing{Stock: Optional[int]{Set: true, Null: true}}},
		"ok/optional, null is absent": {with(`"loose":null`), thing{}},
		"ok/lists in a map":           {with(`"nested":{"k":[{"name":"a"}]}`), thing{Nested: map[string][]inner{"k": {{Name: "a"}}}}},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(c.in, `"on":false`) {
				c.want.On, c.want.Sort = true, c.want.Sort+map[bool]int{true: 7}[!strings.Contains(c.in, `"sort"`)]
			}
			got, problems := Decode[thing]([]byte(c.in), "payload")
			if problems != nil {
				t.Fatalf("problems %v", problems)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// passes are n strings of a length.
func passes(n, length int) string {
	return strings.TrimSuffix(strings.Repeat(strings.Repeat("p", length)+" ", n), " ")
}

// TestCustomers: what only the business writes is dropped from a customer's
// request, whatever it holds (03 §6.2).
func TestCustomers(t *testing.T) {
	for name, in := range map[string]string{
		"ok/as the business writes it": with(`"paid":{"value":5,"unit":1}`),
		"ok/of another type":           with(`"paid":"all of it"`),
		"ok/null":                      with(`"paid":null`),
	} {
		if got, problems := DecodeOf[thing]([]byte(in), "p", true); problems != nil || got.Paid != nil {
			t.Errorf("%s: %v %v", name, got.Paid, problems)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	long := "https://x.example/" + strings.Repeat("a", 2000-18)
	tests := map[string]struct {
		in   string
		want string // "path fault" of each problem
	}{
		"fail/missing":                  {`{}`, "p.null missing"},
		"fail/no object":                {`[]`, "p invalid"},
		"fail/null":                     {`null`, "p invalid"},
		"fail/no JSON":                  {`{`, "p invalid"},
		"fail/too short":                {with(`"text":"a"`), "p.text invalid"},
		"fail/too long":                 {with(`"text":"abcde"`), "p.text invalid"},
		"fail/too long, code points":    {with(`"text":"😀😀😀😀😀"`), "p.text invalid"},
		"fail/empty":                    {with(`"text":""`), "p.text invalid"},
		"fail/number for string":        {with(`"text":5`), "p.text invalid"},
		"fail/NUL":                      {with(`"text":"a\u0000b"`), "p.text invalid"},
		"fail/escape character":         {with(`"text":"a\u001bb"`), "p.text invalid"},
		"fail/backspace":                {with(`"text":"a\bb"`), "p.text invalid"},
		"fail/bytes not UTF-8":          {with("\"text\":\"a\xffb\""), "p.text invalid"},
		"fail/not UTF-8 beside escape":  {with("\"text\":\"\\n\xff\""), "p.text invalid"},
		"fail/half a pair":              {with(`"text":"a\ud800"`), "p.text invalid"},
		"fail/half a pair, then escape": {with(`"text":"\ud800\u0041"`), "p.text invalid"},
		"fail/low surrogate":            {with(`"text":"\udc00a"`), "p.text invalid"},
		"fail/no words":                 {with(`"words":" \n\u00a0"`), "p.words invalid"},
		"fail/nine passes":              {with(`"passes":"` + passes(9, 1) + `"`), "p.passes invalid"},
		"fail/a pass too long":          {with(`"passes":"` + passes(1, 201) + `"`), "p.passes invalid"},
		"fail/the business's own":       {with(`"paid":5`), "p.paid invalid"},
		"fail/blank after trim":         {with(`"trim":"   "`), "p.trim invalid"},
		"fail/enum":                     {with(`"enum":"A"`), "p.enum invalid"},
		"fail/mail":                     {with(`"mail":"Ann <a@x.example>"`), "p.mail invalid"},
		"fail/url relative":             {with(`"url":"/a"`), "p.url invalid"},
		"fail/url too long":             {with(`"url":"` + long + `a"`), "p.url invalid"},
		"fail/day":                      {with(`"day":"2027-02-29"`), "p.day invalid"},
		"fail/currency":                 {with(`"money":"EURO"`), "p.money invalid"},
		"fail/match":                    {with(`"code":"1234"`), "p.code invalid"},
		"fail/boolean as string":        {with(`"flag":"true"`), "p.flag invalid"},
		"fail/boolean as number":        {with(`"flag":1`), "p.flag invalid"},
		"fail/number as string":         {with(`"sort":"5"`), "p.sort invalid"},
		"fail/fraction":                 {with(`"sort":5.0`), "p.sort invalid"},
		"fail/exponent":                 {with(`"sort":1e1`), "p.sort invalid"},
		"fail/under":                    {with(`"sort":-1`), "p.sort invalid"},
		"fail/over":                     {with(`"sort":11`), "p.sort invalid"},
		"fail/past 2^53−1":              {with(`"big":9007199254740992`), "p.big invalid"},
		"fail/past −(2^53−1)":           {with(`"big":-9007199254740992`), "p.big invalid"},
		"fail/past 64 bits":             {with(`"big":99999999999999999999`), "p.big invalid"},
		"fail/past 32 bits":             {with(`"small":2147483648`), "p.small invalid"},
		"fail/rate":                     {with(`"rate":50.5`), "p.rate invalid"},
		"fail/rate past every double":   {with(`"rate":1e999`), "p.rate invalid"},
		"fail/rate as string":           {with(`"rate":"1"`), "p.rate invalid"},
		"fail/struct as list":           {with(`"one":[]`), "p.one invalid"},
		"fail/inside a struct":          {with(`"one":{"count":0}`), "p.one.name missing, p.one.count invalid"},
		"fail/own reader":               {with(`"price":"5"`), "p.price invalid"},
		"fail/own reader, part":         {with(`"price":{"value":-1,"unit":1}`), "p.price.value invalid"},
		"fail/own reader, missing part": {with(`"price":{"value":1}`), "p.price.unit missing"},
		"fail/empty list":               {with(`"lines":[]`), "p.lines invalid"},
		"fail/long list":                {with(`"tags":["a","b","c"]`), "p.tags invalid"},
		"fail/list as object":           {with(`"lines":{}`), "p.lines invalid"},
		"fail/inside a list":            {with(`"lines":[{"name":"a"},{"name":"toolong","price":{"unit":1}},5]`), "p.lines.1.name invalid, p.lines.1.price.value invalid, p.lines.2 invalid"},
		"fail/null in a list":           {with(`"lines":[null]`), "p.lines.0 missing"},
		"fail/entry too long":           {with(`"tags":["a","abcd"]`), "p.tags.1 invalid"},
		"fail/object is a list":         {with(`"object":[]`), "p.object invalid"},
		"fail/control inside an object": {with(`"object":{"a":"\u0000"}`), "p.object.a invalid"},
		"fail/pair inside an object":    {with(`"any":["\ud800"]`), "p.any.0 invalid"},
		"fail/fingerprint too short":    {with(`"sha":"` + strings.Repeat("a", 42) + `"`), "p.sha invalid"},
		"fail/fingerprint too long":     {with(`"sha":"` + strings.Repeat("a", 44) + `"`), "p.sha invalid"},
		"fail/fixed length, short":      {with(`"pair":["1"]`), "p.pair invalid"},
		"fail/fixed length, long":       {with(`"pair":["1","2","3"]`), "p.pair invalid"},
		"fail/fixed length, entry":      {with(`"pair":["1","x"]`), "p.pair.1 invalid"},
		"fail/fixed length, object":     {with(`"pair":{}`), "p.pair invalid"},
		"fail/map entry":                {with(`"map":{"a":"long"}`), "p.map.a invalid"},
		"fail/map too large":            {with(`"map":{"a":"","b":"","c":""}`), "p.map invalid"},
		"fail/map name":                 {with(`"map":{"\u0000":""}`), "p.map.\x00 invalid"},
		"fail/map as list":              {with(`"map":[]`), "p.map invalid"},
		"fail/optional":                 {with(`"stock":10`), "p.stock invalid"},
		"fail/all at once, in order":    {`{"tags":[""],"text":"","id":"long","one":{}}`, "p.id invalid, p.text invalid, p.one.name missing, p.tags.0 invalid, p.null missing"},
		"fail/last one wins":            {with(`"text":"abc","text":"a"`), "p.text invalid"},
		"fail/too deep":                 {with(`"x":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)), "p invalid"},
		"fail/too large":                {with(`"x":"` + strings.Repeat("a", MaxBytes) + `"`), "p invalid"},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			_, problems := Decode[thing]([]byte(c.in), "p")
			if got := faults(problems); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, p := range problems {
				if p.Message == "" {
					t.Errorf("%s has no message", p.Path)
				}
			}
		})
	}
}

func faults(problems []Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Path+" "+p.Problem)
	}
	return strings.Join(out, ", ")
}

func TestBounds(t *testing.T) {
	deep := func(n int) string {
		return with(`"x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1))
	}
	if _, p := Decode[thing]([]byte(deep(MaxDepth)), ""); p != nil {
		t.Errorf("%d levels: %v", MaxDepth, p)
	}
	for in, want := range map[string]error{
		`{}`: nil, `{"a":"[[[[\"[["}`: nil, `{}}`: ErrSyntax, ``: ErrSyntax, deep(MaxDepth + 1): ErrDepth,
		strings.Repeat(" ", MaxBytes+1): ErrSize, strings.Repeat(" ", MaxBytes-2) + "{}": nil,
	} {
		if err := Check([]byte(in)); err != want {
			t.Errorf("%.40q: %v", in, err)
		}
	}
	many := `{"null":null,"nested":{"k":[` + strings.TrimSuffix(strings.Repeat("{},", 500), ",") + `]}}`
	if _, p := Decode[thing]([]byte(many), ""); len(p) != maxProblems || p[99].Path != "nested.k.99.name" {
		t.Errorf("%d problems", len(p))
	}
}

func TestPrefix(t *testing.T) {
	for prefix, want := range map[string]string{"": "null", "payload": "payload.null", "input": "input.null"} {
		if _, p := Decode[thing]([]byte(`{}`), prefix); len(p) != 1 || p[0].Path != want {
			t.Errorf("%q: %v", prefix, p)
		}
	}
}

func TestMessages(t *testing.T) {
	for in, want := range map[string]string{
		with(`"text":"a"`):          "must have 2 to 4 characters",
		with(`"map":{"a":"abcd"}`):  "must have at most 3 characters",
		with(`"sort":11`):           "must be 0 to 10",
		with(`"sort":1.5`):          "must be a whole number",
		with(`"lines":[]`):          "must have 1 to 3 entries",
		with(`"enum":"c"`):          "must be one of a, bee",
		with(`"price":1`):           "must be {value, unit}",
		`{}`:                        "is required",
		with(`"code":"x"`):          "must match ^[0-9]{2,3}$",
		with(`"big":1` + zeros(16)): "must be a whole number no larger than 9007199254740991",
	} {
		if _, p := Decode[thing]([]byte(in), ""); len(p) != 1 || p[0].Message != want {
			t.Errorf("%s: %v, want %q", in, p, want)
		}
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

// Structs with more fields than fit the decoder's first array.
func TestManyFields(t *testing.T) {
	fields := make([]reflect.StructField, 60)
	for i := range fields {
		n := strconv.Itoa(i)
		fields[i] = reflect.StructField{Name: "F" + n, Type: reflect.TypeFor[int](), Tag: reflect.StructTag(`json:"f` + n + `" in:"required"`)}
	}
	typ := reflect.StructOf(fields)
	v := reflect.New(typ).Elem()
	d := decoder{cursor: cursor{in: []byte(`{"f0":1,"f59":2}`)}}
	d.value(planOf(typ), &limits{}, v)
	if v.Field(0).Int() != 1 || v.Field(59).Int() != 2 || len(d.problems) != 58 {
		t.Errorf("%v, %d problems", v, len(d.problems))
	}
}

func TestBadTypesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"fail/unknown part": func() {
			Decode[struct {
				A string `in:"requird"`
			}](nil1, "")
		},
		"fail/bounds reversed": func() {
			Decode[struct {
				A string `in:"len=5..1"`
			}](nil1, "")
		},
		"fail/bounds no number": func() {
			Decode[struct {
				A string `in:"len=a..b"`
			}](nil1, "")
		},
		"fail/bad expression": func() {
			Decode[struct {
				A string `in:"match=("`
			}](nil1, "")
		},
		"fail/interface": func() { Decode[struct{ A any }](nil1, "") },
		"fail/channel":   func() { Decode[struct{ A chan int }](nil1, "") },
		"fail/name twice": func() {
			twice := reflect.StructField{Name: "A", Type: reflect.TypeFor[string](), Tag: `json:"a"`}
			again := twice
			again.Name = "B"
			planOf(reflect.StructOf([]reflect.StructField{twice, again}))
		},
		"fail/bad default": func() {
			Decode[struct {
				A int `in:"default=x"`
			}](nil1, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

var nil1 = []byte(`{}`)

type note struct {
	Note string `json:"note,omitempty" in:"len=0..2000"`
}

// Decoding a small input stays cheap: every verb does it.
func TestAllocations(t *testing.T) {
	raw := []byte(`{"note":"x"}`)
	if n := testing.AllocsPerRun(100, func() { Decode[note](raw, "input") }); n > 15 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	raw := []byte(`{"note":"x"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, p := Decode[note](raw, "input"); p != nil {
			b.Fatal(p)
		}
	}
}

// What was decoded is written and decoded again to the same value, and nothing
// panics.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		with(`"one":{"name":"a","price":{"value":5,"unit":1}},"tags":["a"],"stock":null`),
		with(`"text":"\ud83d\ude00","map":{"a":"b"},"object":{"a":[1e5]},"any":"\u0000"`),
		with(`"nested":{"k":[{"name":"a"},null,{}]},"rate":0.1,"big":-1,"on":false`), `[]`, `{"null":1,"null":"x"}`, `{"`, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, problems := Decode[thing](raw, "x")
		if problems != nil {
			return
		}
		written, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		again, problems := Decode[thing](written, "x")
		if problems != nil {
			t.Fatalf("%s became %s: %v", raw, written, problems)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(written) {
			t.Fatalf("%s became %s, then %s", raw, written, twice)
		}
	})
}
