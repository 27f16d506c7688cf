// Package operation is the table of operations (03 §5): one entry per route,
// data only. Routes, scopes, CORS, caching, the OpenAPI document and the tools
// of the assistants' doors are read from it, and so is the template's list of
// routes. It holds no function values, so it links nothing (00 §2).
package operation
