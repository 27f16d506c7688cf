package settings

import (
	"maps"
	"reflect"
	"slices"
)

// Defaults are the settings of a fresh inbox (03 §11.2): every default, and the
// default network, switched off.
func Defaults() Settings {
	s := defaults
	s.Business.Languages = slices.Clone(s.Business.Languages)
	s.Identity.ExtraAuthorities = slices.Clone(s.Identity.ExtraAuthorities)
	s.Directory.Categories = slices.Clone(s.Directory.Categories)
	s.Negotiation.Rewards = maps.Clone(s.Negotiation.Rewards)
	s.Networks = map[string]Network{DefaultNetwork: offNetwork}
	return s
}

var defaults = func() (s Settings) {
	v := reflect.ValueOf(&s).Elem()
	for _, k := range keys {
		k.set(v, k.row.Default)
	}
	s.Negotiation.Rewards = readRewards(nil)
	return s
}()

// set puts a value read by [Row.read], or a default, in its field; nil leaves
// the field unset.
func (n *node) set(v reflect.Value, value any) {
	if value == nil || n.row.Kind == KindRewards && reflect.TypeOf(value) != reflect.TypeOf(readRewards(nil)) {
		return
	}
	f := v.FieldByIndex(n.index)
	x := reflect.ValueOf(value)
	if f.Kind() == reflect.Pointer && x.Kind() != reflect.Pointer {
		p := reflect.New(f.Type().Elem())
		p.Elem().Set(x.Convert(f.Type().Elem()))
		f.Set(p)
		return
	}
	f.Set(x.Convert(f.Type()))
}

// Effective reads a stored document: each key its stored value, or its default
// where nothing is stored or the stored value is not one the key takes
// (03 §11.1). Nothing stored, or no JSON object, is [Defaults].
func Effective(raw []byte) Settings {
	s := Defaults()
	doc, err := parse(raw)
	if err != nil {
		return s
	}
	root.readInto(reflect.ValueOf(&s).Elem(), doc)
	if len(s.Business.Languages) == 0 {
		s.Business.Languages = slices.Clone(defaults.Business.Languages)
	}
	s.Networks = effectiveNetworks(doc)
	return s
}

// readInto sets the keys of a section that are stored with a value they take.
func (n *node) readInto(v reflect.Value, stored map[string]any) {
	for name, value := range stored {
		c := n.child(name)
		switch {
		case c == nil || c.name == "networks":
		case c.row == nil:
			if section, ok := value.(map[string]any); ok {
				c.readInto(v, section)
			}
		default:
			if read, message := c.row.read(value); message == "" {
				c.set(v, read)
			}
		}
	}
}
