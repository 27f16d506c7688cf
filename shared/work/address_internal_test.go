package work

import "testing"

// TestFromName: the business's name in its order, then the public host, never
// the software's.
func TestFromName(t *testing.T) {
	for name, c := range map[string]struct{ from, business, public, want string }{
		"ok/the mails' own":  {"Lumen & Co", "Studio Lumen", "https://book.example.com", "Lumen & Co"},
		"ok/the business's":  {"", "Studio Lumen", "https://book.example.com", "Studio Lumen"},
		"ok/blanks are none": {" ", " ", "https://book.example.com", "book.example.com"},
		"ok/public host":     {"", "", "http://book.example.com:8787/x", "book.example.com"},
		"ok/nothing":         {"", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := &Worker{Config: Config{PublicURL: c.public}}
			f := &facts{}
			f.Settings.Email.FromName, f.Business.Name = c.from, c.business
			if got := w.fromName(f); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
