package embedded

import (
	"sync"

	"typedinbox/shared/table"
)

// hook stands for the stream: it is called with what a commit changed.
type hook struct {
	call func([]table.Change)
	mu   sync.Mutex
	held [][]table.Change // calls held back by ReorderHook
}

// deliver calls the hook as the faults will have it.
func (h *hook) deliver(changes []table.Change, f *Faults) {
	if h.call == nil || len(changes) == 0 {
		return
	}
	if f.hit(ReorderHook) {
		f.shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
		h.mu.Lock()
		defer h.mu.Unlock()
		h.held = append(h.held, changes)
		return
	}
	twice := f.hit(DuplicateHook)
	if twice {
		h.call(cloneChanges(changes))
	}
	h.call(changes)
	h.flush()
}

// flush makes the calls held back, the latest first.
func (h *hook) flush() {
	h.mu.Lock()
	held := h.held
	h.held = nil
	h.mu.Unlock()
	for i := len(held) - 1; i >= 0; i-- {
		h.call(held[i])
	}
}

func cloneChanges(changes []table.Change) []table.Change {
	c := make([]table.Change, len(changes))
	for i, change := range changes {
		c[i] = table.Change{Key: change.Key, New: change.New.Clone()}
	}
	return c
}
