package office

import (
	"context"
	"fmt"

	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// GetSettings is the settings document with its version; secrets are redacted
// and what is the owner's alone is withheld from others (03 §11.1).
func (o *Office) GetSettings(ctx context.Context, call inbox.Call, _ inbox.Nothing) (inbox.Answer, error) {
	l, err := o.Store.Load(ctx, store.Want{Settings: true})
	if err != nil {
		return inbox.Answer{}, err
	}
	a, err := reading(settingsView(l.SettingsRaw, l.SettingsVersion, call.Caller))
	a.ETag = settingsTag(l.SettingsVersion)
	return a, err
}

func settingsTag(version int) string { return fmt.Sprintf(`W/"%d"`, version) }

func settingsView(raw []byte, version int, c inbox.Caller) inbox.SettingsView {
	doc, redacted, withheld := settings.View(raw, c)
	return inbox.SettingsView{Doc: doc, Version: version, Redacted: redacted, Withheld: withheld}
}

// UpdateSettings changes settings by a merge patch (03 §11). Problems:
// invalid_input, version_conflict, not_allowed.
func (o *Office) UpdateSettings(ctx context.Context, call inbox.Call, req inbox.UpdateSettingsRequest) (inbox.Answer, error) {
	return o.write(ctx, call, "settings.update", req, func(ctx context.Context, _ inbox.Instant) (change, error) {
		l, err := o.Store.Load(ctx, store.Want{Settings: true})
		if err != nil {
			return change{}, err
		}
		if v := req.ExpectedVersion; v != nil && *v != l.SettingsVersion {
			return change{}, inbox.Refuse(inbox.CodeVersionConflict,
				"The settings are at version %d, not %d. Read them again, then decide.", l.SettingsVersion, *v).
				With("currentVersion", l.SettingsVersion)
		}
		next, problems := settings.Patch(l.SettingsRaw, req.Doc, o.MailDomain)
		if len(problems) > 0 {
			return change{}, inbox.InvalidInput(problems...)
		}
		if p := settings.Guard(settings.Effective(l.SettingsRaw), settings.Effective(next), call.Caller); p != nil {
			return change{}, p
		}
		doc := store.SettingsDoc{Doc: next, Version: l.SettingsVersion + 1}
		return change{
			setUp: store.SetUp{Settings: &doc}, status: 200, etag: settingsTag(doc.Version),
			body: settingsView(next, doc.Version, call.Caller),
		}, nil
	})
}

// MailStatus says whether mail can be sent and from which address (05 §4.1).
func (o *Office) MailStatus(ctx context.Context, _ inbox.Call, _ inbox.Nothing) (inbox.Answer, error) {
	l, err := o.effective(ctx, store.Want{})
	if err != nil {
		return inbox.Answer{}, err
	}
	v := inbox.MailStatusView{Service: o.MailService, Links: o.PublicURL != ""}
	sender, ok := settings.Effective(l.SettingsRaw).Sender(o.MailDomain)
	switch {
	case o.MailService == "":
		v.Service = "none"
		v.SenderProblem = inbox.Ptr("no mail service is connected")
	case !ok:
		v.SenderProblem = inbox.Ptr("no mail domain is set up, so there is no address to send from")
	default:
		v.Sender = &sender
	}
	if err := o.sending(ctx, &v); err != nil {
		return inbox.Answer{}, err
	}
	return reading(v)
}

// maxSuppressed is how many addresses the mail status lists.
const maxSuppressed = 200

// sending adds what the mail service said of the sender, where mail arrives, and
// which addresses are not mailed (09).
func (o *Office) sending(ctx context.Context, v *inbox.MailStatusView) error {
	if o.InboundDomain != "" {
		v.InboundAddress = inbox.Ptr("inbox@" + o.InboundDomain)
	}
	state, err := o.Store.Sender(ctx)
	if err != nil {
		return err
	}
	switch {
	case v.SenderProblem != nil:
	case state.DKIM != "" && state.DKIM != inbox.DKIMVerified:
		v.Sender, v.SenderProblem = nil, inbox.Ptr("the domain's DKIM records are not verified: "+state.DKIM)
	case state.BlockedUntil != nil && *state.BlockedUntil > o.Clock():
		v.SenderProblem = inbox.Ptr("the mail service takes nothing from us for now; it is asked again at " + state.BlockedUntil.String())
	}
	list, err := o.Store.Suppressions(ctx, maxSuppressed)
	v.Suppressions = make([]inbox.SuppressionView, 0, len(list))
	for _, s := range list {
		v.Suppressions = append(v.Suppressions, inbox.SuppressionView{Hash: s.Hash, Reason: s.Reason, Since: s.Since, MailID: s.MailID})
	}
	return err
}
