package main

// What the bot should do, told as facts; `upcard check` tries the rest.

import (
	"strings"
	"testing"

	"upcard"
)

func hand(t *testing.T, names string) (cards []upcard.Card) {
	t.Helper()
	for _, name := range strings.Fields(names) {
		card, err := upcard.ParseCard(name)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, card)
	}
	return cards
}

func TestTheLeftBowerIsATrump(t *testing.T) {
	if count := trumps(hand(t, "9H AH JD 9C TC"), upcard.Hearts); count != 3 {
		t.Errorf("counted %d trumps, not 3", count)
	}
}

func TestTheOtherJacksAreNone(t *testing.T) {
	if count := trumps(hand(t, "9H AH JC JS TC"), upcard.Hearts); count != 2 {
		t.Errorf("counted %d trumps, not 2", count)
	}
}
