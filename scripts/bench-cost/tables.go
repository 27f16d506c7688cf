//go:generate go -C ../.. run ./scripts/bench-cost -write

package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// tables are the parts of docs/COST.md that are made.
func tables(steps []usage, idle float64) string {
	var b strings.Builder
	b.WriteString("\n## 1,000 bookings\n\n| of one booking | write units | read units | invocations | mails |\n|---|---:|---:|---:|---:|\n")
	var sum usage
	for _, s := range steps {
		fmt.Fprintf(&b, "| %s | %.0f | %.1f | %.0f | %.0f |\n", s.step, s.writes, s.reads, s.doors+s.works, s.mails)
		sum.writes, sum.reads, sum.doors, sum.works, sum.mails = sum.writes+s.writes, sum.reads+s.reads, sum.doors+s.doors, sum.works+s.works, sum.mails+s.mails
	}
	fmt.Fprintf(&b, "| **together** | **%.0f** | **%.1f** | **%.0f** | **%.0f** |\n", sum.writes, sum.reads, sum.doors+sum.works, sum.mails)
	bookings, mails := parted(steps)
	b.WriteString("\n| of 1,000 bookings, mail apart | amount | $ |\n|---|---:|---:|\n")
	for _, p := range bill(bookings) {
		fmt.Fprintf(&b, "| %s | %s | %.4f |\n", p.price.name, amount(p.amount), p.amount*p.price.unit)
	}
	fmt.Fprintf(&b, "| **infrastructure** | | **%.4f** (at most %.2f) |\n", dollars(bookings), goal)
	work, service := dollars(mails), 1000*sum.mails*mailed.unit
	fmt.Fprintf(&b, "\n## Mail\n\nA booking is %.0f mails. For 1,000 bookings that is $%.4f of work for them (units and\nfunctions of their rows above) and $%.2f for the mail service, so $%.4f a thousand\nmails. Bookings and the work for their mails together: $%.4f.\n",
		sum.mails, work, service, (work+service)/sum.mails, dollars(steps))
	b.WriteString("\n## The fixed month\n\n| | $ a month |\n|---|---:|\n")
	for _, p := range month(idle) {
		fmt.Fprintf(&b, "| %s | %.2f |\n", p.what, p.dollars)
	}
	b.WriteString("\n")
	return b.String()
}

// amount is a number people can read: whole when it is large.
func amount(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// fixed is one cost that a month has without a booking.
type fixed struct {
	what    string
	dollars float64
}

func month(idle float64) []fixed {
	all := []fixed{
		{"the sweep every minute, with nothing to do", sweeps(idle)},
		{fmt.Sprintf("alarms: %d metrics looked at", alarmMetrics()), float64(alarmMetrics()) * alarmed.unit},
		{"the secret", secretKept.unit},
	}
	sum := 0.0
	for _, f := range all {
		sum += f.dollars
	}
	return append(all, fixed{"**together**", sum},
		fixed{"each metric of our own, in a month in which it occurs", counted.unit},
		fixed{"each GB kept, with point-in-time recovery", stored.unit + recovery.unit})
}

// alarmMetrics counts what the alarms look at: one metric each, or those a
// formula takes.
func alarmMetrics() int {
	raw, err := os.ReadFile("infra/alarms.yaml")
	if err != nil {
		return 0
	}
	return len(regexp.MustCompile(`(?m)^      MetricName:|MetricStat:`).FindAll(raw, -1))
}
