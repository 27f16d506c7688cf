package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"

	"typedinbox/shared/inbox"
)

// unreadablePath is what net/http says by itself of a request whose path it cannot
// read, before any handler is asked. It writes it in one piece.
const unreadablePath = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request"

// readingProblems is a listener whose connections say in a problem document what
// net/http says in plain words: the functions answer a path with a bare % with
// bad_request (03 §4, 08 §3), and so does this run.
func readingProblems(l net.Listener, origin string) net.Listener {
	kind := inbox.KindOf(inbox.CodeBadRequest)
	body, err := json.Marshal(map[string]any{
		"type": origin + "/problems/" + string(kind.Code), "title": kind.Title, "status": kind.Status,
		"detail": "The path cannot be read; check its percent signs.", "code": kind.Code,
	})
	if err != nil {
		panic(err) // four strings and a number
	}
	answer := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n"+
		"X-Content-Type-Options: nosniff\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
		kind.Status, http.StatusText(kind.Status), len(body), body)
	return problemListener{l, []byte(answer)}
}

type problemListener struct {
	net.Listener
	answer []byte
}

func (l problemListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &problemConn{c, l.answer}, nil
}

type problemConn struct {
	net.Conn
	answer []byte
}

func (c *problemConn) Write(b []byte) (int, error) {
	if string(b) != unreadablePath {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(c.answer); err != nil {
		return 0, err
	}
	return len(b), nil
}
