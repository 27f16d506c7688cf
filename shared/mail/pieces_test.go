package mail

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jhillyerd/enmime/v2"
)

// The pieces of the reader, each by itself; the corpus shows them at work.

func TestStripQuoted(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"ok/nothing to strip":                  {"Hello\n\nAna", "Hello\n\nAna"},
		"ok/blank lines run together":          {"a\n\n\n\nb  \n", "a\n\nb"},
		"ok/on wrote":                          {"Yes\n\nOn Thu, Ana wrote:\nold", "Yes"},
		"ok/attribution over three lines":      {"Yes\n\nOn Thu, 1 October 2026 at 10:00\nStudio Lumen\n<a@b.example> wrote:\nold", "Yes"},
		"ok/attribution over four lines":       {"Yes\n\nOn Thu\nat ten\nStudio\nwrote:\nmore", "Yes\n\nOn Thu\nat ten\nStudio\nwrote:\nmore"},
		"ok/two characters between":            {"Yes\n\nOn ab wrote:\nmore", "Yes\n\nOn ab wrote:\nmore"},
		"ok/200 characters between":            {"Yes\n\nOn " + strings.Repeat("x", 199) + " wrote:\nold", "Yes"},
		"ok/over 200 characters between":       {"Yes\n\nOn " + strings.Repeat("x", 210) + " wrote:\nmore", "Yes\n\nOn " + strings.Repeat("x", 210) + " wrote:\nmore"},
		"ok/em escreveu":                       {"Sim\n\nEm qui., 1 de out. de 2026, Ana escreveu:\nold", "Sim"},
		"ok/a escreveu":                        {"Sim\n\nA 01/10/2026, Ana escreveu:\nold", "Sim"},
		"ok/le a écrit":                        {"Oui\n\nLe 1 oct., Ana a écrit :\nold", "Oui"},
		"ok/el escribió":                       {"Sí\n\nEl 1 oct., Ana escribió:\nold", "Sí"},
		"ok/am schrieb":                        {"Ja\n\nAm 1. Okt. schrieb Ana <a@b.example>:\nold", "Ja"},
		"ok/am without schrieb":                {"Am 7. um 10 Uhr:\nEinverstanden\nAm 8. nicht:", "Am 7. um 10 Uhr:\nEinverstanden\nAm 8. nicht:"},
		"ok/own sentence with a colon":         {"I would like:\n- a chair\nYou wrote:\nfive euros", "I would like:\n- a chair\nYou wrote:\nfive euros"},
		"ok/first line is an attribution":      {"On Thu, Ana wrote:\n> old\n\nMy answer", "My answer"},
		"ok/nothing but an attribution":        {"On Thu, Ana wrote:\n> old", "On Thu, Ana wrote:\n> old"},
		"ok/original message":                  {"Yes\n\n-----Original Message-----\nold", "Yes"},
		"ok/mensagem original":                 {"Sim\n---- Mensagem original ----\nold", "Sim"},
		"ok/original in a sentence":            {"Yes\nThe Original Message -- was better --", "Yes\nThe Original Message -- was better --"},
		"ok/nineteen underscores":              {"Yes\n" + strings.Repeat("_", 19) + "\nFrom: Ana\nmore", "Yes\n" + strings.Repeat("_", 19) + "\nFrom: Ana\nmore"},
		"ok/underscores and a header":          {"Yes\n" + strings.Repeat("_", 20) + "\nFrom: a@b.example\nTo: c\nold", "Yes"},
		"ok/underscores, blank, header":        {"Yes\n" + strings.Repeat("_", 30) + "\n\nDe: a\nEnviado: b\nold", "Yes"},
		"ok/underscores alone":                 {"Yes\n" + strings.Repeat("_", 30) + "\nmore\nFrom: x", "Yes\n" + strings.Repeat("_", 30) + "\nmore\nFrom: x"},
		"ok/header block":                      {"Yes\nFrom: Ana <a@b.example>\nSent: Thursday\nold", "Yes"},
		"ok/header block in Portuguese":        {"Sim\nDe: Ana\nEnviada: quinta\nAssunto: x\nold", "Sim"},
		"ok/header block in bold":              {"Yes\n*From:* Ana <a@b.example>\n*Date:* Thursday\nold", "Yes"},
		"ok/header block in German":            {"Ja\nVon: Ana\nGesendet: Donnerstag\nold", "Ja"},
		"ok/a lone From line":                  {"Yes\nFrom: Lisbon\nby car", "Yes\nFrom: Lisbon\nby car"},
		"ok/a journey":                         {"Please\nFrom: Lisbon\nTo: Faro\nDate: Friday", "Please\nFrom: Lisbon\nTo: Faro\nDate: Friday"},
		"ok/signature":                         {"Yes\n-- \nAna", "Yes"},
		"ok/signature without blank":           {"Yes\n--\nAna", "Yes"},
		"ok/three dashes":                      {"Yes\n---\nmore", "Yes\n---\nmore"},
		"ok/signature first":                   {"-- \nAna", "-- \nAna"},
		"ok/telephone":                         {"Yes\nSent from my iPhone", "Yes"},
		"ok/telefone":                          {"Sim\nEnviado do meu telemóvel\nmore", "Sim"},
		"ok/a partir do":                       {"Sim\nEnviado a partir do Yahoo Mail", "Sim"},
		"ok/outlook":                           {"Yes\nGet Outlook for iOS<https://x.example>", "Yes"},
		"ok/obter o outlook":                   {"Sim\nObter o Outlook para Android", "Sim"},
		"ok/quoted lines anywhere":             {"> a\nb\n> c\nd", "b\nd"},
		"ok/indented quoted lines":             {"b\n  > c", "b"},
		"ok/all quoted":                        {"> a\n> b", "> a\n> b"},
		"ok/interleaved below an attribution":  {"Hi\nOn Thu, Ana wrote:\n> one?\nyes\n> two?\nno\n-- \nAna", "Hi\nyes\nno"},
		"ok/signature below a quotation":       {"Hi\nOn Thu, Ana wrote:\n> one?\n\n-- \nAna", "Hi"},
		"ok/a quoted line broken":              {"Hi\nOn Thu, Ana wrote:\n> " + strings.Repeat("word ", 14) + "\nand on.\n> more", "Hi"},
		"ok/a forward":                         {"See:\n---------- Forwarded message ---------\nFrom: a@b.example\nSubject: x\n\n> body", "See:\n---------- Forwarded message ---------\nFrom: a@b.example\nSubject: x\n\n> body"},
		"ok/mensagem reencaminhada":            {"Ver:\n-------- Mensagem reencaminhada --------\nDe: a@b.example\nAssunto: x\n\ncorpo", "Ver:\n-------- Mensagem reencaminhada --------\nDe: a@b.example\nAssunto: x\n\ncorpo"},
		"ok/passed on without a word":          {"From: Bob <b@x.example>\nSent: Monday\nTo: Ana\nSubject: list\n\n10 chairs\n\nBob", "From: Bob <b@x.example>\nSent: Monday\nTo: Ana\nSubject: list\n\n10 chairs\n\nBob"},
		"ok/a website's form":                  {"Name: Ana\nFrom: ana@example.com\nSubject: Table\nDate: 7 October\n\nMessage Body:\nFor six, please.", "Name: Ana\nFrom: ana@example.com\nSubject: Table\nDate: 7 October\n\nMessage Body:\nFor six, please."},
		"ok/a form that begins with From":      {"From: Ana <ana@example.com>\nSubject: Table\n\nMessage Body:\nFor six, please.", "From: Ana <ana@example.com>\nSubject: Table\n\nMessage Body:\nFor six, please."},
		"ok/a time before a header block":      {"See you at 10:30\nFrom: Bob <b@x.example>\nSent: Monday\nold", "See you at 10:30"},
		"ok/original passed on":                {"\n-----Original Message-----\nFrom: Bob <b@x.example>\nSubject: list\n\n10 chairs", "-----Original Message-----\nFrom: Bob <b@x.example>\nSubject: list\n\n10 chairs"},
		"ok/underscores, passed on":            {strings.Repeat("_", 32) + "\nFrom: Bob <b@x.example>\nSubject: list\n\n10 chairs", strings.Repeat("_", 32) + "\nFrom: Bob <b@x.example>\nSubject: list\n\n10 chairs"},
		"ok/forward in English, no dashes":     {"See\n\nBegin forwarded message:\n\nFrom: Bob <b@x.example>\nSubject: list\n\n10", "See\n\nBegin forwarded message:\n\nFrom: Bob <b@x.example>\nSubject: list\n\n10"},
		"ok/forward in Portuguese, no dashes":  {"Ver\n\nInício da mensagem reencaminhada:\n\nDe: Bob <b@x.example>\nAssunto: lista\n\n10", "Ver\n\nInício da mensagem reencaminhada:\n\nDe: Bob <b@x.example>\nAssunto: lista\n\n10"},
		"ok/forward in Spanish, no dashes":     {"Ver\n\nInicio del mensaje reenviado:\n\nDe: Bob <b@x.example>\nAsunto: lista\n\n10", "Ver\n\nInicio del mensaje reenviado:\n\nDe: Bob <b@x.example>\nAsunto: lista\n\n10"},
		"ok/forward in French, no dashes":      {"Voir\n\nDébut du message réexpédié :\n\nDe: Bob <b@x.example>\nObjet: liste\n\n10", "Voir\n\nDébut du message réexpédié :\n\nDe: Bob <b@x.example>\nObjet: liste\n\n10"},
		"ok/forward in German, no dashes":      {"Siehe\n\nAnfang der weitergeleiteten Nachricht:\n\nVon: Bob <b@x.example>\nBetreff: Liste\n\n10", "Siehe\n\nAnfang der weitergeleiteten Nachricht:\n\nVon: Bob <b@x.example>\nBetreff: Liste\n\n10"},
		"ok/forward in Italian, no dashes":     {"Vedi\n\nInizio messaggio inoltrato:\n\nDa: Bob <b@x.example>\nOggetto: lista\n\n10", "Vedi\n\nInizio messaggio inoltrato:\n\nDa: Bob <b@x.example>\nOggetto: lista\n\n10"},
		"ok/a sentence about a forward":        {"Yes\nForwarded message was unreadable, sorry\n-- \nAna", "Yes\nForwarded message was unreadable, sorry"},
		"ok/header block in Brazil":            {"Sim\nDe: Ana <a@b.example>\nEnviada em: quinta\nPara: x\nAssunto: y\nold", "Sim"},
		"ok/header block in Dutch":             {"Ja\nVan: Ana <a@b.example>\nVerzonden: do\nAan: x\nold", "Ja"},
		"ok/schrieb am":                        {"Ja\n\nAna <a@b.example> schrieb am Mo., 1. März 2027, 10:00:\nold", "Ja"},
		"ok/hat geschrieben":                   {"Ja\n\nAm Montag, 1. März 2027 um 10:00:00 MEZ hat Ana <a@b.example> Folgendes geschrieben:\nold", "Ja"},
		"ok/op schreef":                        {"Ja\n\nOp ma 1 mrt 2027 om 10:00 schreef Ana <a@b.example>:\nold", "Ja"},
		"ok/op without schreef":                {"Op 7 maart 10:00 graag:\nJa", "Op 7 maart 10:00 graag:\nJa"},
		"ok/mail original":                     {"Oui\n\n----- Mail original -----\nvieux", "Oui"},
		"ok/ein Satz mit gesendet":             {"Das Paket wurde\ngesendet von Berlin.\nDanke", "Das Paket wurde\ngesendet von Berlin.\nDanke"},
		"ok/una frase con inviato":             {"Il pacco fu\ninviato da Milano.\nGrazie", "Il pacco fu\ninviato da Milano.\nGrazie"},
		"ok/von meinem/meiner":                 {"Ja\nVon meinem/meiner Galaxy gesendet", "Ja"},
		"ok/enviado do correio":                {"Sim\nEnviado do Correio para Windows", "Sim"},
		"ok/inviato da iPhone":                 {"Sì\nInviato da iPhone", "Sì"},
		"ok/holen sie sich":                    {"Ja\nHolen Sie sich Outlook für iOS", "Ja"},
		"ok/an answer behind a long quotation": {strings.Repeat("> old\n", 50_000) + "new", "new"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := stripQuoted(c.in); got != strings.TrimRight(c.want, " ") && got != c.want && got != tidy(c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestEnvelopeLine: the first line of a mailbox file is no field, "From :" is one.
func TestEnvelopeLine(t *testing.T) {
	for in, want := range map[string]string{
		"From : ana@example.com\r\n\r\nx":                                                           "ana@example.com",
		"From a@b.example Mon Mar  1 10:00:00 2027\r\nFrom: ana@example.com\r\n\r\nx":               "ana@example.com",
		">From a@b.example Mon Mar  1 10:00:00 2027\r\nFrom: ana@example.com\r\n\r\nFrom here on x": "ana@example.com",
	} {
		if r, err := Parse([]byte(in), Delivery{}); err != nil || r.From.Email != want {
			t.Errorf("%q: %q, %v", in, r.From.Email, err)
		}
	}
}

// TestWordsThatNothingSaysHowToRead: a type that is none, a charset whose decoder
// keeps nothing, and words that nobody sees.
func TestWordsThatNothingSaysHowToRead(t *testing.T) {
	for name, c := range map[string]struct{ kind, body, want string }{
		"ok/a type that is none":       {"garbage", "Words.", "Words."},
		"ok/text and no more":          {"text; charset=utf-8", "Olá", "Olá"},
		"ok/iso-2022-kr":               {"text/plain; charset=iso-2022-kr", "Words.", "Words."},
		"ok/hz-gb-2312":                {"text/plain; charset=hz-gb-2312", "Words.", "Words."},
		"ok/nothing that is seen":      {"text/plain; charset=utf-8", "\u200b\u00a0\n\u2060", emptyText},
		"ok/nothing seen, but in HTML": {"multipart/alternative; boundary=b", "--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\u200b\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Words.\r\n--b--", "Words."},
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := Parse([]byte("From: ana@example.com\r\nContent-Type: "+c.kind+"\r\n\r\n"+c.body), Delivery{}); err != nil || r.Text != c.want || len(r.Attachments) != 0 {
				t.Errorf("%q, %v, %d files", r.Text, err, len(r.Attachments))
			}
		})
	}
}

// TestDeclaredType: a type as a sender says it, as long as it is one.
func TestDeclaredType(t *testing.T) {
	for in, want := range map[string]string{
		"application/pdf": "application/pdf",
		"application/vnd.oasis.opendocument.text+x": "application/vnd.oasis.opendocument.text+x",
		"application/" + strings.Repeat("x", 243):   "application/" + strings.Repeat("x", 243),
		"application/" + strings.Repeat("x", 244):   "application/octet-stream",
		"application/a/b":                           "application/octet-stream",
		"application/\u202efdp":                     "application/octet-stream",
		"application/a b":                           "application/octet-stream",
	} {
		if got := declared(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestReadMailboxes(t *testing.T) {
	cases := map[string]struct {
		in    string
		want  []mailbox
		group bool
	}{
		"ok/bare":                   {"a@b.example", []mailbox{{"", "a@b.example"}}, false},
		"ok/name":                   {"Ana Silva <a@b.example>", []mailbox{{"Ana Silva", "a@b.example"}}, false},
		"ok/quoted":                 {`"Silva, Ana; x" <a@b.example>`, []mailbox{{"Silva, Ana; x", "a@b.example"}}, false},
		"ok/escaped quote":          {`"A \"B\" C" <a@b.example>`, []mailbox{{`A "B" C`, "a@b.example"}}, false},
		"ok/comment":                {"a@b.example (Ana)", []mailbox{{"Ana", "a@b.example"}}, false},
		"ok/comment in brackets":    {"Ana (x) <a@b.example>", []mailbox{{"Ana", "a@b.example"}}, false},
		"ok/two":                    {"a@b.example, C <c@d.example>", []mailbox{{"", "a@b.example"}, {"C", "c@d.example"}}, false},
		"ok/unquoted comma":         {"Silva, Ana <a@b.example>", []mailbox{{"Silva, Ana", "a@b.example"}}, false},
		"ok/empty places":           {", a@b.example,,", []mailbox{{", ", "a@b.example"}}, false},
		"ok/no closing bracket":     {"Ana <a@b.example", []mailbox{{"Ana", "a@b.example"}}, false},
		"ok/no closing quote":       {`"Ana <a@b.example>`, []mailbox{{"Ana", "a@b.example"}}, false},
		"ok/address in the name":    {`"x@y.example" <a@b.example>`, []mailbox{{"x@y.example", "a@b.example"}}, false},
		"ok/encoded comma":          {"=?utf-8?q?a,b?= <a@b.example>", []mailbox{{"=?utf-8?q?a,b?=", "a@b.example"}}, false},
		"ok/two pairs of brackets":  {"A <a@b.example> <c@d.example>", []mailbox{{"A", "a@b.example"}, {"", "c@d.example"}}, false},
		"ok/group":                  {"G: a@b.example, c@d.example;", []mailbox{{"", "a@b.example"}, {"", "c@d.example"}}, true},
		"ok/empty group":            {"undisclosed-recipients:;", nil, true},
		"ok/nothing":                {"", nil, false},
		"ok/words alone":            {"Ana Silva", nil, false},
		"ok/name without brackets":  {"Ana a@b.example", []mailbox{{"Ana", "a@b.example"}}, false},
		"ok/a comment with a comma": {"a@b.example (x, y), c@d.example", []mailbox{{"x, y", "a@b.example"}, {"", "c@d.example"}}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, group := readMailboxes(c.in)
			for i := range got {
				got[i].name = strings.TrimSpace(strings.Trim(got[i].name, ", "))
			}
			for i := range c.want {
				c.want[i].name = strings.Trim(c.want[i].name, ", ")
			}
			if !slices.Equal(got, c.want) || group != c.group {
				t.Errorf("%q %v, want %q", got, group, c.want)
			}
		})
	}
}

func TestHTMLText(t *testing.T) {
	cases := map[string]struct{ in, kept, whole string }{
		"ok/words":                  {"a  b\n c", "a b c", "a b c"},
		"ok/paragraphs":             {"<p>a</p><p>b</p>", "a\nb", "a\nb"},
		"ok/empty paragraph":        {"<p>a</p><p>&nbsp;</p><p>b</p>", "a\n\nb", "a\n\nb"},
		"ok/breaks":                 {"a<br>b<br/>c</br>d", "a\nb\nc\nd", "a\nb\nc\nd"},
		"ok/break at a block's end": {"<div>a<br></div><div>b</div>", "a\nb", "a\nb"},
		"ok/inline":                 {"<b>a</b><i>b</i> <u>c</u>", "ab c", "ab c"},
		"ok/cells":                  {"<table><tr><td>a</td><td>b</td></tr></table>", "a b", "a b"},
		"ok/list":                   {"<ul><li>a</li><li>b</li></ul>c", "- a\n- b\nc", "- a\n- b\nc"},
		"ok/gmail":                  {`a<div class="gmail_quote">q</div>b`, "a\nb", "a\nq\nb"},
		"ok/gmail extra":            {`a<div class="x gmail_extra">q</div>`, "a", "a\nq"},
		"ok/class as a part":        {`a<div class="not_a_gmail_quotes">q</div>`, "a\nq", "a\nq"},
		"ok/cite":                   {`a<blockquote type=CITE>q</blockquote>b`, "a\nb", "a\nq\nb"},
		"ok/own quotation":          {`a<blockquote>q</blockquote>b`, "a\nq\nb", "a\nq\nb"},
		"ok/moz":                    {`a<div class="moz-cite-prefix">On</div><blockquote>q</blockquote>b<blockquote>r</blockquote>`, "a\nb\nr", "a\nOn\nq\nb\nr"},
		"ok/outlook, all after":     {`a<div id="divRplyFwdMsg">q</div>b`, "a", "a\nq\nb"},
		"ok/outlook web":            {`a<div id="x_appendonsend"></div>b`, "a", "a\nb"},
		"ok/yahoo":                  {`a<div class="yahoo_quoted">q</div>`, "a", "a\nq"},
		"ok/OLK":                    {`a<span id="OLK_SRC_BODY_SECTION"><div>q</div></span>b`, "a\nb", "a\nq\nb"},
		"ok/forward":                {`a<div class="gmail_quote"><div>---------- Forwarded message ---------</div><p>q</p></div>`, "a\n---------- Forwarded message ---------\nq", "a\n---------- Forwarded message ---------\nq"},
		"ok/an answer to a forward": {`a<div class="gmail_quote"><div>On Thu, Ana wrote:</div><blockquote class="gmail_quote">q<div class="gmail_quote"><div>---------- Forwarded message ---------</div>r</div></blockquote></div>`, "a", "a\nOn Thu, Ana wrote:\nq\n---------- Forwarded message ---------\nr"},
		"ok/forward, in pieces":     {`a<div class="gmail_quote">---------- <b>Forwarded message</b> ---------<p>q</p></div>`, "a\nForwarded message ---------\nq", "a\n---------- Forwarded message ---------\nq"},
		"ok/forward, cited":         {`a<blockquote type="cite"><div>Début du message réexpédié :</div><p>q</p></blockquote>`, "a\nDébut du message réexpédié :\nq", "a\nDébut du message réexpédié :\nq"},
		"ok/hidden":                 {`a<p style="DISPLAY : None">x</p><p style="color:red;display:none !important">x</p>b`, "a\nb", "a\nb"},
		"ok/hidden inside":          {`<div style="display:none">x<p>y</p></div>b`, "b", "b"},
		"ok/of no size":             {`<p style="font-size:0.0px">x</p><p style="width:0;height:0;overflow:hidden">x</p>b`, "b", "b"},
		"ok/of no size either way":  {`<div style="width:0px; height: 0">x</div><div style="max-height:0;max-width:0;">x</div>b`, "b", "b"},
		"ok/of some size":           {`<p style="font-size:0.5em;height:0">x</p>`, "x", "x"},
		"ok/head never closed":      {`<head><title>t</title><body>b`, "b", "b"},
		"ok/script":                 {`a<script>if (1 < 2) x()</script><style>p{}</style><template>t</template>b`, "ab", "ab"},
		"ok/comment":                {`a<!-- x -->b<!--[if mso]>y<![endif]-->c`, "abc", "abc"},
		"ok/less than":              {"1 < 2 &lt; 3", "1 < 2 < 3", "1 < 2 < 3"},
		"ok/nothing":                {"", "", ""},
		"ok/hidden never closed":    {`a<p hidden>x<p>b`, "a\nb", "a\nb"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if kept, whole := htmlText(c.in); kept != c.kept || whole != c.whole {
				t.Errorf("%q and %q, want %q and %q", kept, whole, c.kept, c.whole)
			}
		})
	}
}

func TestTransferDecode(t *testing.T) {
	cases := map[string]struct{ encoding, in, want string }{
		"ok/base64":                 {"base64", "SGVs\r\nbG8=", "Hello"},
		"ok/base64 without padding": {"base64", "SGVsbG8", "Hello"},
		"ok/base64 cut":             {"base64", "SGVsb", "Hel"},
		"ok/base64 joined":          {"base64", "SGk=SGk=", "HiHi"},
		"ok/base64 with junk":       {"base64", "S*G!k=", "Hi"},
		"ok/base64 of URLs":         {"base64", "_-8=", "\xff\xef"},
		"ok/quoted":                 {"quoted-printable", "a=20b=C3=A9=\r\nc  \r\nd", "a bé" + "c\r\nd"},
		"ok/quoted, small letters":  {"quoted-printable", "=c3=a9", "é"},
		"ok/quoted, broken":         {"quoted-printable", "a=b =", "a=b "},
		"ok/seven bits":             {"7bit", "a=20b", "a=20b"},
		"ok/unknown":                {"x-uuencode", "a=20b", "a=20b"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := string(transferDecode([]byte(c.in), c.encoding))
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if n := decodedSize([]byte(c.in), c.encoding); n < len(got) {
				t.Errorf("size %d of %d", n, len(got))
			}
		})
	}
}

func TestThreadKeys(t *testing.T) {
	for in, want := range map[string][]string{
		"<a@b.example>": {"<a@b.example>", "a@b.example", "a"}, " < a@b.example > ": {"<a@b.example>", "a@b.example", "a"}, "a@b@c.example": {"<a@b@c.example>", "a@b@c.example", "a@b"},
		"0102-x": {"<0102-x>", "0102-x"}, "": nil, "<>": nil, "<" + strings.Repeat("x", 999) + ">": nil,
	} {
		if got := IDForms(in); !slices.Equal(got, want) {
			t.Errorf("forms of %q: %q", in, got)
		}
	}
	const token = "abcdefghijklmnopqrstuvwx27"
	for in, ok := range map[string]bool{
		"reply+" + token + "@in.example": true, "REPLY+" + strings.ToUpper(token) + "@IN.example": true, "reply+" + token + "a@in.example": false,
		"reply+" + token[:25] + "1@in.example": false, "reply-" + token + "@in.example": false, "xreply+" + token + "@in.example": false, "reply+@in.example": false, "": false,
	} {
		if got, is := ReplyTokenOf(in); is != ok || ok && got != token {
			t.Errorf("token of %q: %q %v", in, got, is)
		}
	}
	for in, want := range map[string]string{
		"7k3qxa": "7K3QXA", "7K3-QXA": "7K3QXA", "7K 3Q XA": "7K3QXA", "OIL123": "011123", "7K3QX": "", "7K3QXAB": "", "7K3QXU": "", "7K3QX!": "", "": "",
	} {
		if got := NormalReference(in); got != want {
			t.Errorf("reference %q: %q", in, got)
		}
	}
	cases := map[string]struct {
		subject, text string
		want          []string
	}{
		"ok/English":              {"", "Reference: 7K3QXA", []string{"7K3QXA"}},
		"ok/Portuguese":           {"", "x\nReferência: 7K3QXA.", []string{"7K3QXA"}},
		"ok/decomposed":           {"", text("Refere\u0302ncia : 7k3qxa"), []string{"7K3QXA"}},
		"ok/subject":              {"Re: 7K3QXA?", "", []string{"7K3QXA"}},
		"ok/twice":                {"7K3QXA", "REFERENCE: 7K3-QXA", []string{"7K3QXA"}},
		"ok/two":                  {"7K3QXA 8K3QXA", "", []string{"7K3QXA", "8K3QXA"}},
		"ok/letters in capitals":  {"ABCDEF", "", []string{"ABCDEF"}},
		"ok/small letters":        {"please", "", nil},
		"ok/longer words":         {"Reference: 7K3QXAB", "Reference: 7K3QXAB", nil},
		"ok/no word before it":    {"", "7K3QXA", nil},
		"ok/eleven are too many":  {strings.Repeat("A1B2C3 ", 3) + "B1B2C3 C1B2C3 D1B2C3 E1B2C3 F1B2C3 G1B2C3 H1B2C3 J1B2C3 K1B2C3 M1B2C3", "", []string{"A1B2C3", "B1B2C3", "C1B2C3", "D1B2C3", "E1B2C3", "F1B2C3", "G1B2C3", "H1B2C3", "J1B2C3", "K1B2C3"}},
		"ok/not over a paragraph": {"", "Reference: none\n\nABCDEF", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := references(c.subject, c.text); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestStructureAsTheLibrary compares our cutting into parts with the library's,
// for the corpus's messages that are whole.
func TestStructureAsTheLibrary(t *testing.T) {
	parser := enmime.NewParser(enmime.RawContent(true), enmime.DisableCharacterDetection(true))
	compared := 0
	for name, s := range corpus(t) {
		if strings.HasPrefix(name, "mime-") || strings.HasPrefix(name, "spoof-") {
			continue // broken on purpose
		}
		theirs, err := parser.ReadParts(strings.NewReader(string(s.raw)))
		if err != nil || len(theirs.Errors) > 0 {
			continue
		}
		h, body, _ := readHeader(s.raw)
		if got, want := outline(new(scan).message(h, body)), libraryOutline(theirs); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, the library %q", name, got, want)
		}
		compared++
	}
	if compared < 150 {
		t.Errorf("only %d compared", compared)
	}
}

// outline is the leaves of a message: type and the words of the body.
func outline(p *part) (list []string) {
	p.walk(func(q *part) {
		if q.children == nil {
			list = append(list, q.kind+" "+squeeze(q.body))
		}
	})
	return list
}

func libraryOutline(p *enmime.Part) (list []string) {
	if p.FirstChild == nil {
		kind := p.ContentType
		if kind == "" || kind == "text" {
			kind = "text/plain"
		}
		return []string{kind + " " + squeeze(p.Content)}
	}
	for c := p.FirstChild; c != nil; c = c.NextSibling {
		list = append(list, libraryOutline(c)...)
	}
	return list
}

func squeeze(b []byte) string { return strings.Join(strings.Fields(string(b)), " ") }
