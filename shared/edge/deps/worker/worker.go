// Package worker makes what runs after a commit and on the clock. It stands
// apart so that only the functions that work link it.
package worker

import (
	"typedinbox/shared/blob"
	"typedinbox/shared/desk"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/mail"
	"typedinbox/shared/work"
)

// New makes a worker. send is nil in a function that sends no mail, blobs in one
// that reads none; region is where mail is sent from.
func New(f *deps.Function, send mail.Sender, blobs blob.Store, region string) *work.Worker {
	return work.New(work.Config{
		Store: f.Store, Desk: desk.New(desk.Config{Store: f.Store, Clock: f.Clock, Source: f.Source, Blobs: blobs}),
		Sender: send, Blobs: blobs, Clock: f.Clock, Source: f.Source, Ring: f.Ring,
		MailDomain: f.MailDomain, InboundDomain: f.InboundDomain(), PublicURL: f.PublicURL,
		OwnerEmail: f.OwnerEmail, WireDomain: wireDomain(region), Log: f.Log,
	})
}

// wireDomain is the domain of the Message-ID that SES puts on what it sends
// from a region; its first region has a name of its own.
func wireDomain(region string) string {
	switch region {
	case "":
		return ""
	case "us-east-1":
		return "email.amazonses.com"
	}
	return region + ".amazonses.com"
}
