package operation

import "typedinbox/shared/inbox"

// What the inbox says of itself (03 §5.5). None of it is a tool.
var (
	GetHealth = Op{
		ID: "get_health", Name: "get_health", Method: "GET", Paths: []string{"/healthz"},
		Function: FallbackFunction, Auth: Public, Out: []Output{says(200, of[inbox.Health]())}, Cache: NoStore, CORS: true,
		Summary: "Whether the inbox answers, and which version of it.",
	}
	GetOpenAPI = Op{
		ID: "get_openapi", Name: "get_openapi", Method: "GET", Paths: []string{"/openapi.json"},
		Function: FallbackFunction, Auth: Public, Out: []Output{says(200, of[map[string]any]())}, Cache: NoStore, CORS: true,
		Summary: "This document.",
	}
	GetProblem = Op{
		ID: "get_problem", Name: "get_problem", Method: "GET", Paths: []string{"/problems/{code}"},
		Function: FallbackFunction, Auth: Public, Out: []Output{{Status: 200, Media: HTML}}, Cache: NoStore, CORS: true,
		Summary: "What an error code means, as a page.",
	}
)

var system = []*Op{&GetHealth, &GetOpenAPI, &GetProblem}
