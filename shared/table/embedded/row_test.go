package embedded

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"

	"typedinbox/shared/table"
)

var rowSamples = []table.Row{
	{},
	{"s": "", "long": string(bytes.Repeat([]byte("x"), 300))},
	{"n": int64(0), "max": int64(math.MaxInt64), "min": int64(math.MinInt64), "neg": int64(-1), "63": int64(63), "64": int64(64)},
	{"t": true, "f": false, "b": []byte{}, "c": []byte{0, 1, 2}},
	{"é": "東京", "with space": "\x00"},
}

func keyed(r table.Row) table.Row {
	r = r.Clone()
	r[table.PartitionKey], r[table.SortKey] = "p", "s"
	return r
}

func TestRowRoundTrip(t *testing.T) {
	for _, r := range rowSamples {
		b, err := appendRow(nil, keyed(r))
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeRow("p", "s", b)
		if err != nil || !reflect.DeepEqual(got, keyed(r)) {
			t.Errorf("%v, %v; want %v", got, err, keyed(r))
		}
		for i := range b[:len(b)-1] { // every proper prefix is corrupt, or a row with fewer attributes
			if short, err := decodeRow("p", "s", b[:i]); err == nil && len(short) >= len(got) {
				t.Errorf("a cut row is whole: %v", short)
			}
		}
	}
}

func TestRowCorrupt(t *testing.T) {
	for name, b := range map[string][]byte{
		"fail/nothing":            {},
		"fail/other version":      {rowVersion + 1},
		"fail/name alone":         {rowVersion, 1, 'a'},
		"fail/name longer":        {rowVersion, 9, 'a', kindTrue},
		"fail/unknown kind":       {rowVersion, 1, 'a', 99},
		"fail/value longer":       {rowVersion, 1, 'a', kindString, 5, 'x'},
		"fail/number cut":         {rowVersion, 1, 'a', kindInt, 0x80},
		"fail/number too long":    append([]byte{rowVersion, 1, 'a', kindInt}, bytes.Repeat([]byte{0xff}, 11)...),
		"fail/attribute twice":    {rowVersion, 1, 'a', kindTrue, 1, 'a', kindTrue},
		"fail/length of 2^64 - 1": append([]byte{rowVersion}, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1),
	} {
		if r, err := decodeRow("p", "s", b); !errors.Is(err, errCorrupt) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	if _, err := appendRow(nil, table.Row{"a": 1}); err == nil {
		t.Error("an int was encoded")
	}
}

// A version-1 row is read as long as there are files with one.
func TestRowGolden(t *testing.T) {
	b := []byte("\x01" + "\x01s\x01\x04text" + "\x01n\x02\x0d" + "\x01f\x03" + "\x01t\x04" + "\x01b\x05\x02\x00\xff")
	want := table.Row{"pk": "p", "sk": "s", "s": "text", "n": int64(-7), "f": false, "t": true, "b": []byte{0, 255}}
	if got, err := decodeRow("p", "s", b); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// Whatever the bytes, decoding ends in a row that encodes to itself, or in
// errCorrupt.
func FuzzRow(f *testing.F) {
	for _, r := range rowSamples {
		b, err := appendRow(nil, r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeRow("p", "s", b)
		if err != nil {
			return
		}
		again, err := appendRow(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeRow("p", "s", again); err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%v became %v, %v", r, got, err)
		}
	})
}

// The bytes of keys are in the order of their texts, and give the texts back.
func FuzzKey(f *testing.F) {
	f.Add("a", "b", "a\x00", "b")
	f.Add("", "", "\x00\x01", "\x00\xff")
	f.Add("k|a", "b", "k", "a|b")
	f.Fuzz(func(t *testing.T, p1, s1, p2, s2 string) {
		a, b := entryKey(p1, s1, table.Key{Partition: p2, Sort: s2}), entryKey(p2, s2, table.Key{Partition: p1, Sort: s1})
		want := 0
		for _, pair := range [][2]string{{p1, p2}, {s1, s2}, {p2, p1}, {s2, s1}} {
			if want = compareText(pair[0], pair[1]); want != 0 {
				break
			}
		}
		if got := bytes.Compare(a, b); got != want {
			t.Fatalf("%q against %q is %d, want %d", a, b, got, want)
		}
		for _, text := range []string{p1, s1, p2} {
			var got string
			var err error
			if got, a, err = cutPart(a); err != nil || got != text {
				t.Fatalf("%q, %v; want %q", got, err, text)
			}
		}
		if string(a) != s2 {
			t.Fatalf("rest %q, want %q", a, s2)
		}
	})
}

func compareText(a, b string) int { return bytes.Compare([]byte(a), []byte(b)) }

func TestKeyCorrupt(t *testing.T) {
	for _, b := range []string{"", "a", "a\x00", "a\x00\x02b", "a\x00\xffb", "a\x00\xffb\x00"} {
		if s, _, err := cutPart([]byte(b)); !errors.Is(err, errKey) {
			t.Errorf("%q: %q, %v", b, s, err)
		}
	}
}
