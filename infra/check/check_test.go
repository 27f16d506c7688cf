package check

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// root is the project's directory, seen from here.
const root = "../.."

// registryModule carries CloudFormation's registry schemas in its source. It is
// fetched like any module and linked into nothing.
const registryModule = "github.com/aws-cloudformation/rain@v1.24.4"

// schemas are compiled once for all tests.
var schemas = sync.OnceValues(func() (*Schemas, error) {
	out, err := exec.Command("go", "mod", "download", "-json", registryModule).Output()
	if err != nil {
		return nil, err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, err
	}
	return NewSchemas(filepath.Join(module.Dir, "internal/aws/cfn/schemas"))
})

// product is described by the product itself.
var product = sync.OnceValues(func() (p Product, err error) {
	cmd := exec.Command("go", "run", "./infra/describe")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(out, &p)
})

func readFile(path string) ([]byte, error) { return os.ReadFile(filepath.Join(root, path)) }

func listDir(dir string) (found []string, err error) {
	entries, err := os.ReadDir(filepath.Join(root, dir))
	for _, e := range entries {
		if e.IsDir() {
			found = append(found, e.Name())
		}
	}
	return found, err
}

// findings of the deployment as read.
func findings(t *testing.T, read func(string) ([]byte, error), list func(string) ([]string, error)) []string {
	t.Helper()
	s, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	p, err := product()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Load(p, read, list)
	if err != nil {
		return []string{"load | " + err.Error()}
	}
	return Findings(d, s)
}

func TestDeployment(t *testing.T) {
	for _, f := range findings(t, readFile, listDir) {
		t.Error(f)
	}
}

func TestRulesAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules {
		if seen[r.Name] || strings.Contains(r.Name, "|") {
			t.Errorf("rule %q", r.Name)
		}
		seen[r.Name] = true
	}
}
