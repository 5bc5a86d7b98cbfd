package upcard

// Sets of cards, a bit for each.

import (
	"math/bits"

	"upcard/upcardv1"
)

type cardSet uint64

func (set *cardSet) add(card Card) { *set |= 1 << card }

func (set *cardSet) addAll(cards []upcardv1.Card) {
	for _, card := range cards {
		set.add(Card(card))
	}
}

// cards returns them in the order of the pack.
func (set cardSet) cards() []Card {
	listed := make([]Card, 0, bits.OnesCount64(uint64(set)))
	for ; set != 0; set &= set - 1 {
		listed = append(listed, Card(bits.TrailingZeros64(uint64(set))))
	}
	return listed
}

// pick returns those of some cards that are in the set, in the order of the list.
func (set cardSet) pick(from []Card) []Card {
	picked := make([]Card, 0, len(from))
	for _, card := range from {
		if set>>card&1 == 1 {
			picked = append(picked, card)
		}
	}
	return picked
}
