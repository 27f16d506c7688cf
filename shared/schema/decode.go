package schema

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
)

// Decode reads one JSON object into a T and checks it by T's tags. The path of
// every problem starts with prefix ("" for none). With problems the value is
// incomplete and must not be used. It never fails in another way: bytes that
// do not pass [Check] are one problem at the prefix.
func Decode[T any](raw []byte, prefix string) (T, []Problem) {
	return DecodeOf[T](raw, prefix, false)
}

// DecodeOf is [Decode] of what a customer sent, or the business: of a customer,
// fields that only the business writes are dropped whatever they hold (03 §6.2).
func DecodeOf[T any](raw []byte, prefix string, customer bool) (T, []Problem) {
	var out T
	if err := Check(raw); err != nil {
		return out, []Problem{{prefix, Invalid, err.Error()}}
	}
	d := decoder{cursor: cursor{in: raw}, path: path{prefix: prefix}, customer: customer}
	d.value(planOf(reflect.TypeFor[T]()), &limits{required: true}, reflect.ValueOf(&out).Elem())
	return out, d.problems
}

// decoder fills values from the cursor and collects problems.
type decoder struct {
	cursor
	path
	customer bool // who sent it is a customer
	problems []Problem
}

func (d *decoder) problem(fault, message string) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, Problem{d.path.String(), fault, message})
	}
}

func (d *decoder) invalid(message string) { d.problem(Invalid, message) }

// value reads the value at the cursor, which is not null unless the limits say
// so, into v.
func (d *decoder) value(p *plan, l *limits, v reflect.Value) {
	first := d.space()
	switch p.kind {
	case kindPointer:
		to := reflect.New(p.elem.typ)
		d.value(p.elem, l, to.Elem())
		v.Set(to)
	case kindOptional:
		o := v.Addr().Interface().(optional)
		if d.isNull() {
			o.setNull()
			return
		}
		d.value(p.elem, l, o.open())
	case kindOpaque:
		if err := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(d.skip()); err != nil {
			d.fault(err)
		}
	case kindRaw:
		d.raw(l, v, first)
	case kindStruct:
		d.object(p, v, first)
	case kindList:
		d.list(p, l, v, first)
	case kindArray:
		d.array(p, l, v, first)
	case kindMap:
		d.entries(p, l, v, first)
	default:
		d.scalar(p.kind, l, v, first)
	}
}

// located is an error of an UnmarshalJSON that knows which part is at fault.
type located interface {
	error
	// Where names the part below the value, and whether it is missing.
	Where() (name string, missing bool)
}

func (d *decoder) fault(err error) {
	var at located
	if !errors.As(err, &at) {
		d.invalid(err.Error())
		return
	}
	name, missing := at.Where()
	d.push(name)
	if missing {
		d.problem(Missing, err.Error())
	} else {
		d.invalid(err.Error())
	}
	d.pop()
}

// object reads a struct: first where each field's last value stands, then the
// fields in the order of the struct, so problems come in a fixed order.
func (d *decoder) object(p *plan, v reflect.Value, first byte) {
	if first != '{' {
		d.skip()
		d.invalid("must be an object")
		return
	}
	var few [40]int // offsets + 1 of the values
	at := few[:]
	if len(p.fields) > len(few) {
		at = make([]int, len(p.fields))
	}
	for ok := d.next('}'); ok; ok = d.more('}') {
		key, _ := d.unquote()
		d.space()
		d.pos++ // the colon
		d.space()
		if i, known := p.byName[string(key)]; known {
			at[i] = d.pos + 1
		}
		d.skip()
	}
	end := d.pos
	for i := range p.fields {
		d.field(&p.fields[i], at[i], v)
	}
	d.pos = end
}

// field reads one field of a struct; at is 0 for an absent one.
func (d *decoder) field(f *field, at int, v reflect.Value) {
	if f.out || f.name == "-" || f.business && d.customer {
		return
	}
	d.push(f.name)
	defer d.pop()
	if at > 0 {
		d.pos = at - 1
		if f.nullable && f.plan.kind == kindPointer && d.isNull() {
			return
		}
		keepsNull := f.any || (f.nullable && f.plan.kind == kindOptional)
		if keepsNull || !d.isNull() {
			d.value(f.plan, &f.limits, v.FieldByIndex(f.index))
			return
		}
	}
	switch {
	case f.required:
		d.problem(Missing, "is required")
	case f.hasFallback:
		setText(f.plan, f.fallback, v.FieldByIndex(f.index))
	}
}

func (d *decoder) list(p *plan, l *limits, v reflect.Value, first byte) {
	n, ok := d.length(first, l.items)
	if !ok {
		return
	}
	list := reflect.MakeSlice(p.typ, n, n)
	d.elements(p, l, list)
	v.Set(list)
}

// array reads a list of a fixed length.
func (d *decoder) array(p *plan, l *limits, v reflect.Value, first byte) {
	n := float64(v.Len())
	if _, ok := d.length(first, bounds{set: true, min: n, max: n}); ok {
		d.elements(p, l, v)
	}
}

