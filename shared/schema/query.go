package schema

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// DecodeQuery reads a query string into the fields of T that have a query tag
// and checks them by their in tags (03 §3): booleans are true, false, 1 or 0,
// whole numbers are coerced, a list is repeated or comma-separated, of a single
// value sent twice the last one counts. Parameters T does not name are dropped;
// fields with a path tag are the door's to fill. A parameter without a value is
// absent.
func DecodeQuery[T any](query url.Values) (T, []Problem) {
	var out T
	d := decoder{}
	v := reflect.ValueOf(&out).Elem()
	p := planOf(v.Type())
	for i := range p.fields {
		if f := &p.fields[i]; f.query != "" {
			d.push(f.query)
			d.parameter(f, query[f.query], v.FieldByIndex(f.index))
			d.pop()
		}
	}
	return out, d.problems
}

func (d *decoder) parameter(f *field, values []string, v reflect.Value) {
	values = slices.DeleteFunc(slices.Clone(values), func(s string) bool { return s == "" })
	switch {
	case len(values) > 0 && f.plan.kind == kindList:
		d.listParameter(f, values, v)
	case len(values) > 0:
		if message := setParameter(f.plan, &f.limits, values[len(values)-1], v); message != "" {
			d.invalid(message)
		}
	case f.required:
		d.problem(Missing, "is required")
	case f.hasFallback:
		setText(f.plan, f.fallback, v)
	}
}

func (d *decoder) listParameter(f *field, values []string, v reflect.Value) {
	parts := strings.Split(strings.Join(values, ","), ",")
	if !f.items.holds(float64(len(parts))) {
		d.invalid(f.items.message("must have", "entries"))
		return
	}
	list := reflect.MakeSlice(f.plan.typ, len(parts), len(parts))
	for i, part := range parts {
		if message := setParameter(f.plan.elem, &f.limits, part, list.Index(i)); message != "" {
			d.invalid(message)
			return
		}
	}
	v.Set(list)
}

// setParameter reads one value of a query string; the answer is the message of
// what is wrong.
func setParameter(p *plan, l *limits, text string, v reflect.Value) string {
	switch p.kind {
	case kindPointer:
		to := reflect.New(p.elem.typ)
		v.Set(to)
		return setParameter(p.elem, l, text, to.Elem())
	case kindOpaque:
		return setOpaque(text, v)
	case kindString:
		if !utf8.ValidString(text) {
			return errUTF8.Error()
		}
		if controls([]byte(text)) {
			return errControl.Error()
		}
		kept, message := l.checkString(text)
		v.SetString(kept)
		return message
	case kindBool:
		switch text {
		case "1":
			text = "true"
		case "0":
			text = "false"
		}
	}
	return setNumber(p.kind, l, text, v)
}

// setOpaque hands the text over as a JSON string. A plus sign that nobody
// escaped arrives as a space; no such value holds one, so it is put back.
func setOpaque(text string, v reflect.Value) string {
	quoted, err := json.Marshal(strings.ReplaceAll(text, " ", "+"))
	if err == nil {
		err = v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(quoted)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// setText sets a default. One that does not fit its field is a mistake in the
// program.
func setText(p *plan, text string, v reflect.Value) {
	if message := setParameter(p, &limits{}, text, v); message != "" {
		panic("schema: default " + text + " " + message)
	}
}
