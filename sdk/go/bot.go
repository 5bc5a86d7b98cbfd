package upcard

// What a bot's author writes: something that is asked for decisions.

import "math/rand/v2"

// A Bot plays one match: a new one is made when the first decision in it is due, and dropped when
// it is over. What it keeps is its memory of the match.
type Bot interface {
	// Choose returns one of the legal actions.
	Choose(view *View, legal []Action) Action
}

// A Mover is a [Bot] that plays games described in RECYCLE as well. Choose is not asked there.
type Mover interface {
	Bot
	// ChooseMove returns one of the legal moves, which are told in words.
	ChooseMove(view *RecycleView, legal []string) string
}

// A Table is what a bot knows when it is made.
type Table struct {
	// Seat is your seat for the whole match; NoSeat in a game described in RECYCLE.
	Seat Seat
	// Rules are the rules at the table.
	Rules Rules
	// Recycle is the game, with your seat, if it is described in RECYCLE; else nil.
	Recycle *RecycleRules
	// Random is seeded by the referee: draw from nothing else, and the same match played again
	// goes the same way.
	Random *rand.Rand
}

// ByPhase is a [Bot] that has a function for each kind of decision; whist asks only for Play.
type ByPhase struct {
	// Bid returns a call of euchre, in either round.
	Bid func(view *View, legal []Action) Action
	// Discard returns what the dealer lays away after taking the upcard.
	Discard func(view *View, legal []Action) Action
	// Play returns the card to play.
	Play func(view *View, legal []Action) Action
	// Act returns one of the legal moves of a game described in RECYCLE.
	Act func(view *RecycleView, legal []string) string
}

// Choose asks the function for what is due.
func (bot ByPhase) Choose(view *View, legal []Action) Action {
	decide, name := bot.Play, "Play"
	switch view.Phase() {
	case Bidding:
		decide, name = bot.Bid, "Bid"
	case Discarding:
		decide, name = bot.Discard, "Discard"
	}
	if decide == nil {
		bot.miss(name)
	}
	return decide(view, legal)
}

// ChooseMove asks Act.
func (bot ByPhase) ChooseMove(view *RecycleView, legal []string) string {
	if bot.Act == nil {
		bot.miss("Act")
	}
	return bot.Act(view, legal)
}

func (ByPhase) miss(name string) {
	panic("upcard.ByPhase has no " + name + ", and that is due")
}
