package schema

import "strconv"

// Fault of a field: it is not there, or it is not what it must be.
const (
	Missing = "missing"
	Invalid = "invalid"
)

// Bounds of any input. What a door reads is at most 1 MB (03 §3).
const (
	MaxBytes    = 1 << 20
	MaxDepth    = 32
	maxProblems = 100
)

// Problem is one fault of the input. Path names the field from the prefix on,
// list entries by their index: `payload.orderedItem.2.price` (02 §6.3).
type Problem struct {
	Path    string
	Problem string // Missing or Invalid
	Message string
}

// step is one part of a path: a name, or an index when name is "".
type step struct {
	name  string
	index int
}

// path is where the decoder stands. Its text is made for a fault alone.
type path struct {
	prefix string
	steps  []step
}

func (p *path) push(name string) { p.steps = append(p.steps, step{name: name}) }
func (p *path) at(index int)     { p.steps = append(p.steps, step{index: index}) }
func (p *path) pop()             { p.steps = p.steps[:len(p.steps)-1] }

func (p *path) String() string {
	s := p.prefix
	for _, st := range p.steps {
		if s != "" {
			s += "."
		}
		if st.name != "" {
			s += st.name
		} else {
			s += strconv.Itoa(st.index)
		}
	}
	return s
}
