package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// empty is a function that does nothing: what a start costs here at least.
const empty = "empty"

// build builds every function as it is deployed, for a processor, or for this
// machine when it is "". What is up to date is left alone.
func build(root, arch string) (dir string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(cache, "typedinbox", "functions", arch)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	flags, err := os.ReadFile(filepath.Join(root, "infra", "functions.goflags"))
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", dir+"/", "./functions/...", "./scripts/bench-functions/"+empty)
	cmd.Dir, cmd.Stderr, cmd.Env = root, os.Stderr, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+string(flags))
	if arch != "" {
		cmd.Env = append(cmd.Env, "GOOS=linux", "GOARCH="+arch)
	}
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("building the functions: %w", err)
	}
	return dir, nil
}

// size is how large a function's binary is, in units of a million bytes.
type size struct {
	function  string
	megabytes float64
}

// sizes builds every function for the deployment and measures it.
func sizes(root string) ([]size, error) {
	dir, err := build(root, "arm64")
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(filepath.Join(root, "functions"))
	if err != nil {
		return nil, err
	}
	var all []size
	for _, f := range folders {
		info, err := os.Stat(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, size{f.Name(), float64(info.Size()) / 1e6})
	}
	return all, nil
}
