package main

// Choosing among cards by what they are worth to us.

import (
	"cmp"
	"slices"

	"upcard"
)

// where returns those of some cards of which something is so.
func where(cards []upcard.Card, so func(upcard.Card) bool) []upcard.Card {
	var those []upcard.Card
	for _, card := range cards {
		if so(card) {
			those = append(those, card)
		}
	}
	return those
}

// cheapest returns the card to miss least: rather no trump, no master, a low one, from a short
// suit.
func cheapest(view *upcard.View, cards []upcard.Card) upcard.Card {
	return slices.MinFunc(cards, func(card, other upcard.Card) int {
		return cmp.Or(
			noBefore(isTrump(view, card), isTrump(view, other)),
			noBefore(isMaster(view, card), isMaster(view, other)),
			weaker(view)(card, other),
			length(view, card)-length(view, other),
		)
	})
}

// fromShortest returns a card of our shortest suit: others follow there longest. The highest, if it
// has two.
func fromShortest(view *upcard.View, cards []upcard.Card) upcard.Card {
	return slices.MinFunc(cards, func(card, other upcard.Card) int {
		return cmp.Or(length(view, card)-length(view, other), weaker(view)(other, card))
	})
}

// weaker compares cards by their strength.
func weaker(view *upcard.View) func(card, other upcard.Card) int {
	return func(card, other upcard.Card) int { return view.Strength(card) - view.Strength(other) }
}

func isTrump(view *upcard.View, card upcard.Card) bool {
	return view.EffectiveSuit(card) == view.Trump()
}

func length(view *upcard.View, card upcard.Card) int {
	return len(view.Holding(view.EffectiveSuit(card)))
}

func noBefore(is, other bool) int {
	switch {
	case is == other:
		return 0
	case other:
		return -1
	default:
		return 1
	}
}
