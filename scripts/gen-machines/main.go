// Command gen-machines writes docs/machines.md from the machines' data files.
// Run it from the root of the project: go run ./scripts/gen-machines
package main

import (
	"log"
	"os"
)

const page = "docs/machines.md"

func main() {
	if err := os.MkdirAll("docs", 0o755); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(page, render(), 0o644); err != nil {
		log.Fatal(err)
	}
}
