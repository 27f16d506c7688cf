package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"typedinbox/scripts/template"
)

// gateway serves the routes of the functions as an HTTP API does.
func gateway(pools map[string]*pool, written func()) (http.Handler, error) {
	routes := map[template.Route]http.Handler{}
	for _, p := range pools {
		for _, r := range p.Routes {
			routes[r] = p.serve(r, written)
		}
	}
	return template.Serve(routes)
}

// serve answers one route with the function.
func (p *pool) serve(rt template.Route, written func()) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, template.MaxBody))
		if err != nil {
			refuse(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
			return
		}
		event, err := json.Marshal(eventOf(r, rt, body))
		if err != nil {
			refuse(w, http.StatusInternalServerError, "Internal Server Error")
			return
		}
		answer, err := p.invoke(r.Context(), event)
		switch {
		case errors.Is(err, errTimeout):
			refuse(w, http.StatusServiceUnavailable, "Service Unavailable")
		case err != nil:
			refuse(w, http.StatusInternalServerError, "Internal Server Error")
		default:
			write(w, answer)
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			written()
		}
	})
}

// refuse is the gateway's own answer.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
}

// eventOf is the request as a payload of format 2.0.
func eventOf(r *http.Request, rt template.Route, body []byte) events.APIGatewayV2HTTPRequest {
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: rt.Key(), RawPath: r.URL.Path, RawQueryString: r.URL.RawQuery,
		Headers: map[string]string{"host": r.Host}, PathParameters: pathParameters(r, rt),
	}
	for name, values := range r.Header {
		if name != "Cookie" {
			e.Headers[strings.ToLower(name)] = strings.Join(values, ",")
		}
	}
	for _, c := range r.Cookies() {
		e.Cookies = append(e.Cookies, c.Name+"="+c.Value)
	}
	for name, values := range r.URL.Query() {
		if e.QueryStringParameters == nil {
			e.QueryStringParameters = map[string]string{}
		}
		e.QueryStringParameters[name] = strings.Join(values, ",")
	}
	if e.Body = string(body); !utf8.Valid(body) {
		e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	c := &e.RequestContext
	c.Stage, c.RouteKey, c.DomainName, c.AccountID, c.APIID = "$default", e.RouteKey, r.Host, "000000000000", "local"
	c.RequestID, c.TimeEpoch = requestID(), time.Now().UnixMilli()
	c.HTTP.Method, c.HTTP.Path, c.HTTP.Protocol, c.HTTP.UserAgent = r.Method, r.URL.Path, r.Proto, r.UserAgent()
	c.HTTP.SourceIP, _, _ = net.SplitHostPort(r.RemoteAddr)
	return e
}

func pathParameters(r *http.Request, rt template.Route) map[string]string {
	var found map[string]string
	for _, part := range strings.Split(rt.Path, "/") {
		name, ok := strings.CutPrefix(part, "{")
		if !ok {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		name = strings.TrimSuffix(strings.TrimSuffix(name, "}"), "+")
		found[name] = r.PathValue(name)
	}
	return found
}

// write sends a function's answer of format 2.0; anything else is a body, as the
// gateway has it.
func write(w http.ResponseWriter, answer []byte) {
	var a events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(answer, &a); err != nil || a.StatusCode == 0 {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
		return
	}
	for name, value := range a.Headers {
		w.Header().Set(name, value)
	}
	for _, c := range a.Cookies {
		w.Header().Add("Set-Cookie", c)
	}
	body := []byte(a.Body)
	if a.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(a.Body); err != nil {
			refuse(w, http.StatusInternalServerError, "Internal Server Error")
			return
		}
	}
	w.WriteHeader(a.StatusCode)
	_, _ = w.Write(body)
}
