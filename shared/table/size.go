package table

import "strconv"

// Size is what a row counts against [MaxRow], [MaxTransaction] and [MaxPage],
// in bytes, as DynamoDB counts: each attribute's name and value; a number one
// byte and one for every two significant digits; a bool one.
func Size(r Row) int {
	n := 0
	for name, v := range r {
		n += len(name) + valueSize(v)
	}
	return n
}

// WriteUnits is what writing a row of this size costs in a transaction: two
// units for each KB begun (08 §4).
func WriteUnits(size int) int { return 2 * max(1, (size+1023)/1024) }

func valueSize(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case int64:
		return numberSize(v)
	}
	return 1
}

func numberSize(v int64) int {
	if v == 0 {
		return 1
	}
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], v, 10)
	sign := 0
	if digits[0] == '-' {
		digits, sign = digits[1:], 1
	}
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return sign + 1 + (len(digits)+1)/2
}
