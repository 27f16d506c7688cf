// Package model holds the inbox to a plain model of itself (00 §8): random verbs
// by random actors, through the doors, on the embedded table with its faults on.
// A run is made by its seed alone and can be played again:
//
//	MODEL_SEED=17 go test ./scripts/model
//
// MODEL_SEEDS and MODEL_STEPS make the run longer; `make soak` does.
package model
