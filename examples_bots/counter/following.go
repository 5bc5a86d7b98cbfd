package main

// Following to a trick, which goes by the same thoughts in both games.

import (
	"slices"

	"upcard"
)

// follow leaves the trick to partner if it is hers; else it wins it as cheaply as will do.
func follow(view *upcard.View) upcard.Card {
	legal := view.LegalCards()
	takers := where(legal, view.TakesTrick)
	if len(takers) == 0 || isPartners(view) {
		return cheapest(view, legal)
	}
	sure := where(takers, func(card upcard.Card) bool { return isSure(view, card) })
	switch {
	case len(sure) > 0:
		return cheapest(view, sure)
	case len(view.Trick()) == 1 && !isRuff(view, takers[0]):
		return cheapest(view, legal) // second hand low: partner is still to come
	case view.Game() == upcard.Euchre || isRuff(view, takers[0]):
		return cheapest(view, takers)
	default:
		return thirdHandHigh(view, takers)
	}
}

// isPartners says whether the trick is partner's, surely or, in euchre, with a king or better.
func isPartners(view *upcard.View) bool {
	card := view.WinningCard()
	if !view.PartnerIsWinning() {
		return false
	}
	high := view.Game() == upcard.Euchre && view.Strength(card) >= view.Strength(king)
	return high || isSure(view, card)
}

// king stands for the strength of any plain king.
var king = upcard.CardOf(upcard.King, upcard.Clubs)

// thirdHandHigh plays our best, unless partner's own card is next to it and does as well.
func thirdHandHigh(view *upcard.View, takers []upcard.Card) upcard.Card {
	best := slices.MaxFunc(takers, weaker(view))
	if view.PartnerIsWinning() && view.Strength(best) == view.Strength(view.WinningCard())+1 {
		return cheapest(view, view.LegalCards())
	}
	return best
}

// isRuff says whether playing a card would trump another suit.
func isRuff(view *upcard.View, card upcard.Card) bool {
	return view.SuitLed() != view.Trump() && view.EffectiveSuit(card) == view.Trump()
}
