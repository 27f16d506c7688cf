package operation

import (
	"reflect"
	"strings"

	"typedinbox/shared/inbox"
)

// Auth says who may call an operation (03 §5, column Auth).
type Auth string

// The kinds of door.
const (
	Public Auth = "public" // anyone
	Token  Auth = "token"  // who holds the item's access token, or an agent key of its party
	Owner  Auth = "owner"  // a credential of the business's that holds one of the scopes
	Page   Auth = "page"   // a page for people: anyone, or who holds the link that leads to it
	Secret Auth = "secret" // who knows the secret that the settings hold for this door
)

// Hint is the annotation code of an operation as a tool (03 §8).
type Hint string

// The annotation codes.
const (
	NoTool      Hint = ""   // no tool: an operation of the system, or REST only
	Read        Hint = "R"  // changes nothing
	Write       Hint = "W"  // changes something, safe to repeat
	Destroy     Hint = "D"  // takes something away, safe to repeat
	Once        Hint = "N"  // not safe to repeat
	OnceDestroy Hint = "ND" // takes something away, not safe to repeat
)

// Cache-Control values (03 §3).
const (
	NoStore      = "no-store"
	CacheMinute  = "public, max-age=60"
	CacheMinutes = "public, max-age=300"
	CacheFront   = "private, max-age=60"
)

// Largest bodies, in bytes (03 §3): of any request but those of the other two,
// of a form of a page, and of raw mail.
const (
	MaxBody = 1 << 20
	MaxForm = 64 << 10
	MaxMail = 4 << 20
)

// Media types of bodies.
const (
	JSON = "application/json"
	HTML = "text/html; charset=utf-8"
	Form = "application/x-www-form-urlencoded"
	Mail = "message/rfc822"
)

// Fallback is the route key that takes whatever no other route takes, and
// FallbackFunction the function behind it (03 §5.5).
const (
	Fallback         = "$default"
	FallbackFunction = "discovery"
)

// Output is one successful answer: its status and what stands in the body. Types
// lists the alternatives: a customer and an owner-side caller may be told
// differently. Media is "" for JSON, and for a redirect, which has no body.
type Output struct {
	Status int
	Types  []reflect.Type
	Media  string
}

// Op is one operation at one door.
type Op struct {
	ID       string // unique; the operationId of the OpenAPI document
	Name     string // of 03 §5; the same at REST and MCP, shared by the routes of one capability
	Method   string
	Paths    []string // patterns as the HTTP API and net/http write them
	Function string   // the folder of the function that serves it (03 §5.5)
	Auth     Auth
	// Scopes: an owner-side credential holds any one of them. At the owner's
	// door an empty list counts as "*"; at the others it means that every
	// credential may.
	Scopes   []inbox.Scope
	In       reflect.Type // nil: takes no input
	Out      []Output
	Problems []inbox.Code // beside those that every operation of its kind may answer, see [Op.Refusals]
	Cache    string       // Cache-Control of a successful answer
	MaxBody  int64        // bytes; 0: a body is not looked at
	Body     string       // media type of the body of a write, "" for JSON
	CORS     bool         // browsers of any origin may read the answer (03 §3)
	Tag      bool         // answers carry an ETag and honour If-None-Match
	Poll     int          // seconds after which asking again is worth it, told in Retry-After; 0: not told
	Hint     Hint
	Summary  string // one line, for documents and tools
}

// Route is one method and path with the function that serves it.
type Route struct {
	Method, Path, Function string
	Op                     *Op
}

// Key is the route as the HTTP API and the logs name it.
func (r Route) Key() string { return r.Method + " " + r.Path }

// All lists every operation, in the order of 03 §5.
var All = func() []*Op {
	var all []*Op
	for _, part := range [][]*Op{public, owner, ownersMail, system, people, mailIn} {
		all = append(all, part...)
	}
	return all
}()

// Routes lists every route but [Fallback], in the order of [All].
func Routes() []Route {
	var routes []Route
	for _, op := range All {
		for _, path := range op.Paths {
			routes = append(routes, Route{Method: op.Method, Path: path, Function: op.Function, Op: op})
		}
	}
	return routes
}

// ByID is the operation of an id, nil for none.
func ByID(id string) *Op {
	for _, op := range All {
		if op.ID == id {
			return op
		}
	}
	return nil
}

// Writes says whether the operation changes anything, and so takes an
// idempotency key (03 §3).
func (o *Op) Writes() bool { return o.Method != "GET" && o.Method != "HEAD" }

// Keyed says whether the operation takes an idempotency key: every write does
// that is no page and no raw mail, which have a key in what they send.
func (o *Op) Keyed() bool { return o.Writes() && o.Body == "" }

// Params lists the names of the path's parameters, in order.
func (o *Op) Params() []string {
	var names []string
	for _, segment := range strings.Split(o.Paths[0], "/") {
		if name, ok := Param(segment); ok {
			names = append(names, name)
		}
	}
	return names
}

// Param is the name of a segment that stands for a parameter.
func Param(segment string) (name string, ok bool) {
	if len(segment) > 2 && segment[0] == '{' && segment[len(segment)-1] == '}' {
		return segment[1 : len(segment)-1], true
	}
	return "", false
}

// Refusals lists every problem the operation may answer (03 §4), each code once,
// in the order of [inbox.Problems]. A page refuses with pages.
func (o *Op) Refusals() []inbox.Code {
	if o.Auth == Page {
		return nil
	}
	may := map[inbox.Code]bool{inbox.CodeInternal: true, inbox.CodeBadRequest: true}
	add := func(codes ...inbox.Code) {
		for _, c := range codes {
			may[c] = true
		}
	}
	add(o.Problems...)
	if o.Function != FallbackFunction {
		add(inbox.CodeUnavailable)
	}
	if o.In != nil && o.In.NumField() > 0 {
		add(inbox.CodeInvalidInput)
	}
	if o.MaxBody > 0 {
		add(inbox.CodePayloadTooLarge)
	}
	if o.Keyed() {
		add(inbox.CodeInvalidJSON, inbox.CodeUnsupportedMedia, inbox.CodeIdempotencyMismatch)
	}
	if o.Auth == Secret {
		add(inbox.CodeUnauthorized)
	}
	if o.Auth == Owner {
		add(inbox.CodeUnauthorized, inbox.CodeNotAllowed)
	}
	if o.Auth == Token || len(o.Scopes) > 0 {
		add(inbox.CodeNotAllowed)
	}
	if len(o.Params()) > 0 {
		add(inbox.CodeNotFound)
	}
	var codes []inbox.Code
	for _, p := range inbox.Problems {
		if may[p.Code] {
			codes = append(codes, p.Code)
		}
	}
	return codes
}

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

// says is one JSON answer with its alternatives.
func says(status int, types ...reflect.Type) Output { return Output{Status: status, Types: types} }

func scopes(s ...inbox.Scope) []inbox.Scope { return s }
