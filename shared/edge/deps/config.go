package deps

import (
	"fmt"
	"strings"
)

// Config is what the deployment tells a function (template.yaml, Globals).
type Config struct {
	Name        string // of the inbox: the mail configuration set, the metrics' dimension
	InboxTable  string
	EventsTable string
	SecretARN   string // where INBOX_SECRET_KEY is, never the key itself
	PublicURL   string // origin without a trailing slash, "" to go by the host that was asked
	Bucket      string // of raw mail and attachments
	MailDomain  string // domain mail is sent from
	OwnerEmail  string
	Function    string // name of the function
}

// InboundDomain is the domain at which mail arrives (05 §5.1).
func (c Config) InboundDomain() string { return "in." + c.MailDomain }

// Configure reads the environment. The error names every variable that is
// missing.
func Configure(getenv func(string) string) (Config, error) {
	var missing []string
	need := func(name string) string {
		v := getenv(name)
		if v == "" {
			missing = append(missing, name)
		}
		return v
	}
	c := Config{
		Name:        need("INBOX_NAME"),
		InboxTable:  need("INBOX_TABLE"),
		EventsTable: need("INBOX_EVENTS_TABLE"),
		SecretARN:   need("INBOX_SECRET_ARN"),
		PublicURL:   strings.TrimSuffix(getenv("INBOX_PUBLIC_URL"), "/"),
		Bucket:      need("INBOX_BUCKET"),
		MailDomain:  need("INBOX_MAIL_DOMAIN"),
		OwnerEmail:  need("INBOX_OWNER_EMAIL"),
		Function:    getenv("AWS_LAMBDA_FUNCTION_NAME"),
	}
	if len(missing) > 0 {
		return Config{}, fmt.Errorf("deps: not set: %s", strings.Join(missing, ", "))
	}
	return c, nil
}
