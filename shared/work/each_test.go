package work

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestEach: pieces are begun in their order, at most so many at once, each once;
// when the time is nearly used up no more are begun.
func TestEach(t *testing.T) {
	const n, parallel = 500, 8
	pieces := make([]int, n)
	for i := range pieces {
		pieces[i] = i
	}
	var mu sync.Mutex
	ended, begun, running := map[int]bool{}, map[int]bool{}, 0
	ran := each(t.Context(), pieces, parallel, func(_ context.Context, i int) Ran {
		mu.Lock()
		defer mu.Unlock()
		if running++; running > parallel || begun[i] {
			t.Errorf("piece %d: %d at once, begun before: %v", i, running, begun[i])
		}
		begun[i] = true
		before := 0
		for j := range i {
			if ended[j] {
				before++
			}
		}
		if before < i-parallel+1 {
			t.Errorf("piece %d began when %d of those before it were done", i, before)
		}
		ended[i] = true
		running--
		return Ran{Items: 1}
	})
	if ran != (Ran{Items: n}) || len(begun) != n {
		t.Errorf("%+v of %d", ran, len(begun))
	}
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(reserve/2))
	defer cancel()
	if ran := each(late, pieces, parallel, func(context.Context, int) Ran { t.Error("begun"); return Ran{} }); ran != (Ran{More: true}) {
		t.Errorf("%+v", ran)
	}
	if ran := each[int](t.Context(), nil, parallel, func(context.Context, int) Ran { return Ran{Items: 1} }); ran != (Ran{}) {
		t.Errorf("%+v", ran)
	}
}
