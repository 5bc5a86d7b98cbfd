package main

// What a player who counts knows: which cards are out, who may have them, what is sure to win.

import (
	"slices"

	"upcard"
)

// isMaster says whether nobody else can have a higher card of its suit any more.
func isMaster(view *upcard.View, card upcard.Card) bool {
	out := view.StillOut(view.EffectiveSuit(card))
	return len(out) == 0 || view.Strength(card) > view.Strength(out[0])
}

// mayHave says whether a seat may still have cards of a suit: some are out, and it has always
// followed.
func mayHave(view *upcard.View, seat upcard.Seat, suit upcard.Suit) bool {
	return len(view.StillOut(suit)) > 0 && !slices.Contains(view.VoidSuits(seat), suit)
}

// canRuff says whether a seat has shown to be out of a side suit, and may have trumps.
func canRuff(view *upcard.View, seat upcard.Seat, suit upcard.Suit) bool {
	return suit != view.Trump() && slices.Contains(view.VoidSuits(seat), suit) &&
		mayHave(view, seat, view.Trump())
}

// canBeat says whether a seat that is still to play may take the trick from a card, when a suit is
// led. Who may have cards of that suit is taken to follow.
func canBeat(view *upcard.View, seat upcard.Seat, card upcard.Card, led upcard.Suit) bool {
	if mayHave(view, seat, led) {
		return view.EffectiveSuit(card) == led && !isMaster(view, card)
	}
	if led == view.Trump() || !mayHave(view, seat, view.Trump()) {
		return false
	}
	return !isTrump(view, card) || !isMaster(view, card)
}

// isSure says whether no opponent who is still to play can take the trick from a card.
func isSure(view *upcard.View, card upcard.Card) bool {
	led := view.SuitLed()
	if led == upcard.NoSuit {
		led = view.EffectiveSuit(card)
	}
	for _, seat := range opponentsToPlay(view) {
		if canBeat(view, seat, card, led) {
			return false
		}
	}
	return true
}

// opponentsToPlay returns the opponents who play to this trick after us.
func opponentsToPlay(view *upcard.View) []upcard.Seat {
	var toPlay []upcard.Seat
	for seat := view.Seat().Left(); seat != view.Seat() && seat != view.Leader(); seat = seat.Left() {
		if seat != view.Partner() && seat != view.SitsOut() {
			toPlay = append(toPlay, seat)
		}
	}
	return toPlay
}

// theirTrumps returns how many trumps the opponents may have between them.
func theirTrumps(view *upcard.View) int {
	for _, seat := range []upcard.Seat{view.Seat().Left(), view.Seat().Right()} {
		if seat != view.SitsOut() && mayHave(view, seat, view.Trump()) {
			return len(view.StillOut(view.Trump()))
		}
	}
	return 0
}
