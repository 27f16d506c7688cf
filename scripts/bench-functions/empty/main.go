// Command empty is a function that does nothing: what a start costs on a machine
// whatever the function is.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	lambda.Start(func(context.Context) error { return nil })
}
