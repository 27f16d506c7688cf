package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"typedinbox/shared/canon"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table/dynamo"
)

// Names of what the run makes among the stand-ins.
const (
	inboxName   = "inbox"
	mailDomain  = "inbox.invalid"
	secretName  = "inbox/secret"
	bucketName  = "inbox-blobs"
	publicURL   = "https://book.example.com" // what mails lead to
	region      = "eu-west-1"
	inboxTable  = "inbox"
	eventsTable = "inbox-events"
)

// standIns starts scripts/awslocal and answers its address. It ends when its
// standard input does, at the latest with this process.
func standIns(root, dir string) (endpoint string, stop func(), err error) {
	program := filepath.Join(dir, "awslocal")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir, build.Stderr = filepath.Join(root, "scripts/awslocal"), os.Stderr
	if err := build.Run(); err != nil {
		return "", nil, fmt.Errorf("building the stand-ins: %w", err)
	}
	cmd := exec.Command(program)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { _ = in.Close(); _ = cmd.Wait() }
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("the stand-ins printed no address: %w", err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(line), stop, nil
}

// cloud is the account the run works in.
type cloud struct {
	endpoint string
	names    map[string]string // role → table
	secret   string            // its id
	bucket   string
	database *dynamodb.Client
	objects  *s3.Client
	store    *store.Store
}

// environment is what the template and Lambda give a function.
func (c *cloud) environment() map[string]string {
	return map[string]string{
		"AWS_REGION": region, "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_ENDPOINT_URL": c.endpoint,
		"INBOX_NAME": inboxName, "INBOX_TABLE": c.names["inbox"], "INBOX_EVENTS_TABLE": c.names["events"],
		"INBOX_SECRET_ARN": c.secret, "INBOX_BUCKET": c.bucket, "INBOX_PUBLIC_URL": publicURL, "INBOX_MAIL_DOMAIN": mailDomain, "INBOX_OWNER_EMAIL": "owner@" + mailDomain,
	}
}

// furnish makes tables, secret and sending identity. suffix keeps runs that
// share the stand-ins apart.
func furnish(ctx context.Context, endpoint, suffix string) (*cloud, error) {
	c := &cloud{endpoint: endpoint, names: map[string]string{"inbox": inboxTable + suffix, "events": eventsTable + suffix}, secret: secretName + suffix, bucket: bucketName + suffix}
	getenv := func(name string) string { return c.environment()[name] }
	c.database = dynamo.Client(getenv)
	if err := dynamo.CreateTables(ctx, c.database, c.names, store.Schema()); err != nil {
		return nil, err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	secret := base64.RawURLEncoding.EncodeToString(key)
	config := aws.Config{Region: region, BaseEndpoint: &endpoint, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
	})}
	_, err := secretsmanager.NewFromConfig(config).CreateSecret(ctx, &secretsmanager.CreateSecretInput{Name: &c.secret, SecretString: &secret})
	if err != nil {
		return nil, err
	}
	c.objects = s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := c.objects.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: &c.bucket}); err != nil {
		return nil, err
	}
	if err := sending(ctx, sesv2.NewFromConfig(config)); err != nil {
		return nil, err
	}
	ring, err := canon.NewRing(secret)
	c.store = store.New(dynamo.New(c.database, c.names, store.Schema()), ring)
	return c, err
}

// sending makes the configuration set and the identity; that they exist already
// is fine.
func sending(ctx context.Context, client *sesv2.Client) error {
	_, err := client.CreateEmailIdentity(ctx, &sesv2.CreateEmailIdentityInput{EmailIdentity: aws.String(mailDomain)})
	if err == nil || strings.Contains(err.Error(), "AlreadyExists") {
		_, err = client.CreateConfigurationSet(ctx, &sesv2.CreateConfigurationSetInput{ConfigurationSetName: aws.String(inboxName)})
	}
	if err != nil && !strings.Contains(err.Error(), "AlreadyExists") {
		return err
	}
	return nil
}

// ownerKey mints a key for the owner.
func (c *cloud) ownerKey(ctx context.Context) (string, error) {
	now := func() inbox.Instant { return inbox.InstantOf(time.Now()) }
	secret, _, err := identity.New(c.store, now).MintKey(ctx, identity.MintRequest{Kind: inbox.KeyOwner, Name: "run-lambda"}, inbox.NewSource(rand.Reader))
	return secret, err
}

// streamRecord is one change as the table's stream hands it over.
type streamRecord struct {
	EventID   string `json:"eventID"`
	EventName string `json:"eventName"`
	Change    struct {
		SequenceNumber string
		Keys, NewImage map[string]any
	} `json:"dynamodb"`
}

// readyJobs is the event the stream would hand to the outbox: the rows its
// filter lets through. Nil when there is none.
func (c *cloud) readyJobs(ctx context.Context) ([]byte, error) {
	out, err := c.database.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String(c.names["inbox"]), FilterExpression: aws.String("attribute_exists(ready)")})
	if err != nil || len(out.Items) == 0 {
		return nil, err
	}
	var event struct{ Records []streamRecord }
	for i, item := range out.Items {
		r := streamRecord{EventID: fmt.Sprint(i), EventName: "INSERT"}
		r.Change.SequenceNumber = fmt.Sprint(i + 1)
		if r.Change.NewImage, err = imageOf(item); err != nil {
			return nil, err
		}
		r.Change.Keys = map[string]any{"pk": r.Change.NewImage["pk"], "sk": r.Change.NewImage["sk"]}
		event.Records = append(event.Records, r)
	}
	return json.Marshal(event)
}

// imageOf writes a row as DynamoDB's JSON.
func imageOf(item map[string]types.AttributeValue) (map[string]any, error) {
	image := map[string]any{}
	for name, v := range item {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			image[name] = map[string]any{"S": v.Value}
		case *types.AttributeValueMemberN:
			image[name] = map[string]any{"N": v.Value}
		case *types.AttributeValueMemberBOOL:
			image[name] = map[string]any{"BOOL": v.Value}
		case *types.AttributeValueMemberB:
			image[name] = map[string]any{"B": v.Value}
		default:
			return nil, errors.New("a row holds a kind of value that rows do not have: " + name)
		}
	}
	return image, nil
}
