package main

import (
	"crypto/rand"
	"fmt"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table/tabletest/awslocal"
)

// backends are the tables a race runs on.
var backends = map[string]func(t *testing.T, o *options){
	"embedded": func(*testing.T, *options) {},
	"dynamo":   func(t *testing.T, o *options) { o.endpoint, o.tables = awslocal.Start(t), "t"+rand.Text() },
}

// together runs n of the same at once, released by one closed channel.
func together(n int, do func(i int)) {
	gate := make(chan struct{})
	var done sync.WaitGroup
	for i := range n {
		done.Add(1)
		go func() {
			defer done.Done()
			<-gate
			do(i)
		}()
	}
	close(gate)
	done.Wait()
}

// tally counts answers by status and code.
func tally(answers []answer) map[string]int {
	count := map[string]int{}
	for _, a := range answers {
		count[fmt.Sprint(a.status, " ", a.str("code"))]++
	}
	return count
}

// all fires one request per answer at once.
func all(t *testing.T, n int, send func(i int) (answer, error)) []answer {
	t.Helper()
	answers, errs := make([]answer, n), make([]error, n)
	together(n, func(i int) { answers[i], errs[i] = send(i) })
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

// TestOnePlace: 256 bookings confirmed at once for one place; a capacity of five
// takes five (issue: race tests).
func TestOnePlace(t *testing.T) {
	for backend, on := range backends {
		for service, capacity := range map[string]int{"Portrait session": 1, "Photo walk": 5} {
			t.Run(fmt.Sprintf("ok/%s/%d", backend, capacity), func(t *testing.T) {
				c := serve(t, func(o *options) { on(t, o) })
				id := c.service(service)
				slot := c.slots(id, 7)[5]
				const many = 256
				items := make([]string, many)
				for i := range items {
					items[i] = c.book(booking(id, slot, customer)).is(201).str("view.item.id")
				}
				owner := c.owner()
				answers := all(t, many, func(i int) (answer, error) {
					return owner.try("POST", "/v1/owner/items/"+items[i]+"/transitions", map[string]any{"event": "confirm"})
				})
				got := tally(answers)
				if got["200 "] != capacity || got["409 slot_taken"] != many-capacity {
					t.Fatalf("%v, want %d and the rest slot_taken", got, capacity)
				}
				for _, a := range answers {
					if a.status == 409 && (a.str("details.startTime") == "" || a.at("details.capacity") != float64(capacity)) {
						t.Errorf("details %v", a.at("details"))
					}
				}
				if backend == "embedded" {
					c.clean()
				}
			})
		}
	}
}

// TestOneKey: equal creates under one key make one item and are told the same;
// different ones are refused but for one.
func TestOneKey(t *testing.T) {
	for backend, on := range backends {
		t.Run("ok/equal/"+backend, func(t *testing.T) {
			c := serve(t, func(o *options) { on(t, o) })
			id := c.service("Portrait session")
			body := c.confirmed("/v1/bookings", booking(id, c.slots(id, 7)[0], customer))
			answers := all(t, 64, func(int) (answer, error) {
				return c.saying("Idempotency-Key", "one").try("POST", "/v1/bookings", body)
			})
			first := string(inbox.MarkReplayed(answers[0].raw))
			for _, a := range answers {
				if string(inbox.MarkReplayed(a.raw)) != first {
					t.Fatalf("answers differ:\n%s\n%s", first, a.raw)
				}
			}
			if got := tally(answers); got["201 "] != 1 || got["200 "] != 63 {
				t.Errorf("%v", got)
			}
			if n := len(c.owner().get("/v1/owner/items?limit=100").at("items").([]any)); n != 1 {
				t.Errorf("%d items", n)
			}
		})
		t.Run("ok/different/"+backend, func(t *testing.T) {
			c := serve(t, func(o *options) { on(t, o) })
			answers := all(t, 64, func(i int) (answer, error) {
				return c.saying("Idempotency-Key", "one").try("POST", "/v1/messages", map[string]any{"body": fmt.Sprint("words ", i)})
			})
			if got := tally(answers); got["201 "] != 1 || got["422 idempotency_mismatch"] != 63 {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestOneHour: writers in one hour row take turns and all succeed; in other
// hours they do not meet.
func TestOneHour(t *testing.T) {
	for backend, on := range backends {
		for name, cs := range map[string]struct{ writers, apart int }{
			"ok/eight in one hour": {8, 0}, "ok/forty in forty hours": {40, 1},
		} {
			t.Run(name+"/"+backend, func(t *testing.T) {
				c := serve(t, func(o *options) { on(t, o) })
				owner := c.owner()
				service := owner.post("/v1/owner/services", map[string]any{
					"name": "Chair", "duration_min": 30, "capacity": 100, "granularity_min": 30,
				}).is(201).str("id")
				slots := c.slots(service, 13)
				items := make([]string, cs.writers)
				for i := range items {
					items[i] = c.book(booking(service, slots[i*cs.apart*2], customer)).is(201).str("view.item.id")
				}
				answers := all(t, cs.writers, func(i int) (answer, error) {
					return owner.try("POST", "/v1/owner/items/"+items[i]+"/transitions", map[string]any{"event": "confirm"})
				})
				if got := tally(answers); got["200 "] != cs.writers {
					t.Errorf("%v", got)
				}
				if backend == "embedded" {
					c.clean()
				}
			})
		}
	}
}
