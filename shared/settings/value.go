package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the runtime image has no zone files (08 §6)
	"unicode/utf8"

	"typedinbox/shared/schema"
)

// read checks one JSON value against a row and answers it in the type of the
// effective setting; else what is wrong with it.
func (r *Row) read(v any) (any, string) {
	switch r.Kind {
	case KindBool:
		if b, ok := v.(bool); ok {
			return b, ""
		}
		return nil, "must be true or false"
	case KindInt:
		return r.readInt(v)
	case KindNumber:
		return r.readNumber(v)
	case KindList, KindHosts:
		return r.readList(v)
	case KindGeo:
		return readGeo(v)
	case KindRewards:
		if m, ok := v.(map[string]any); ok {
			return readRewards(m), ""
		}
		return nil, "must be an object"
	case KindVersion:
		return 1, ""
	}
	s, ok := v.(string)
	if !ok {
		return nil, "must be a string"
	}
	return r.readText(s)
}

func (r *Row) readInt(v any) (any, string) {
	number, ok := v.(json.Number)
	if !ok {
		return nil, "must be a whole number"
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil && strings.Trim(number.String(), "-0123456789") != "" {
		return nil, "must be a whole number"
	}
	if err != nil || n < r.Min || n > r.Max {
		return nil, fmt.Sprintf("must be %d to %d", r.Min, r.Max)
	}
	return n, ""
}

func (r *Row) readNumber(v any) (any, string) {
	number, ok := v.(json.Number)
	if !ok {
		return nil, "must be a number"
	}
	f, err := number.Float64()
	if err != nil || f < float64(r.Min) || f > float64(r.Max) {
		return nil, fmt.Sprintf("must be %d to %d", r.Min, r.Max)
	}
	return f, ""
}

// patterns of texts.
var (
	zoneShape     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$`)
	countryShape  = regexp.MustCompile(`^[A-Z]{2}$`)
	languageShape = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
	hostShape     = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)
)

func (r *Row) readText(s string) (any, string) {
	if s == "" && r.Blank {
		return s, ""
	}
	if !clean(s) {
		return nil, "must be text without control characters"
	}
	switch r.Kind {
	case KindText:
		if n := utf8.RuneCountInString(s); n < int(r.Min) || n > int(r.Max) {
			return nil, r.lengthMessage()
		}
	case KindOption:
		if !slices.Contains(r.Options, s) {
			return nil, "must be one of " + strings.Join(r.Options, ", ")
		}
	case KindZone:
		if len(s) > int(r.Max) || !zoneShape.MatchString(s) || s == "Local" {
			return nil, "must be the IANA name of a time zone, such as Europe/Lisbon"
		}
	case KindCurrency:
		if !schema.IsCurrency(s) {
			return nil, "must be the three letters of a currency"
		}
		s = strings.ToUpper(s)
	case KindCountry:
		if s != "" && !countryShape.MatchString(s) {
			return nil, "must be the two capital letters of a country, or empty"
		}
	case KindEmail:
		if !schema.IsEmail(s) {
			return nil, "must be an e-mail address such as name@example.com"
		}
	case KindURL:
		if !schema.IsURL(s, int(r.Max)) {
			return nil, fmt.Sprintf("must be an absolute http or https address of at most %d characters", r.Max)
		}
	case KindContact:
		if !schema.IsEmail(s) && !(strings.HasPrefix(s, "https://") && schema.IsURL(s, 2000)) {
			return nil, "must be an e-mail address or an https address"
		}
	}
	return s, ""
}

func (r *Row) lengthMessage() string {
	if r.Min == 0 {
		return fmt.Sprintf("must have at most %d characters", r.Max)
	}
	return fmt.Sprintf("must have %d to %d characters", r.Min, r.Max)
}

// clean: no control characters but tab and line breaks. Half a surrogate pair
// and bytes that are no UTF-8 arrive as U+FFFD and are refused too.
func clean(s string) bool {
	for _, c := range s {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == utf8.RuneError {
			return false
		}
	}
	return true
}

func (r *Row) readList(v any) (any, string) {
	list, ok := v.([]any)
	if !ok {
		return nil, "must be a list"
	}
	if len(list) > r.Items {
		return nil, fmt.Sprintf("must have at most %d entries", r.Items)
	}
	out := make([]string, len(list))
	for i, e := range list {
		s, ok := e.(string)
		switch {
		case !ok:
			return nil, fmt.Sprintf("entry %d must be a string", i)
		case r.Kind == KindHosts && !isHost(s):
			return nil, fmt.Sprintf("entry %d must be a host, with a port or without", i)
		case r.Kind == KindList && (s == "" || utf8.RuneCountInString(s) > int(r.Max) || !clean(s)):
			return nil, fmt.Sprintf("entry %d must have 1 to %d characters", i, r.Max)
		case r.Path == "business.languages" && !languageShape.MatchString(s):
			return nil, fmt.Sprintf("entry %d must be the code of a language, such as en", i)
		}
		out[i] = s
	}
	return out, ""
}

func isHost(s string) bool {
	if host, port, err := net.SplitHostPort(s); err == nil {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 {
			return false
		}
		s = host
	}
	return len(s) <= 253 && hostShape.MatchString(s)
}

func readGeo(v any) (any, string) {
	const message = "must be {latitude: -90 to 90, longitude: -180 to 180}"
	m, ok := v.(map[string]any)
	if !ok {
		return nil, message
	}
	lat, err := degrees(m["latitude"], 90)
	long, err2 := degrees(m["longitude"], 180)
	if err || err2 {
		return nil, message
	}
	return &Geo{Latitude: lat, Longitude: long}, ""
}

func degrees(v any, most float64) (f float64, bad bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, true
	}
	f, err := n.Float64()
	return f, err != nil || f < -most || f > most
}

// readRewards keeps the entries that are objects, as they are written.
func readRewards(m map[string]any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if entry, ok := m[name].(map[string]any); ok {
			if b, err := json.Marshal(entry); err == nil {
				out[name] = b
			}
		}
	}
	return out
}

// strict checks what only a write has to hold: a zone must exist. Reading does
// not look zones up, a stored one was checked when it was written.
func (r *Row) strict(v any) (any, string) {
	value, message := r.read(v)
	if message == "" && r.Kind == KindZone {
		if _, err := time.LoadLocation(v.(string)); err != nil {
			return nil, "must be the IANA name of a time zone, such as Europe/Lisbon"
		}
	}
	return value, message
}
