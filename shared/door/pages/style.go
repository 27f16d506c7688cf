package pages

import (
	"crypto/sha256"
	"encoding/base64"
)

// sheet is the style of every page: readable at 320 pixels and at 400 percent,
// light and dark, with a contrast of at least 4.5 to 1 and targets of 44 pixels
// (05 §6.9).
const sheet = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1b1b;--soft:#555;--line:#767676;--act:#0b4f9e;--on:#fff;--bad:#a30014;--box:#f3f3f3}
@media (prefers-color-scheme:dark){:root{--bg:#161616;--fg:#f0f0f0;--soft:#b9b9b9;--line:#8c8c8c;--act:#8ec2ff;--on:#10233a;--bad:#ff9a9a;--box:#242424}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:40rem;padding:1rem;background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}
header{font-weight:700;border-bottom:1px solid var(--line);padding-bottom:.5rem}
header p{margin:0}
h1{font-size:1.5rem;line-height:1.25;margin:1.25rem 0 .75rem}
h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
dl{margin:1rem 0}
dt{color:var(--soft);margin-top:.75rem}
dd{margin:0}
blockquote{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid var(--line);background:var(--box)}
fieldset{border:1px solid var(--line);border-radius:4px;margin:1rem 0;padding:.25rem 1rem .75rem;min-width:0}
legend{font-weight:700;padding:0 .25rem}
.times{display:flex;flex-wrap:wrap;gap:.5rem}
.times label{display:flex;align-items:center;gap:.5rem;min-height:44px;min-width:6.5rem;padding:.25rem .75rem;border:1px solid var(--line);border-radius:4px}
input[type=radio]{width:1.25rem;height:1.25rem;margin:0;accent-color:var(--act)}
.field{margin:1rem 0}
.field label{display:block;font-weight:700}
.field input,textarea{width:100%;min-height:44px;padding:.5rem;border:1px solid var(--line);border-radius:4px;background:var(--bg);color:var(--fg);font:inherit}
textarea{min-height:6rem}
button{min-height:44px;padding:.5rem 1.25rem;border:2px solid var(--act);border-radius:4px;background:var(--act);color:var(--on);font:inherit;font-weight:700;cursor:pointer}
a{color:var(--act)}
ul.ways{list-style:none;margin:1rem 0;padding:0}
ul.ways a,nav a,footer a{display:inline-block;min-height:44px;padding:.6rem 0}
.soft{color:var(--soft)}
[role=alert]{margin:1rem 0;padding:.75rem 1rem;border:2px solid var(--bad);border-radius:4px;color:var(--bad);font-weight:700}
[role=alert] p{margin:0}
.test{margin:1rem 0;padding:.75rem 1rem;border:2px dashed var(--line)}
.trap{position:absolute;left:-100vw;width:1px;height:1px;overflow:hidden}
:focus-visible,[role=alert]:focus{outline:3px solid var(--act);outline-offset:2px}
footer{margin-top:2rem;padding-top:.5rem;border-top:1px solid var(--line);color:var(--soft)}
`

// policy allows nothing but the one style sheet and forms to ourselves.
var policy = func() string {
	sum := sha256.Sum256([]byte(sheet))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}()
