package settings

import "testing"

func TestSender(t *testing.T) {
	tests := map[string]struct {
		from, domain, want string
		ok                 bool
	}{
		"ok/none set":                 {"", "mail.example", "inbox@mail.example", true},
		"ok/set":                      {"hello@mail.example", "mail.example", "hello@mail.example", true},
		"ok/set, in capitals":         {"Hello@MAIL.example", "mail.Example", "Hello@MAIL.example", true},
		"ok/at an earlier domain":     {"hello@old.example", "mail.example", "inbox@mail.example", true},
		"ok/at a domain that ends so": {"hello@evilmail.example", "mail.example", "inbox@mail.example", true},
		"ok/below the domain":         {"hello@x.mail.example", "mail.example", "inbox@mail.example", true},
		"fail/no domain":              {"hello@mail.example", "", "", false},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			s := Defaults()
			s.Email.FromAddress = c.from
			if got, ok := s.Sender(c.domain); got != c.want || ok != c.ok {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}
