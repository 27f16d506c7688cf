package inbox

// Nothing is the request of an operation that takes no input.
type Nothing struct{}

// ProductsQuery lists products; Q is looked for in their names (03 §5.1).
type ProductsQuery struct {
	Q string `query:"q" in:"len=0..100"`
	PageQuery
}
