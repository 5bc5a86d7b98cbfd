// Probe does what its first argument says, well or ill, to see what becomes of it.
package main

import (
	"os"
	"time"

	"upcard"
)

type probe struct {
	does      string
	decisions int
}

func (probe *probe) Choose(view *upcard.View, legal []upcard.Action) upcard.Action {
	probe.decisions++
	switch {
	case probe.does == "raise" && probe.decisions == 3:
		panic("the probe fails on purpose")
	case probe.does == "illegal":
		return illegal(view)
	case probe.does == "slow":
		compute(30*time.Millisecond, view.Turn() > 5)
	case probe.does == "block":
		compute(0, view.Turn() > 1)
	case probe.does == "log":
		upcard.Log("a word from the probe")
	}
	return legal[0]
}

// ChooseMove plays games described in RECYCLE.
func (*probe) ChooseMove(_ *upcard.RecycleView, legal []string) string { return legal[0] }

// illegal returns a card when a call is due, and a call when a card is.
func illegal(view *upcard.View) upcard.Action {
	if view.Phase() == upcard.Bidding {
		return upcard.Play(upcard.CardOf(upcard.Jack, upcard.Diamonds))
	}
	return upcard.Pass
}

// compute keeps the processor busy for a while, or until the first answers have been heard: a probe that
// only sleeps would let answers leave that wait for it.
func compute(least time.Duration, waits bool) {
	begun := time.Now()
	for time.Since(begun) < least || waits && !heard() {
		if time.Since(begun) > time.Minute {
			panic("nothing was heard meanwhile")
		}
	}
}

func heard() bool {
	_, err := os.Stat(os.Getenv("HEARD"))
	return err == nil
}

func main() {
	upcard.Run(func(upcard.Table) upcard.Bot { return &probe{does: os.Args[1]} })
}
