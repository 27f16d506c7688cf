package schema

import (
	"encoding/json"
	"reflect"
)

// Optional is a field of a change: left out, set to null, or set to a value
// (`stock: null` clears the stock, no stock at all keeps it). Its tag says
// nullable; without it null counts as left out. Write it with the json option
// omitzero, so that what was left out stays out.
type Optional[T any] struct {
	Set   bool // the field was there
	Null  bool // it was null
	Value T
}

// IsZero says that the field was left out.
func (o Optional[T]) IsZero() bool { return !o.Set }

// Or is the value, or another where there is none.
func (o Optional[T]) Or(other T) T {
	if o.Set && !o.Null {
		return o.Value
	}
	return other
}

// MarshalJSON writes the value, or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

func (o *Optional[T]) setNull() { *o = Optional[T]{Set: true, Null: true} }

// open readies the field for a value and answers where to put it.
func (o *Optional[T]) open() reflect.Value {
	*o = Optional[T]{Set: true}
	return reflect.ValueOf(&o.Value).Elem()
}

func (o Optional[T]) inner() reflect.Type { return reflect.TypeFor[T]() }

// optional is what the decoder knows of an Optional of any type.
type optional interface {
	setNull()
	open() reflect.Value
	inner() reflect.Type
}
