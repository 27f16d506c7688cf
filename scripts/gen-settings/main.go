// Command gen-settings writes docs/settings.md from the table of settings. Run
// it from the root of the project.
package main

import (
	"log"
	"os"

	"typedinbox/shared/settings"
)

func main() {
	if err := os.WriteFile("docs/settings.md", []byte(settings.Markdown()), 0o644); err != nil {
		log.Fatal(err)
	}
}
