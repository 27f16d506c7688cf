package words

import "typedinbox/shared/format"

// englishVerify is what a customer reads who may be a known one.
var englishVerify = table{
	"verify.guide": "You may be a customer we know. To go on as that customer, ask us for a code: it goes to the address we have on file. Then send it with verify_customer.",
}

// VerifyGuide tells whoever may be a known customer how to prove it (01 §15.4).
func VerifyGuide(l format.Lang) string { return sayCore(Written(l), "verify.guide", "") }
