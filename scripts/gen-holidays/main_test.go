package main

import (
	"bytes"
	"os"
	"testing"
)

// TestCurrent: the file in the tree is what the library gives today.
func TestCurrent(t *testing.T) {
	kept, err := os.ReadFile("../../" + output)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, generate()) {
		t.Errorf("%s is not what go run ./scripts/gen-holidays writes", output)
	}
}
