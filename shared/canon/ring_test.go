package canon

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

func hexOf(b []byte) string { return hex.EncodeToString(b) }

const (
	oldSecret = "the-old-instance-secret-of-2026"
	newSecret = "the-new-instance-secret-of-2027"
)

func ring(t *testing.T, secrets string) Ring {
	t.Helper()
	r, err := NewRing(secrets)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func nonce(b byte) []byte { return bytes.Repeat([]byte{b}, NonceSize) }

func TestNewRing(t *testing.T) {
	tests := map[string]struct {
		in   string
		keys int
		fail bool
	}{
		"ok/none":                 {in: "", keys: 0},
		"ok/blanks":               {in: " , \n ,", keys: 0},
		"ok/one":                  {in: oldSecret, keys: 1},
		"ok/commas":               {in: newSecret + ", " + oldSecret, keys: 2},
		"ok/lines":                {in: newSecret + "\r\n" + oldSecret + "\n", keys: 2},
		"ok/shortest":             {in: strings.Repeat("x", MinSecret), keys: 1},
		"fail/too short":          {in: strings.Repeat("x", MinSecret-1), fail: true},
		"fail/second too short":   {in: newSecret + ",short", fail: true},
		"fail/short within space": {in: "  " + strings.Repeat("x", MinSecret-1) + "    ", fail: true},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := NewRing(c.in)
			if (err != nil) != c.fail {
				t.Fatal(err)
			}
			if c.fail && strings.Contains(err.Error(), "xxx") {
				t.Error("the error repeats the secret")
			}
			if len(r.secrets) != c.keys || r.Ready() != (c.keys > 0) {
				t.Errorf("%d keys, want %d", len(r.secrets), c.keys)
			}
		})
	}
}

func TestSeal(t *testing.T) {
	plain := []byte(`{"accessToken":"secret"}`)
	old, both, fresh := ring(t, oldSecret), ring(t, newSecret+","+oldSecret), ring(t, newSecret)
	sealed, err := old.Seal(SealAnswer, "row-1", plain, nonce(7))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(sealed, "v1."+base64.RawURLEncoding.EncodeToString(nonce(7))+".") || strings.Contains(sealed, "secret") {
		t.Errorf("form %s", sealed)
	}
	newer, err := both.Seal(SealAnswer, "row-1", plain, nonce(8))
	if err != nil {
		t.Fatal(err)
	}
	flipped := []byte(sealed)
	flipped[len(flipped)-2] ^= 1
	tests := map[string]struct {
		ring    Ring
		purpose Purpose
		row     string
		sealed  string
		fail    bool
	}{
		"ok/same ring":           {old, SealAnswer, "row-1", sealed, false},
		"ok/after rotation":      {both, SealAnswer, "row-1", sealed, false},
		"ok/newest key seals":    {fresh, SealAnswer, "row-1", newer, false},
		"fail/old key only":      {old, SealAnswer, "row-1", newer, true},
		"fail/key gone":          {fresh, SealAnswer, "row-1", sealed, true},
		"fail/another row":       {old, SealAnswer, "row-2", sealed, true},
		"fail/another purpose":   {old, SealPepper, "row-1", sealed, true},
		"fail/a byte changed":    {old, SealAnswer, "row-1", string(flipped), true},
		"fail/cut":               {old, SealAnswer, "row-1", sealed[:30], true},
		"fail/empty":             {old, SealAnswer, "row-1", "", true},
		"fail/another version":   {old, SealAnswer, "row-1", "v2" + sealed[2:], true},
		"fail/nonce too short":   {old, SealAnswer, "row-1", "v1.AAAA.AAAA", true},
		"fail/not base64":        {old, SealAnswer, "row-1", "v1.****.****", true},
		"fail/plain text stored": {old, SealAnswer, "row-1", string(plain), true},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := c.ring.Open(c.purpose, c.row, c.sealed)
			if c.fail {
				if !errors.Is(err, ErrSealed) || got != nil {
					t.Errorf("opened %q, %v", got, err)
				}
				return
			}
			if err != nil || !bytes.Equal(got, plain) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestSealRefuses(t *testing.T) {
	if _, err := (Ring{}).Seal(SealAnswer, "r", nil, nonce(1)); !errors.Is(err, ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	if _, err := (Ring{}).Open(SealAnswer, "r", "v1.a.b"); !errors.Is(err, ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	if _, err := ring(t, oldSecret).Seal(SealAnswer, "r", nil, []byte("short")); err == nil {
		t.Error("took a short nonce")
	}
}

// The vector of 04 §1.9 proves the form of the labels and the key length of
// MACs: its label is no row yet, so it is derived here beside the table.
func TestDerivation(t *testing.T) {
	saved := labels
	defer func() { labels = saved }()
	labels = append(labels[:len(labels):len(labels)], label{"mac/receipt-subject", 64, 32})
	r := ring(t, "instance-a-secret")
	got := base64.RawURLEncoding.EncodeToString(r.MAC("mac/receipt-subject", []byte("email:rita@example.com")))
	if got != "0wWorHT-zGDpWTirCnd5ixnX05zWga0OGKCyrQ6VfB0" {
		t.Errorf("got %s", got)
	}
}

func TestLabels(t *testing.T) {
	seen := map[Purpose]bool{}
	for _, l := range labels {
		if seen[l.purpose] {
			t.Errorf("%s twice", l.purpose)
		}
		seen[l.purpose] = true
		isMAC := strings.HasPrefix(string(l.purpose), "mac/")
		if isMAC != (l.mac > 0) || (isMAC && l.key != 64) || (!isMAC && l.key != 32) {
			t.Errorf("%+v: MACs have 64-byte keys and are named mac/, boxes have 32", l)
		}
	}
}

func TestVerify(t *testing.T) {
	old, both, fresh := ring(t, oldSecret), ring(t, newSecret+","+oldSecret), ring(t, newSecret)
	data := []byte("01J0MAIL")
	mac := old.MAC(OwnMail, data)
	tests := map[string]struct {
		ring Ring
		p    Purpose
		data string
		mac  []byte
		want bool
	}{
		"ok/same key":          {old, OwnMail, "01J0MAIL", mac, true},
		"ok/older key":         {both, OwnMail, "01J0MAIL", mac, true},
		"ok/newest key":        {fresh, OwnMail, "01J0MAIL", both.MAC(OwnMail, data), true},
		"fail/key gone":        {fresh, OwnMail, "01J0MAIL", mac, false},
		"fail/other data":      {old, OwnMail, "01J0MAIM", mac, false},
		"fail/other purpose":   {old, ReplyAddress, "01J0MAIL", mac, false},
		"fail/shortened":       {old, OwnMail, "01J0MAIL", mac[:4], false},
		"fail/empty":           {old, OwnMail, "01J0MAIL", nil, false},
		"fail/no key at all":   {Ring{}, OwnMail, "01J0MAIL", mac, false},
		"fail/nil without key": {Ring{}, OwnMail, "01J0MAIL", nil, false},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			if got := c.ring.Verify(c.p, []byte(c.data), c.mac); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
