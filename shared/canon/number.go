package canon

import (
	"errors"
	"math"
	"strconv"
)

// number writes the number at the cursor as ECMAScript prints the nearest
// double (RFC 8785 §3.2.2.3). Whole numbers up to 2^53 are the same in both.
func (w *writer) number() error {
	start := w.pos
	for w.pos < len(w.in) && isNumberByte(w.in[w.pos]) {
		w.pos++
	}
	digits := w.in[start:w.pos]
	if plainInteger(digits) {
		w.out = append(w.out, digits...)
		return nil
	}
	f, err := strconv.ParseFloat(string(digits), 64)
	if err != nil {
		return errors.New("a number no double can hold")
	}
	w.out = appendNumber(w.out, f)
	return nil
}

func isNumberByte(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// plainInteger: up to 15 digits, so exact as a double and printed unchanged;
// "-0" is not one, it is printed "0".
func plainInteger(s []byte) bool {
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
		if len(s) > 0 && s[0] == '0' {
			return false
		}
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 15
}

// appendNumber is Number.prototype.toString of ECMAScript for finite values.
func appendNumber(out []byte, f float64) []byte {
	if f == 0 {
		return append(out, '0')
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	start := len(out)
	out = strconv.AppendFloat(out, f, 'e', -1, 64)
	// Go pads the exponent to two digits, ECMAScript does not.
	for i := len(out) - 3; i > start; i-- {
		if (out[i] == '-' || out[i] == '+') && out[i-1] == 'e' && out[i+1] == '0' {
			return append(out[:i+1], out[i+2:]...)
		}
	}
	return out
}
