package inbox

import "bytes"

// Every answer of a write ends with `replayed`, so a replay differs from the
// stored answer in that alone (01 §12.3).
var (
	firstAnswer    = []byte(`"replayed":false}`)
	repeatedAnswer = []byte(`"replayed":true}`)
)

// MarkReplayed is a stored answer as a repeated request is told it.
func MarkReplayed(body []byte) []byte {
	head, ok := bytes.CutSuffix(body, firstAnswer)
	if !ok {
		return body
	}
	return append(bytes.Clone(head), repeatedAnswer...)
}
