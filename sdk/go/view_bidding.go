package upcard

// What a view tells of trump, and of how it was made.

import "upcard/upcardv1"

// Upcard is euchre's card turned up.
func (view *View) Upcard() Card { return Card(view.euchre.GetUpcard()) }

// TrumpCard is whist's last card dealt, the dealer's until she plays it.
func (view *View) TrumpCard() Card { return Card(view.turn.GetWhist().GetTrumpCard()) }

// Trump is the trump suit; NoSuit until it is made.
func (view *View) Trump() Suit { return view.trump }

// Calls is what was said so far in euchre, the first to speak first.
func (view *View) Calls() []Action { return appendCalls(nil, view.euchre.GetCalls()) }

// DealerStuck says whether the dealer, when she speaks last, must name a suit.
func (view *View) DealerStuck() bool { return view.euchre.GetDealerStuck() }

// Maker is who made trump.
func (view *View) Maker() Seat { return seatOf(view.euchre.GetMaker()) }

// WeMadeTrump says whether you or your partner made trump.
func (view *View) WeMadeTrump() bool { return view.Maker().SameTeam(view.Seat()) }

// PickedUp says whether the dealer took the upcard, as she does when it is ordered up.
func (view *View) PickedUp() bool {
	return view.Maker() != NoSeat && len(view.euchre.GetCalls()) <= 4
}

// Discard is what you laid away as the dealer.
func (view *View) Discard() Card { return Card(view.euchre.GetDiscard()) }

// SitsOut is the maker's partner when the maker goes alone.
func (view *View) SitsOut() Seat { return view.sitsOut }

// appendCalls reads calls, which have the same numbers on the wire.
func appendCalls(to []Action, calls []upcardv1.EuchreCall) []Action {
	for _, call := range calls {
		to = append(to, Action(call))
	}
	return to
}
