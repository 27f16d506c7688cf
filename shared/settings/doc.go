// Package settings is the settings document of 03 §11: one table of every key
// with its range, its default and who may change it. From the table come the
// effective settings ([Effective]), the merge patch with its checks ([Patch]),
// the guards ([Guard]), what a reader is shown ([View]), the JSON Schema and the
// page in docs.
//
// What is stored is the raw document, never the parsed one. Reading is lenient,
// writing is strict along the paths that are written.
package settings
