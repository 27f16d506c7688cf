package ses

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
)

// SuppressionClient is the call by which the account's own list is told.
type SuppressionClient interface {
	DeleteSuppressedDestination(ctx context.Context, in *sesv2.DeleteSuppressedDestinationInput, opts ...func(*sesv2.Options)) (*sesv2.DeleteSuppressedDestinationOutput, error)
}

// Unsuppress takes addresses off the list that the service keeps of those that
// bounced (05 §4.9). One that is not on it is no error.
func Unsuppress(client SuppressionClient) func(ctx context.Context, address string) error {
	return func(ctx context.Context, address string) error {
		_, err := client.DeleteSuppressedDestination(ctx, &sesv2.DeleteSuppressedDestinationInput{EmailAddress: &address})
		var none *types.NotFoundException
		if errors.As(err, &none) {
			return nil
		}
		return err
	}
}
