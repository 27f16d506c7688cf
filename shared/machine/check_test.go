package machine

import "testing"

func TestCheck(t *testing.T) {
	for _, err := range Check() {
		t.Error(err)
	}
}
