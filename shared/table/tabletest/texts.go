package tabletest

import (
	"slices"
	"sort"
	"testing"

	"typedinbox/shared/table"
)

func keepsText(text string) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, table.Row{"v": text}))
		s.holds(t, k, with(k, table.Row{"v": text}))
		s.must(t, set(k, table.Row{"w": text}, table.Eq{Name: "v", Value: text}))
		s.holds(t, k, with(k, table.Row{"v": text, "w": text}))
	}
}

// collide are keys that a joined form must not confuse.
var collide = []table.Key{
	at("k", "a|b"), at("k|a", "b"), at("k", "a#b"), at("k#a", "b"), at("k", "a:b"), at("k:a", "b"),
	at("k", "a\x00b"), at("k\x00a", "b"), at("k\x00", "\x00b"), at("k", "\x00\x01b"), at("k\x00\x01", "b"), at("k\x00\xc3\xbf", "b"),
}

var texts = cases{
	"ok/empty string": {run: keepsText("")},
	"ok/nul":          {run: keepsText("a\x00b")},
	"ok/beyond ASCII": {run: keepsText("Olá, 東京 😀 \u2028")},
	"ok/quotes":       {run: keepsText(`"\'{}<>&`)},
	"ok/new lines":    {run: keepsText("a\r\nb\t")},
	"ok/bytes of all values": {run: func(t *testing.T, s *suite) {
		k, all := at(s.fresh(), "x"), make([]byte, 256)
		for i := range all {
			all[i] = byte(i)
		}
		s.must(t, put(k, table.Row{"b": all}))
		s.holds(t, k, with(k, table.Row{"b": all}))
	}},
	"ok/empty bytes": {needs: EmptyBytes, run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, table.Row{"b": []byte{}}))
		s.holds(t, k, with(k, table.Row{"b": []byte{}}))
	}},
	"ok/keys with separators do not collide": {run: func(t *testing.T, s *suite) {
		for i, k := range collide {
			s.must(t, put(k, table.Row{"i": int64(i)}))
		}
		for i, k := range collide {
			s.holds(t, k, with(k, table.Row{"i": int64(i)}))
		}
		rows, _ := s.all(t, table.Query{Table: Main, Partition: "k\x00a"})
		equal(t, "rows of one partition", values(rows, table.SortKey), []string{"b"})
	}},
	"ok/sort keys in the order of their bytes": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		keys := []string{"a", "B", "é", "z", "\uffff", "😀", "ab", "a#", "a\x00", "a\x00b", "a\x01", "0", "-1", "10", "2", " "}
		for _, k := range keys {
			s.must(t, put(at(p, k), nil))
		}
		sort.Strings(keys)
		rows, _ := s.all(t, table.Query{Table: Main, Partition: p})
		equal(t, "ascending", values(rows, table.SortKey), keys)
		rows, _ = s.all(t, table.Query{Table: Main, Partition: p, Desc: true, Limit: 3})
		slices.Reverse(keys)
		equal(t, "descending", values(rows, table.SortKey), keys)
	}},
}
