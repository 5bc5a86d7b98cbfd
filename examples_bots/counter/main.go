// Counter plays both games by counting cards: it knows which are out, and who can no longer have
// them. Begin here, then see what it counts in counting.go, and each game in its own file.
package main

import "upcard"

func main() {
	upcard.Run(func(upcard.Table) upcard.Bot {
		return upcard.ByPhase{Bid: call, Discard: discard, Play: play}
	})
}

// play leads to a trick, or follows.
func play(view *upcard.View, _ []upcard.Action) upcard.Action {
	leads := view.Leader() == view.Seat()
	switch {
	case leads && view.Game() == upcard.Euchre:
		return upcard.Play(leadEuchre(view))
	case leads:
		return upcard.Play(leadWhist(view))
	default:
		return upcard.Play(follow(view))
	}
}
