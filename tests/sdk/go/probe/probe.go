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
		time.Sleep(30 * time.Millisecond)
	case probe.does == "log":
		upcard.Log("a word from the probe")
	}
	return legal[0]
}

// illegal gives a card when a call is due, and a call when a card is.
func illegal(view *upcard.View) upcard.Action {
	if view.Phase() == upcard.Bidding {
		return upcard.Play(upcard.CardOf(upcard.Jack, upcard.Diamonds))
	}
	return upcard.Pass
}

func main() {
	upcard.Run(func(upcard.Table) upcard.Bot { return &probe{does: os.Args[1]} })
}
