// Package shared_test holds the packages to their floors (00 §2).
package shared_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors are the packages under shared/, ground floor first. A package imports
// only packages of lower floors.
var floors = [][]string{
	0: {"inbox", "canon", "condition", "schema"},
	1: {"machine", "settings", "calendar", "catalogue", "format"},
	2: {"negotiation", "returns", "rules", "receipts"},
	3: {"words"},
	4: {"decide"},
	5: {"table", "table/dynamo", "table/embedded", "table/tabletest", "table/tabletest/awslocal", "blob", "blob/dir", "blob/s3", "blob/blobtest", "store"},
	6: {"desk", "office", "identity", "mail", "mail/ses", "network", "webhook", "feed", "telephony"},
	7: {"work", "gateway", "operation"},
	8: {"door/rest", "door/rest/openapi", "door/rest/openapi/openapitest", "door/mcp", "door/pages", "door/app", "door/mailbox", "door/phone"},
	9: {"edge/http", "edge/stream", "edge/deps", "edge/deps/sender", "edge/deps/worker"},
}

// sideways are the imports within one floor that are allowed: the store uses its
// ports, a driver and a suite their port, and what stands apart to be linked
// apart the package it belongs to.
var sideways = map[string][]string{
	"store":                         {"table", "blob"},
	"table/dynamo":                  {"table"},
	"table/embedded":                {"table"},
	"table/tabletest":               {"table"},
	"blob/dir":                      {"blob"},
	"blob/s3":                       {"blob"},
	"blob/blobtest":                 {"blob"},
	"mail/ses":                      {"mail"},
	"door/rest/openapi/openapitest": {"door/rest/openapi"},
	"edge/deps/sender":              {"edge/deps"},
	"edge/deps/worker":              {"edge/deps"},
}

const module = "typedinbox/"

// floorOf is the floor of a package, -1 for none.
func floorOf(pkg string) int {
	for i, f := range floors {
		if slices.Contains(f, pkg) {
			return i
		}
	}
	return -1
}

// allowed says what is wrong with an import of one package of shared/ by
// another, "" for nothing.
func allowed(from, to string) string {
	f, t := floorOf(from), floorOf(to)
	switch {
	case f < 0:
		return "stands on no floor"
	case t < 0:
		return "imports " + to + ", which stands on no floor"
	case t < f, t == f && slices.Contains(sideways[from], to):
		return ""
	case t == f:
		return "imports " + to + " on its own floor"
	}
	return "imports " + to + " on a higher floor"
}

func TestFloors(t *testing.T) {
	for pkg, imports := range importsUnder(t, ".") {
		if floorOf(pkg) < 0 {
			t.Errorf("shared/%s stands on no floor", pkg)
		}
		for _, i := range imports {
			to, ok := strings.CutPrefix(i, module+"shared/")
			if !ok {
				if strings.HasPrefix(i, module) {
					t.Errorf("shared/%s imports %s, which is no part of shared", pkg, i)
				}
				continue
			}
			if why := allowed(pkg, to); why != "" {
				t.Errorf("shared/%s %s", pkg, why)
			}
		}
	}
}

func TestAllowed(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"ok/down":              {"desk", "store", ""},
		"ok/far down":          {"edge/http", "inbox", ""},
		"ok/driver to port":    {"table/dynamo", "table", ""},
		"ok/store to port":     {"store", "table", ""},
		"fail/up":              {"inbox", "store", "imports store on a higher floor"},
		"fail/port to driver":  {"table", "table/dynamo", "imports table/dynamo on its own floor"},
		"fail/sideways":        {"desk", "office", "imports office on its own floor"},
		"fail/unknown package": {"desk", "cellar", "imports cellar, which stands on no floor"},
		"fail/unknown itself":  {"cellar", "inbox", "stands on no floor"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := allowed(c.from, c.to); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A package stands on one floor, and what is allowed sideways is on one.
func TestFloorsTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range floors {
		for _, p := range f {
			if seen[p] {
				t.Errorf("%s stands on two floors", p)
			}
			seen[p] = true
		}
	}
	for from, all := range sideways {
		for _, to := range all {
			if floorOf(from) < 0 || floorOf(from) != floorOf(to) {
				t.Errorf("%s → %s is not within a floor", from, to)
			}
		}
	}
}

// maxMain is how long a function's main.go may be, in lines (00 §2).
const maxMain = 30

// A function is one short file that imports what it is made of, and never the
// local run, so its control doors cannot be built into one.
func TestFunctions(t *testing.T) {
	for fn, imports := range importsUnder(t, "../functions") {
		files, err := filepath.Glob("../functions/" + fn + "/*")
		if err != nil || len(files) != 1 || filepath.Base(files[0]) != "main.go" {
			t.Errorf("functions/%s holds %v, not main.go alone", fn, files)
			continue
		}
		src, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(src), "\n"); n > maxMain {
			t.Errorf("functions/%s/main.go has %d lines", fn, n)
		}
		doors := 0
		for _, i := range imports {
			to, ok := strings.CutPrefix(i, module)
			switch {
			case !ok:
			case to == "shared/door/rest", to == "shared/door/pages", strings.HasPrefix(to, "shared/edge/stream"):
				doors++
			case strings.HasPrefix(to, "shared/edge/"), to == "shared/desk", to == "shared/office", to == "shared/door/rest/openapi",
				to == "shared/blob/s3": // linked only by those that read or write objects
			default:
				t.Errorf("functions/%s imports %s", fn, i)
			}
		}
		if doors != 1 {
			t.Errorf("functions/%s has %d handlers", fn, doors)
		}
	}
}

// Nothing that is deployed imports the local run or another command.
func TestNothingImportsCommands(t *testing.T) {
	for _, dir := range []string{".", "../functions"} {
		for pkg, imports := range importsUnder(t, dir) {
			for _, i := range imports {
				if strings.HasPrefix(i, module+"scripts") || strings.HasPrefix(i, module+"functions") || strings.HasPrefix(i, module+"infra") {
					t.Errorf("%s imports %s", pkg, i)
				}
			}
		}
	}
}

// importsUnder lists what the packages under a directory import, test files
// apart, by the package's path in that directory.
func importsUnder(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || (path != root && strings.HasPrefix(d.Name(), "."))) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg = filepath.ToSlash(pkg)
		found[pkg] = append(found[pkg], imported(f.Imports)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("no packages under %s", root)
	}
	return found
}

func imported(specs []*ast.ImportSpec) (paths []string) {
	for _, s := range specs {
		if p, err := strconv.Unquote(s.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}
