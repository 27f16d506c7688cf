// Command mint-key makes an API key for a deployed inbox and prints it once. It
// works with the operator's own AWS credentials: it finds the tables among the
// stack's outputs and writes the key through the store (09).
//
//	go run ./scripts/mint-key --stack inbox --kind owner
//	go run ./scripts/mint-key --stack inbox --kind integration --name website --scopes inbox:read,events:read
//	go run ./scripts/mint-key --stack inbox --kind agent --party 01K6… --expires 2027-01-01T00:00:00Z
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"typedinbox/shared/canon"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
)

func main() {
	err := mint(context.Background(), os.Args[1:], os.Stdout, os.Stderr, account{})
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mint-key:", err)
		os.Exit(1)
	}
}

// cloud is what a key needs of an AWS account.
type cloud interface {
	// outputs of a stack, by name.
	outputs(ctx context.Context, stack string) (map[string]string, error)
	// open gives the database with the tables of these names, by role.
	open(ctx context.Context, tables map[string]string) (table.Database, error)
}

// asked reads the command line.
func asked(args []string, usage io.Writer, now inbox.Instant) (stack string, r identity.MintRequest, err error) {
	f := flag.NewFlagSet("mint-key", flag.ContinueOnError)
	f.SetOutput(usage)
	f.StringVar(&stack, "stack", "", "name of the stack (required)")
	kind := f.String("kind", "owner", "owner, integration or agent")
	f.StringVar(&r.Name, "name", "", "what the owner reads of the key")
	scopes := f.String("scopes", "", "an integration key's scopes, with commas")
	f.StringVar(&r.PartyID, "party", "", "an agent key's customer")
	expires := f.String("expires", "", "when it ends, such as 2027-01-01T00:00:00Z; never when empty")
	if err := f.Parse(args); err != nil {
		return "", r, err
	}
	if stack == "" || f.NArg() > 0 {
		return "", r, errors.New("--stack NAME is required, and nothing stands beside the flags")
	}
	r.Kind, r.CreatedBy = inbox.KeyKind(*kind), "operator"
	for s := range strings.SplitSeq(*scopes, ",") {
		if s = strings.TrimSpace(s); s != "" {
			r.Scopes = append(r.Scopes, inbox.Scope(s))
		}
	}
	if *expires != "" {
		at, err := inbox.ParseInstant(*expires)
		if err != nil {
			return "", r, fmt.Errorf("--expires %w", err)
		}
		if at <= now {
			return "", r, errors.New("--expires is in the past")
		}
		r.ExpiresAt = &at
	}
	return stack, r, nil
}

// mint makes the key and prints the secret on out, and what it is beside it.
func mint(ctx context.Context, args []string, out, notes io.Writer, c cloud) error {
	now := func() inbox.Instant { return inbox.InstantOf(time.Now()) }
	stack, request, err := asked(args, notes, now())
	if err != nil {
		return err
	}
	found, err := c.outputs(ctx, stack)
	if err != nil {
		return err
	}
	tables := map[string]string{"inbox": found["InboxTable"], "events": found["EventsTable"]}
	if tables["inbox"] == "" || tables["events"] == "" {
		return fmt.Errorf("stack %s has no outputs InboxTable and EventsTable: is it an inbox?", stack)
	}
	db, err := c.open(ctx, tables)
	if err != nil {
		return err
	}
	keys := identity.New(store.New(db, canon.Ring{}), now)
	secret, key, err := keys.MintKey(ctx, request, inbox.NewSource(rand.Reader))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(notes, "%s key %s (%s). It is shown this once; keep it in a safe place.\n", key.Kind, key.ID, key.Name); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, secret)
	return err
}

// account is the operator's AWS account, as their environment and files name it.
type account struct{}

func (account) outputs(ctx context.Context, stack string) (map[string]string, error) {
	c, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := cloudformation.NewFromConfig(c).DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, s := range answer.Stacks {
		for _, o := range s.Outputs {
			found[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
		}
	}
	return found, nil
}

func (account) open(ctx context.Context, tables map[string]string) (table.Database, error) {
	c, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	return dynamo.New(dynamodb.NewFromConfig(c), tables, store.Schema()), nil
}
