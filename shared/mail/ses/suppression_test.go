package ses

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
)

// listed is a client that keeps what it was asked to take off and answers one
// error.
type listed struct {
	asked string
	err   error
}

func (l *listed) DeleteSuppressedDestination(_ context.Context, in *sesv2.DeleteSuppressedDestinationInput, _ ...func(*sesv2.Options)) (*sesv2.DeleteSuppressedDestinationOutput, error) {
	l.asked = aws.ToString(in.EmailAddress)
	return &sesv2.DeleteSuppressedDestinationOutput{}, l.err
}

func TestUnsuppress(t *testing.T) {
	down := errors.New("no answer")
	for name, c := range map[string]struct{ says, want error }{
		"ok/taken off":   {nil, nil},
		"ok/not listed":  {&types.NotFoundException{}, nil},
		"fail/throttled": {&types.TooManyRequestsException{}, &types.TooManyRequestsException{}},
		"fail/no answer": {down, down},
	} {
		t.Run(name, func(t *testing.T) {
			l := &listed{err: c.says}
			err := Unsuppress(l)(t.Context(), "ana@example.com")
			if (err == nil) != (c.want == nil) || l.asked != "ana@example.com" {
				t.Errorf("asked %q, %v", l.asked, err)
			}
		})
	}
}
