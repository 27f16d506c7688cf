package embedded_test

import (
	"testing"

	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/table/tabletest"
)

// suiteOn gives the suite fresh databases with faults; nil: without.
func suiteOn(faults func() *embedded.Faults) func(t *testing.T) tabletest.Harness {
	return func(t *testing.T) tabletest.Harness {
		if faults == nil {
			return tabletest.Harness{DB: open(t, embedded.Options{})}
		}
		d := open(t, embedded.Options{Faults: faults(), Hook: func([]table.Change) {}})
		return tabletest.Harness{DB: tabletest.Patient(d), Settle: func() {
			if err := d.Settle(); err != nil {
				t.Error(err)
			}
		}}
	}
}

func TestSuite(t *testing.T) { tabletest.Run(t, suiteOn(nil)) }

func TestSuiteWithFaults(t *testing.T) {
	const seed = 20260304
	one := func(f embedded.Fault, share float64) func() *embedded.Faults {
		return func() *embedded.Faults { return embedded.NewFaults(seed).Rate(f, share) }
	}
	for name, faults := range map[string]func() *embedded.Faults{
		"conflict":    one(embedded.Conflict, 0.3),
		"throttle":    one(embedded.Throttle, 0.3),
		"action":      one(embedded.ThrottleAction, 0.3),
		"lost answer": one(embedded.LoseAnswer, 0.3),
		"cut page":    one(embedded.CutPage, 0.5),
		"unprocessed": one(embedded.LeaveUnprocessed, 0.7),
		"duplicate":   one(embedded.DuplicateHook, 0.5),
		"reorder":     one(embedded.ReorderHook, 0.5),
		"index lag":   func() *embedded.Faults { return embedded.NewFaults(seed).IndexLag(3) },
		"all": func() *embedded.Faults {
			return embedded.NewFaults(seed).IndexLag(2).Rate(embedded.Conflict, 0.1).Rate(embedded.Throttle, 0.1).
				Rate(embedded.LoseAnswer, 0.1).Rate(embedded.CutPage, 0.2).Rate(embedded.LeaveUnprocessed, 0.3).
				Rate(embedded.DuplicateHook, 0.2).Rate(embedded.ReorderHook, 0.2)
		},
	} {
		t.Run(name, func(t *testing.T) { tabletest.Run(t, suiteOn(faults)) })
	}
}
