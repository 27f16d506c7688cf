package embedded

import (
	"math/rand/v2"
	"sync"
)

// Fault is a trouble DynamoDB gives and one machine does not.
type Fault int

// The faults.
const (
	// Conflict cancels a transaction: one action met another transaction.
	Conflict Fault = iota
	// Throttle refuses a call, read or write.
	Throttle
	// ThrottleAction cancels a transaction: one action was throttled.
	ThrottleAction
	// LoseAnswer answers ErrUnknown to a transaction that was run, whatever
	// came of it.
	LoseAnswer
	// CutPage makes a query's page shorter, down to nothing, with a cursor.
	CutPage
	// LeaveUnprocessed leaves some keys of a BatchGet unread.
	LeaveUnprocessed
	// DuplicateHook calls the hook twice.
	DuplicateHook
	// ReorderHook holds a hook call back until after the next, and mixes the
	// changes in it.
	ReorderHook
	faultCount
)

// Faults says which troubles come. All are off in the zero value; it is safe
// for concurrent use, and may be changed while the database runs.
type Faults struct {
	mu      sync.Mutex
	random  *rand.Rand
	rates   [faultCount]float64
	scripts [faultCount][]bool
	counts  [faultCount]int
	lag     int
}

// NewFaults has its own random numbers: the same seed and the same calls give
// the same troubles.
func NewFaults(seed uint64) *Faults {
	return &Faults{random: rand.New(rand.NewPCG(seed, seed))}
}

// Rate makes a fault come on this share of its occasions, 0 to 1.
func (f *Faults) Rate(fault Fault, share float64) *Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rates[fault] = share
	return f
}

// Script says of the next occasions of a fault, one after the other, whether it
// comes; after them the rate holds again.
func (f *Faults) Script(fault Fault, comes ...bool) *Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scripts[fault] = append(f.scripts[fault], comes...)
	return f
}

// IndexLag makes reads by index show the table as it was this many commits
// ago.
func (f *Faults) IndexLag(commits int) *Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lag = commits
	return f
}

// Off ends all faults.
func (f *Faults) Off() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rates, f.scripts, f.lag = [faultCount]float64{}, [faultCount][]bool{}, 0
}

// Count says how often a fault came.
func (f *Faults) Count(fault Fault) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[fault]
}

// hit says whether the fault comes on this occasion.
func (f *Faults) hit(fault Fault) bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	comes := false
	if script := f.scripts[fault]; len(script) > 0 {
		comes, f.scripts[fault] = script[0], script[1:]
	} else if rate := f.rates[fault]; rate > 0 {
		comes = f.rand().Float64() < rate
	}
	if comes {
		f.counts[fault]++
	}
	return comes
}

// pick is a random number from 0 up to, not including, n.
func (f *Faults) pick(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rand().IntN(n)
}

func (f *Faults) shuffle(n int, swap func(i, j int)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rand().Shuffle(n, swap)
}

func (f *Faults) indexLag() int {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lag
}

func (f *Faults) rand() *rand.Rand {
	if f.random == nil {
		f.random = rand.New(rand.NewPCG(0, 0))
	}
	return f.random
}
