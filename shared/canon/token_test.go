package canon

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestAccessToken(t *testing.T) {
	a := NewAccessToken(bytes.Repeat([]byte{0xfb}, TokenBytes))
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{32}$`).MatchString(a) {
		t.Errorf("%q", a)
	}
	if a == NewAccessToken(make([]byte, TokenBytes)) {
		t.Error("random bytes do not count")
	}
	defer func() {
		if recover() == nil {
			t.Error("took 23 bytes")
		}
	}()
	NewAccessToken(make([]byte, TokenBytes-1))
}

func TestHash(t *testing.T) {
	a, b := HashToken("a"), HashToken("b")
	if a != SHA256Hex([]byte("a")) {
		t.Errorf("%q is not the hex SHA-256", a)
	}
	for name, c := range map[string]struct {
		x, y string
		want bool
	}{
		"ok/equal": {a, a, true}, "fail/other": {a, b, false}, "fail/prefix": {a, a[:20], false},
		"fail/both empty": {"", "", false}, "fail/one empty": {a, "", false},
	} {
		if EqualHash(c.x, c.y) != c.want {
			t.Error(name)
		}
	}
}

func TestKeys(t *testing.T) {
	random := bytes.Repeat([]byte{1, 2, 3}, 8)
	for prefix, shape := range map[string]string{
		OwnerKeyPrefix: `^sdi_own_[A-Za-z0-9_-]{32}$`, AgentKeyPrefix: `^sdi_agent_[A-Za-z0-9_-]{32}$`,
	} {
		key := NewKey(prefix, random)
		if !regexp.MustCompile(shape).MatchString(key) || !IsKey(key) {
			t.Errorf("key %q", key)
		}
		if hint := KeyHint(key); hint != key[:12]+"…"+key[len(key)-4:] {
			t.Errorf("hint %q", hint)
		}
	}
	if IsKey("sdi_at_x") || IsKey("") || IsKey(" sdi_own_x") {
		t.Error("not keys")
	}
	if KeyHint("sdi_own_abc") != "…" {
		t.Error("the hint gives a short key away")
	}
}

func TestReplyToken(t *testing.T) {
	r := ring(t, newSecret+","+oldSecret)
	a := r.ReplyToken("01J0ITEM1")
	if !regexp.MustCompile(`^[a-z2-7]{26}$`).MatchString(a) {
		t.Errorf("%q", a)
	}
	if a != r.ReplyToken("01J0ITEM1") || a == r.ReplyToken("01J0ITEM2") || a == ring(t, oldSecret).ReplyToken("01J0ITEM1") {
		t.Error("one per item and newest key")
	}
	if (Ring{}).ReplyToken("x") != "" {
		t.Error("a token without a key")
	}
}

func TestMailMark(t *testing.T) {
	r := ring(t, oldSecret)
	mark := r.MailMark("01J0MAIL")
	if !regexp.MustCompile(`^01J0MAIL\.[A-Za-z0-9_-]{8}$`).MatchString(mark) {
		t.Fatalf("%q", mark)
	}
	rotated := ring(t, newSecret+","+oldSecret)
	for name, c := range map[string]struct {
		r    Ring
		mark string
		want bool
	}{
		"ok/ours": {r, mark, true}, "ok/folded header": {r, " " + mark + "\r\n", true}, "ok/older key": {rotated, mark, true},
		"fail/another id": {r, "01J0MAIM" + mark[8:], false}, "fail/another inbox": {ring(t, newSecret), mark, false},
		"fail/no dot": {r, "01J0MAIL", false}, "fail/empty": {r, "", false}, "fail/empty mac": {r, "01J0MAIL.", false},
		"fail/no base64": {r, "01J0MAIL.********", false}, "fail/no key": {Ring{}, mark, false},
	} {
		t.Run(name, func(t *testing.T) {
			id, ok := c.r.OwnMailID(c.mark)
			if ok != c.want || (ok && id != "01J0MAIL") {
				t.Errorf("got %q, %v", id, ok)
			}
		})
	}
	if (Ring{}).MailMark("x") != "" {
		t.Error("a mark without a key")
	}
}

func TestMaskSecrets(t *testing.T) {
	key := strings.Repeat("aB3_-", 6) + "xy"
	tests := map[string]struct {
		in, want string
		found    bool
	}{
		"ok/owner key":      {"use sdi_own_" + key + ", please", "use sdi_own_[hidden], please", true},
		"ok/agent key":      {"sdi_agent_" + key, "sdi_agent_[hidden]", true},
		"ok/access token":   {"(sdi_at_" + key + ")", "(sdi_at_[hidden])", true},
		"ok/refresh token":  {"sdi_rt_" + key, "sdi_rt_[hidden]", true},
		"ok/webhook secret": {"whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+a=" + ".", "whsec_[hidden].", true},
		"ok/two":            {"sdi_own_" + key + " sdi_at_" + key, "sdi_own_[hidden] sdi_at_[hidden]", true},
		"ok/glued to words": {"key:xsdi_own_" + key, "key:xsdi_own_[hidden]", true},
		"ok/no secret":      {"Is Tuesday free?", "Is Tuesday free?", false},
		"ok/talk of a key":  {"it starts with sdi_own_ I think", "it starts with sdi_own_ I think", false},
		"ok/cut":            {"sdi_own_abc…", "sdi_own_abc…", false},
		"ok/other prefix":   {"sdi_session_" + key, "sdi_session_" + key, false},
		"ok/empty":          {"", "", false},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			got, found := MaskSecrets(c.in)
			if got != c.want || found != c.found {
				t.Errorf("got %q, %v", got, found)
			}
		})
	}
}
