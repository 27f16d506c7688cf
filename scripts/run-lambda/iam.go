package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// right is one action on one resource: inbox, events, index/<name>, secret, mail,
// bucket, blobs/<prefix>, or * for what the service knows no resource for.
type right struct{ action, on string }

func (r right) String() string { return r.action + " on " + r.on }

// rights is what each function may do: function → right → whether it was used.
type rights map[string]map[right]bool

// readRights reads the roles of the functions.
func readRights(file string) (rights, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var t struct {
		Resources map[string]struct {
			Properties struct {
				Policies []struct {
					PolicyDocument struct {
						Statement []struct {
							Action   []string  `yaml:"Action"`
							Resource yaml.Node `yaml:"Resource"`
						} `yaml:"Statement"`
					} `yaml:"PolicyDocument"`
				} `yaml:"Policies"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(raw, &t); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	all := rights{}
	for id, role := range t.Resources {
		may := map[right]bool{}
		for _, p := range role.Properties.Policies {
			for _, s := range p.PolicyDocument.Statement {
				for _, on := range resourcesOf(&s.Resource) {
					for _, a := range s.Action {
						may[right{a, on}] = false
					}
				}
			}
		}
		all[strings.ToLower(id)] = may
	}
	return all, nil
}

// resourcesOf names the resources of a statement. Logs, queues and the stream
// are of the platform and not called by a function.
func resourcesOf(n *yaml.Node) (on []string) {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	for _, n := range nodes {
		_, index, isIndex := strings.Cut(n.Value, "/index/")
		switch v := n.Value; {
		case v == "InboxTable":
			on = append(on, "inbox")
		case v == "EventsTable":
			on = append(on, "events")
		case v == "Secret":
			on = append(on, "secret")
		case v == "Blobs":
			on = append(on, "bucket")
		case strings.HasPrefix(v, "${Blobs}/"):
			on = append(on, "blobs/"+strings.TrimSuffix(strings.TrimPrefix(v, "${Blobs}/"), "/*"))
		case v == "*":
			on = append(on, v)
		case isIndex:
			on = append(on, "index/"+index)
		case strings.Contains(v, "identity/"):
			on = append(on, "mail")
		}
	}
	return on
}

// guard stands between the functions and the stand-ins and refuses what a
// function's role does not allow, since the stand-ins allow everything. Each
// function calls it under a path of its own.
type guard struct {
	mu      sync.Mutex
	may     rights
	proxy   *httputil.ReverseProxy
	names   map[string]string // table → role
	events  string            // the table of the history
	bucket  string
	log     *slog.Logger
	refused []string         // what was refused
	faults  map[string]fault // that befall a function's next calls
}

// fault is something that goes wrong with a call, on demand.
type fault string

const (
	loseAnswer  fault = "lose the answer of one transaction that was done"
	loseHistory fault = "lose the answer of one transaction that wrote history"
	rejectMail  fault = "reject every mail for good"
)

// next makes a fault befall a function's next calls; "" ends it.
func (g *guard) next(function string, f fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults[function] = f
}

// befall answers a call with the fault that was ordered for it, if any.
func (g *guard) befall(function string, body []byte, w http.ResponseWriter, r *http.Request) bool {
	g.mu.Lock()
	f := g.faults[function]
	transaction := strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems")
	lose := transaction && (f == loseAnswer || f == loseHistory && bytes.Contains(body, []byte(`"`+g.events+`"`)))
	if lose {
		delete(g.faults, function)
	}
	g.mu.Unlock()
	if !lose && (f != rejectMail || !strings.HasPrefix(r.URL.Path, "/v2/email/outbound-emails")) {
		return false
	}
	status, name := http.StatusBadRequest, "MessageRejected"
	if lose {
		g.proxy.ServeHTTP(httptest.NewRecorder(), r)
		status, name = http.StatusInternalServerError, "InternalServerError"
	}
	deny(w, status, name, string(f))
	return true
}

// deny answers as AWS services do.
func deny(w http.ResponseWriter, status int, name, message string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amzn-Errortype", name)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"__type": name, "message": message})
}

func newGuard(file, endpoint string, tables map[string]string, bucket string, log *slog.Logger) (*guard, error) {
	may, err := readRights(file)
	if err != nil {
		return nil, err
	}
	target, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	g := &guard{may: may, names: map[string]string{}, bucket: bucket, log: log, faults: map[string]fault{}}
	g.events = tables["events"]
	for role, name := range tables {
		g.names[name] = role
	}
	g.proxy = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	return g, nil
}

// ServeHTTP passes a call on when the function may make it.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	function, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.URL.Path, r.Body = "/"+rest, io.NopCloser(bytes.NewReader(body))
	needed, err := g.needs(r, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if missing := g.use(function, needed); len(missing) > 0 {
		g.log.Error("refused for want of a right", "function", function, "needs", missing)
		deny(w, http.StatusBadRequest, "AccessDeniedException", strings.Join(missing, ", "))
		return
	}
	if g.befall(function, body, w, r) || beside(w, r) {
		return
	}
	g.proxy.ServeHTTP(w, r)
}

// beside answers for what the stand-ins do not have: the account's list of
// suppressed addresses.
func beside(w http.ResponseWriter, r *http.Request) bool {
	if !strings.HasPrefix(r.URL.Path, "/v2/email/suppression/") {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("{}"))
	return true
}

// use marks rights as used and lists those the function does not have.
func (g *guard) use(function string, needed []right) (missing []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	may := g.may[strings.ReplaceAll(function, "-", "")]
	for _, n := range needed {
		if _, ok := may[n]; !ok {
			missing = append(missing, n.String())
			g.refused = append(g.refused, function+": "+n.String())
			continue
		}
		may[n] = true
	}
	return missing
}

// unused lists the rights that no call has needed so far, by function.
func (g *guard) unused() (all []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for function, may := range g.may {
		for r, used := range may {
			if !used {
				all = append(all, function+": "+r.String())
			}
		}
	}
	slices.Sort(all)
	return all
}

// needs is what a call needs of IAM.
func (g *guard) needs(r *http.Request, body []byte) ([]right, error) {
	target := r.Header.Get("X-Amz-Target")
	service, action, _ := strings.Cut(target, ".")
	switch {
	case service == "secretsmanager":
		return []right{{"secretsmanager:" + action, "secret"}}, nil
	case strings.HasPrefix(service, "DynamoDB_"):
		return g.tableNeeds(action, body)
	case r.URL.Path == "/v2/email/outbound-emails":
		return []right{{"ses:SendEmail", "mail"}}, nil
	case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/v2/email/identities/"):
		return []right{{"ses:GetEmailIdentity", "mail"}}, nil
	case r.Method == http.MethodDelete && strings.HasPrefix(r.URL.Path, "/v2/email/suppression/addresses/"):
		return []right{{"ses:DeleteSuppressedDestination", "*"}}, nil
	case strings.HasPrefix(r.URL.Path, "/"+g.bucket+"/") || r.URL.Path == "/"+g.bucket:
		return blobNeeds(r, strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/"+g.bucket), "/")), nil
	}
	return nil, fmt.Errorf("a call that no function is known to make: %s %s %s", r.Method, r.URL.Path, target)
}

// blobNeeds is what a call about an object needs, "" for the bucket itself. A
// copy reads one object and writes another.
func blobNeeds(r *http.Request, key string) []right {
	on := func(key string) string {
		prefix, _, _ := strings.Cut(key, "/")
		return "blobs/" + prefix
	}
	switch {
	case key == "":
		return []right{{"s3:ListBucket", "bucket"}}
	case r.Method == http.MethodDelete:
		return []right{{"s3:DeleteObject", on(key)}}
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return []right{{"s3:GetObject", on(key)}}
	}
	needed := []right{{"s3:PutObject", on(key)}}
	if from := r.Header.Get("X-Amz-Copy-Source"); from != "" {
		_, from, _ = strings.Cut(strings.TrimPrefix(from, "/"), "/")
		needed = append(needed, right{"s3:GetObject", on(from)})
	}
	return needed
}

// parts of a transaction and the actions they need.
var partActions = map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}

func (g *guard) tableNeeds(action string, body []byte) (needed []right, err error) {
	var call struct {
		TableName     string
		IndexName     string
		RequestItems  map[string]any
		TransactItems []map[string]struct{ TableName string }
	}
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, err
	}
	need := func(action, on string) { needed = append(needed, right{"dynamodb:" + action, on}) }
	switch {
	case call.IndexName != "":
		need(action, "index/"+call.IndexName)
	case call.TableName != "":
		need(action, g.names[call.TableName])
	}
	for name := range call.RequestItems {
		need(action, g.names[name])
	}
	for _, part := range call.TransactItems {
		for kind, on := range part {
			need(partActions[kind], g.names[on.TableName])
		}
	}
	return needed, nil
}
