package store

import (
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// fill sets every field of a struct to something that is not zero.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Payload" {
				fill(v.Field(i), n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.String:
		v.SetString("text" + strings.Repeat("x", *n%7))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(1790845200000 + *n))
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("a field of kind " + v.Kind().String())
	}
}

// TestRecordKeepsEveryField: a field of the record that the row does not hold
// would be lost by the first write.
func TestRecordKeepsEveryField(t *testing.T) {
	full := func() inbox.Record {
		var r inbox.Record
		n := 0
		fill(reflect.ValueOf(&r).Elem(), &n)
		for i := range r.Claims {
			r.Claims[i].Kind, r.Claims[i].Resource = inbox.ClaimAsk, "service:S"
		}
		for i := range r.Payments {
			r.Payments[i].Amount.Currency = "EUR"
		}
		r.Item.Type = inbox.TypeBooking
		r.Item.Payload.Booking = &inbox.Booking{StartTime: 1790845200000, Notes: "quiet <please> & thank you"}
		r.AccessTokenHash, r.LastHash = canon.SHA256Hex([]byte("a")), canon.SHA256Hex([]byte("b"))
		return r
	}
	for name, change := range map[string]func(*inbox.Record){
		"everything": func(*inbox.Record) {},
		"nothing": func(r *inbox.Record) {
			*r = inbox.Record{Rev: 1, Item: inbox.Item{ID: "I", Type: inbox.TypeMessage, Payload: inbox.Payload{Message: &inbox.Message{Text: "x"}}}}
		},
		"real":            func(r *inbox.Record) { r.Item.Flags.Sandbox = false },
		"well":            func(r *inbox.Record) { r.MailFailed, r.Item.Flags.NeedsHuman = false, false },
		"closed":          func(r *inbox.Record) { r.DueAt, r.DueKind = nil, "" },
		"open":            func(r *inbox.Record) { r.Item.ClosedAt = nil },
		"other hash":      func(r *inbox.Record) { r.AccessTokenHash = "none" },
		"upper-case hash": func(r *inbox.Record) { r.AccessTokenHash = strings.ToUpper(r.AccessTokenHash) },
	} {
		want := full()
		change(&want)
		row, err := itemRow(&want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := recordOf(row)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, *got, want)
		}
	}
}

// TestLaterSchema: a row of a later release is not read, because a write would
// lose what this code does not know.
func TestLaterSchema(t *testing.T) {
	row, err := itemRow(&inbox.Record{Rev: 1, Item: inbox.Item{ID: "I", Type: inbox.TypeMessage, Payload: inbox.Payload{Message: &inbox.Message{}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range []any{int64(SchemaNumber + 1), int64(0), nil} {
		row[attrSchema] = schema
		if _, err := recordOf(row); err == nil {
			t.Errorf("schema %v was read", schema)
		}
	}
}
