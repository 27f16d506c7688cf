package main

import (
	"maps"
	"os"
	"slices"
	"testing"

	"typedinbox/scripts/template"
)

// TestRegistry holds the registry equal to the function folders and to the
// template's routes.
func TestRegistry(t *testing.T) {
	have := append(slices.Collect(maps.Keys(registry)), workers...)
	slices.Sort(have)
	entries, err := os.ReadDir("../../functions")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		folders = append(folders, e.Name())
	}
	if !slices.Equal(have, folders) {
		t.Errorf("registry %v\nfolders  %v", have, folders)
	}
	functions, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	routed := map[string]bool{}
	for _, f := range functions {
		if len(f.Routes) > 0 {
			routed[f.Name] = true
		}
	}
	for name := range registry {
		if !routed[name] {
			t.Errorf("the template routes nothing to %s", name)
		}
	}
	if len(routed) != len(registry) {
		t.Errorf("%d functions have routes, %d are registered", len(routed), len(registry))
	}
}