// length is how many entries the list at the cursor has; false, and past it,
// when it is none or has too few or too many.
func (d *decoder) length(first byte, b bounds) (int, bool) {
	if first != '[' {
		d.skip()
		d.invalid("must be a list")
		return 0, false
	}
	n := d.count()
	if !b.holds(float64(n)) {
		d.skip()
		d.invalid(b.message("must have", "entries"))
		return 0, false
	}
	return n, true
}

func (d *decoder) elements(p *plan, l *limits, list reflect.Value) {
	ok := d.next(']')
	for i := 0; ok; i++ {
		d.at(i)
		if d.isNull() {
			d.problem(Missing, "is required")
		} else {
			d.value(p.elem, l, list.Index(i))
		}
		d.pop()
		ok = d.more(']')
	}
}

// count counts the entries of the list at the cursor without moving.
func (d *decoder) count() int {
	c := d.cursor
	n := 0
	for ok := c.next(']'); ok; ok = c.more(']') {
		c.skip()
		n++
	}
	return n
}

func (d *decoder) entries(p *plan, l *limits, v reflect.Value, first byte) {
	if first != '{' {
		d.skip()
		d.invalid("must be an object")
		return
	}
	m := reflect.MakeMap(p.typ)
	for ok := d.next('}'); ok; ok = d.more('}') {
		key, err := d.unquote()
		d.space()
		d.pos++ // the colon
		d.push(string(key))
		if err != nil || controls(key) {
			d.skip()
			d.invalid("the name " + errControl.Error())
		} else if !d.isNull() {
			e := reflect.New(p.elem.typ).Elem()
			d.value(p.elem, l, e)
			m.SetMapIndex(reflect.ValueOf(string(key)).Convert(p.typ.Key()), e)
		}
		d.pop()
	}
	if !l.items.holds(float64(m.Len())) {
		d.invalid(l.items.message("must have", "entries"))
	}
	v.Set(m)
}

// raw keeps JSON as it came, its strings checked like any other.
func (d *decoder) raw(l *limits, v reflect.Value, first byte) {
	at := d.cursor
	value := d.skip()
	if l.object && first != '{' {
		d.invalid("must be an object")
		return
	}
	end, found := d.cursor, len(d.problems)
	d.cursor = at
	d.checkStrings()
	d.cursor = end
	if len(d.problems) == found {
		v.SetBytes(append([]byte(nil), value...))
	}
}

// checkStrings judges every string and name of the value at the cursor and
// names each fault by its own path.
func (d *decoder) checkStrings() {
	switch d.space() {
	case '{':
		for ok := d.next('}'); ok; ok = d.more('}') {
			key, err := d.unquote()
			d.space()
			d.pos++ // the colon
			d.push(string(key))
			d.judge(key, err, "the name ")
			d.checkStrings()
			d.pop()
		}
	case '[':
		ok := d.next(']')
		for i := 0; ok; i++ {
			d.at(i)
			d.checkStrings()
			d.pop()
			ok = d.more(']')
		}
	case '"':
		s, err := d.unquote()
		d.judge(s, err, "")
	default:
		d.skip()
	}
}

// judge notes what no string may hold.
func (d *decoder) judge(s []byte, err error, what string) {
	if err == nil && controls(s) {
		err = errControl
	}
	if err != nil {
		d.invalid(what + err.Error())
	}
}

func (d *decoder) scalar(k kind, l *limits, v reflect.Value, first byte) {
	switch {
	case k == kindString && first == '"':
		s, err := d.unquote()
		switch {
		case err != nil:
			d.invalid(err.Error())
		case controls(s):
			d.invalid(errControl.Error())
		default:
			kept, message := l.checkString(string(s))
			if message != "" {
				d.invalid(message)
			}
			v.SetString(kept)
		}
		return
	case k == kindString:
		d.skip()
		d.invalid("must be a string")
		return
	}
	text := d.skip()
	if message := setNumber(k, l, string(text), v); message != "" {
		d.invalid(message)
	}
}

// setNumber reads a boolean or a number as JSON writes it; the answer is the
// message of what is wrong.
func setNumber(k kind, l *limits, text string, v reflect.Value) string {
	switch k {
	case kindBool:
		if text != "true" && text != "false" {
			return "must be true or false"
		}
		v.SetBool(text == "true")
	case kindInt:
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case !isInteger(text):
			return "must be a whole number"
		case err != nil || n > maxInt || n < -maxInt || v.OverflowInt(n):
			return "must be a whole number no larger than 9007199254740991"
		case !l.num.holds(float64(n)):
			return l.num.message("must be", "")
		}
		v.SetInt(n)
	case kindFloat:
		n, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || strings.Trim(text, "0123456789+-.eE") != "":
			return "must be a number"
		case !l.num.holds(n):
			return l.num.message("must be", "")
		}
		v.SetFloat(n)
	}
	return ""
}

func isInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}
