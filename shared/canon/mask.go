package canon

import (
	"regexp"
	"strings"
)

// secretShape matches a whole credential of ours inside a text (03 §9.1): API
// keys, OAuth tokens, webhook secrets. A prefix with a few letters behind it is
// talk about keys, not a key.
var secretShape = regexp.MustCompile(`(sdi_(?:own|agent|at|rt)_)[A-Za-z0-9_-]{16,}|(whsec_)[A-Za-z0-9+/_-]{16,}={0,2}`)

// Masked stands in a text in place of the secret part of a credential.
const Masked = "[hidden]"

// MaskSecrets replaces every credential of ours in a text that somebody sent by
// its prefix and [Masked], and says whether there was one (03 §9.1).
func MaskSecrets(text string) (masked string, found bool) {
	if !strings.Contains(text, "sdi_") && !strings.Contains(text, "whsec_") {
		return text, false
	}
	if !secretShape.MatchString(text) {
		return text, false
	}
	return secretShape.ReplaceAllString(text, "${1}${2}"+Masked), true
}
