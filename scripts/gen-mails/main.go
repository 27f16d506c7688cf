// Command gen-mails writes docs/mails.md, every mail in every language, from the
// tables of package words. Run it from the root of the project.
package main

import (
	"log"
	"os"
	"time"
	_ "time/tzdata"

	"typedinbox/shared/words"
)

func main() {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("docs/mails.md", []byte(words.Markdown(lisbon)), 0o644); err != nil {
		log.Fatal(err)
	}
}
