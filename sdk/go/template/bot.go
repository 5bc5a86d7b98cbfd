// This bot plays Euchre and Whist: simply for now, and better once you have worked on it.
package main

import (
	"cmp"
	"slices"

	"upcard"
)

func main() { upcard.Run(newPlayer) }

func newPlayer(table upcard.Table) upcard.Bot { return &player{table} }

// player plays one match. Add fields for what it should remember; a bot that draws lots takes them
// from Random, which is in its table.
type player struct {
	upcard.Table
}

// Choose is asked for every decision, and returns one of the legal actions.
func (player *player) Choose(view *upcard.View, legal []upcard.Action) upcard.Action {
	switch view.Phase() {
	case upcard.Bidding:
		return bid(view, legal)
	case upcard.Discarding:
		return upcard.Discard(lowest(view, view.LegalCards()))
	default:
		return upcard.Play(play(view))
	}
}

// bid makes trump of the suit with the most trumps in hand, if that is three or more; never alone.
func bid(view *upcard.View, legal []upcard.Action) upcard.Action {
	best, most := upcard.Pass, 2
	if !slices.Contains(legal, upcard.Pass) {
		most = -1 // a dealer who is stuck has to name her best suit
	}
	for _, action := range legal {
		suit := action.Suit() // of a suit that is named
		if action == upcard.OrderUp {
			suit = view.Upcard().Suit()
		}
		if count := trumps(view.Hand(), suit); count > most && !action.Alone() {
			best, most = action, count
		}
	}
	return best
}

// play wins the trick cheaply if partner is not winning it; else it throws the lowest card.
func play(view *upcard.View) upcard.Card {
	var takers []upcard.Card
	for _, card := range view.LegalCards() {
		if view.TakesTrick(card) {
			takers = append(takers, card)
		}
	}
	switch {
	case view.Leader() == view.Seat():
		return slices.MaxFunc(takers, byWorth(view)) // to a new trick, any card is a taker
	case len(takers) == 0 || view.PartnerIsWinning():
		return lowest(view, view.LegalCards())
	default:
		return lowest(view, takers)
	}
}

// trumps counts the cards that would be trumps; the left bower is one of them.
func trumps(hand []upcard.Card, trump upcard.Suit) (count int) {
	for _, card := range hand {
		if trump != upcard.NoSuit && upcard.Euchre.EffectiveSuit(card, trump) == trump {
			count++
		}
	}
	return count
}

func lowest(view *upcard.View, cards []upcard.Card) upcard.Card {
	return slices.MinFunc(cards, byWorth(view))
}

// byWorth compares cards: any trump is worth more than any other card.
func byWorth(view *upcard.View) func(card, other upcard.Card) int {
	return func(card, other upcard.Card) int {
		if isTrump(view, card) != isTrump(view, other) {
			if isTrump(view, card) {
				return 1
			}
			return -1
		}
		return cmp.Compare(view.Strength(card), view.Strength(other))
	}
}

func isTrump(view *upcard.View, card upcard.Card) bool {
	return view.EffectiveSuit(card) == view.Trump()
}
