package main

// Leading at whist: draw trumps, cash what is sure, let partner ruff, return her suit, lead length.

import (
	"slices"

	"upcard"
)

// leadWhist leads the first there is of: trumps, a card that is sure, one for partner to ruff,
// partner's suit, our longest one.
func leadWhist(view *upcard.View) upcard.Card {
	trumps := view.Holding(view.Trump())
	side := where(view.Hand(), func(card upcard.Card) bool { return !isTrump(view, card) })
	if len(side) == 0 || shouldDrawAll(view, trumps) {
		if isMaster(view, trumps[0]) {
			return trumps[0]
		}
		return trumps[len(trumps)-1]
	}
	sure := where(side, func(card upcard.Card) bool {
		return isMaster(view, card) && isSure(view, card)
	})
	if len(sure) > 0 {
		return fromShortest(view, sure)
	}
	if ruff := forPartnerToRuff(view); ruff != upcard.NoCard {
		return ruff
	}
	if partners := view.Holding(partnersSuit(view)); len(partners) > 0 {
		return partners[0]
	}
	longest := longestSide(view)
	return longest[len(longest)-1]
}

// shouldDrawAll takes the opponents' trumps away when others do not have twice as many as we have.
func shouldDrawAll(view *upcard.View, trumps []upcard.Card) bool {
	theirs := theirTrumps(view)
	return len(trumps) >= 2 && theirs > 0 && theirs <= 2*len(trumps)
}

// forPartnerToRuff returns a low card of a suit that partner is out of and may trump, and in which
// no opponent is known to be able to do the same.
func forPartnerToRuff(view *upcard.View) upcard.Card {
	for _, suit := range upcard.Suits {
		held := view.Holding(suit)
		left, right := view.Seat().Left(), view.Seat().Right()
		overruffed := canRuff(view, left, suit) || canRuff(view, right, suit)
		if len(held) > 0 && canRuff(view, view.Partner(), suit) && !overruffed {
			return held[len(held)-1]
		}
	}
	return upcard.NoCard
}

// partnersSuit returns the side suit partner led first: it is likely to be her longest.
func partnersSuit(view *upcard.View) upcard.Suit {
	for _, trick := range view.Tricks() {
		if trick.Leader != view.Partner() {
			continue
		}
		if suit := trick.Cards[0].Suit(); suit != view.Trump() {
			return suit
		}
		break
	}
	return upcard.NoSuit
}

func longestSide(view *upcard.View) []upcard.Card {
	var suits [][]upcard.Card
	for _, suit := range upcard.Suits {
		if suit != view.Trump() {
			suits = append(suits, view.Holding(suit))
		}
	}
	return slices.MaxFunc(suits, func(suit, other []upcard.Card) int { return len(suit) - len(other) })
}
