package main

// Euchre: count the hand before a call, draw trump as makers, cash what is sure.

import (
	"slices"

	"upcard"
)

// Counting a hand: about how many tenths of a trick a card is worth to the maker. Trumps stand in
// the order of their strength: 9 T J Q K A, left bower, right bower. A jack of trump's colour is a
// bower, so the third number is never used.
var trumpWorth = [...]int{4, 4, 0, 4, 5, 6, 7, 11}

const (
	sideAce = 4
	void    = 2

	// What it takes to order up. The dealer gets the upcard, so her side needs less.
	orderUpAsDealer   = 19
	orderUpForPartner = 15
	orderUpAgainst    = 24
	// What it takes to name a suit: those who passed before are weak.
	name = 15
	// What a suit counts more for being likely to suit partner.
	likelySuit = 3
	// What it takes to go alone, when all five tricks are likely.
	alone = 26
	// A side one point from losing has little to lose, and calls on so much less.
	lastChance = 3
)

// call passes, or makes trump if the hand is good enough for it.
func call(view *upcard.View, legal []upcard.Action) upcard.Action {
	count, needed, plain, withoutPartner := bestCall(view)
	if view.Score().Them == view.Target()-1 {
		needed -= lastChance
	}
	mayPass := slices.Contains(legal, upcard.Pass)
	switch {
	case count >= alone && slices.Contains(legal, withoutPartner):
		return withoutPartner
	case slices.Contains(legal, plain) && (count >= needed || !mayPass):
		return plain
	default:
		return legal[0]
	}
}

// bestCall returns what the hand counts with the best suit to be had, and what it takes to call it.
func bestCall(view *upcard.View) (count, needed int, plain, withoutPartner upcard.Action) {
	if len(view.Calls()) < 4 {
		count, needed = countForUpcard(view)
		return count, needed, upcard.OrderUp, upcard.OrderUpAlone
	}
	best := upcard.NoSuit
	for _, suit := range upcard.Suits {
		if suit == view.Upcard().Suit() {
			continue
		}
		if counted := countToName(view, suit); best == upcard.NoSuit || counted >= count {
			count, best = counted, suit
		}
	}
	return count, name, upcard.Name(best), upcard.NameAlone(best)
}

// countToName counts the hand, and what the passes tell: the dealer's side did not want the upcard,
// so it is likely to be short in that colour, and the other side long.
func countToName(view *upcard.View, suit upcard.Suit) int {
	count := countHand(view.Hand(), suit)
	next := suit == view.Upcard().Suit().SameColour()
	if ours := view.Dealer().SameTeam(view.Seat()); next != ours {
		return count + likelySuit
	}
	return count
}

func countForUpcard(view *upcard.View) (count, needed int) {
	trump := view.Upcard().Suit()
	switch view.Dealer() {
	case view.Seat():
		six := append(slices.Clone(view.Hand()), view.Upcard())
		return countHand(without(six, toDiscard(six, trump)), trump), orderUpAsDealer
	case view.Partner():
		return countHand(view.Hand(), trump), orderUpForPartner
	default:
		return countHand(view.Hand(), trump), orderUpAgainst
	}
}

// countHand returns what cards are worth to the maker if a suit is trump.
func countHand(hand []upcard.Card, trump upcard.Suit) (count int) {
	var held [upcard.Spades + 1]bool
	suits := 0
	for _, card := range hand {
		suit := upcard.Euchre.EffectiveSuit(card, trump)
		if !held[suit] {
			held[suit] = true
			suits++
		}
		switch {
		case suit == trump:
			count += trumpWorth[upcard.Euchre.Strength(card, trump)]
		case card.Rank() == upcard.Ace:
			count += sideAce
		}
	}
	if held[trump] {
		count += void * (len(upcard.Suits) - suits)
	}
	return count
}

// discard keeps the five cards that count most: that makes voids.
func discard(view *upcard.View, _ []upcard.Action) upcard.Action {
	return upcard.Discard(toDiscard(view.Hand(), view.Trump()))
}

// toDiscard returns the card without which the others count most; of equal ones the lowest.
func toDiscard(six []upcard.Card, trump upcard.Suit) upcard.Card {
	return slices.MaxFunc(six, func(card, other upcard.Card) int {
		more := countHand(without(six, card), trump) - countHand(without(six, other), trump)
		if more != 0 {
			return more
		}
		return upcard.Euchre.Strength(other, trump) - upcard.Euchre.Strength(card, trump)
	})
}

func without(cards []upcard.Card, away upcard.Card) []upcard.Card {
	return where(cards, func(card upcard.Card) bool { return card != away })
}

// leadEuchre draws trump as makers; else it cashes what is sure, or leads high from a short suit.
func leadEuchre(view *upcard.View) upcard.Card {
	trumps := view.Holding(view.Trump())
	side := where(view.Hand(), func(card upcard.Card) bool { return !isTrump(view, card) })
	if len(side) == 0 || len(trumps) > 0 && shouldDraw(view, trumps) {
		return trumps[0]
	}
	for _, good := range []func(*upcard.View, upcard.Card) bool{isSure, isMaster} {
		if best := where(side, func(card upcard.Card) bool { return good(view, card) }); len(best) > 0 {
			return fromShortest(view, best)
		}
	}
	return fromShortest(view, side)
}

// shouldDraw takes the defenders' trumps away, if they may have any: the maker with two or the
// highest, partner to begin with.
func shouldDraw(view *upcard.View, trumps []upcard.Card) bool {
	switch {
	case theirTrumps(view) == 0:
		return false
	case view.Maker() == view.Seat():
		return len(trumps) >= 2 || isMaster(view, trumps[0])
	default:
		return view.Maker() == view.Partner() && len(view.Tricks()) == 0
	}
}
