package deps

import (
	"runtime/debug"
	"strconv"
)

// collectAt is how far the heap grows before it is collected, in percent of what
// is in use: a few megabytes, so memory is there and the processor is not. With
// Go's own 100 a create costs a third more.
const collectAt = 400

// CollectSeldom lets the heap grow before it is collected, up to four fifths of
// the memory there is, in megabytes; 0 for no limit.
func CollectSeldom(megabytes int) {
	debug.SetGCPercent(collectAt)
	if megabytes > 0 {
		debug.SetMemoryLimit(int64(megabytes) << 20 / 5 * 4)
	}
}

// memory is how many megabytes a function was given, 0 where nothing says so.
func memory(getenv func(string) string) int {
	n, err := strconv.Atoi(getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
