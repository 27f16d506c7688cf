package inbox

// JSONSchema describes an instant as every door writes it; package schema asks.
func (Instant) JSONSchema() map[string]any {
	return map[string]any{"type": "string", "format": "date-time"}
}

// JSONSchema describes money (02 §0.1).
func (Money) JSONSchema() map[string]any {
	return map[string]any{
		"type":     "object",
		"required": []string{"value", "currency"},
		"properties": map[string]any{
			"value":    map[string]any{"type": "integer", "minimum": 0, "maximum": MaxMoney, "description": "minor units, such as cents"},
			"currency": map[string]any{"type": "string", "pattern": "^[A-Za-z]{3}$", "description": "ISO 4217, written in upper case"},
		},
	}
}

// JSONSchema describes the opening hours of a week (01 §10.2).
func (Week) JSONSchema() map[string]any {
	clock := map[string]any{"type": "string", "pattern": "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"}
	window := map[string]any{"type": "array", "minItems": 2, "maxItems": 2, "items": clock, "description": "opens, closes"}
	day := map[string]any{"type": "array", "minItems": 0, "maxItems": 6, "items": window}
	return map[string]any{"type": "object", "propertyNames": map[string]any{"enum": Weekdays}, "additionalProperties": day}
}

// JSONChoices lists what a payload is written as: exactly one of the five.
func (Payload) JSONChoices() []any {
	return []any{Booking{}, Order{}, QuoteRequest{}, Message{}, Refund{}}
}
