package main

// What the bot should do, told as facts; `upcard check` tries the rest.

import (
	"testing"

	"upcard"
)

// chooses tries what the bot chooses in a situation. West is the dealer, if no other is told.
func chooses(t *testing.T, situation upcard.Situation, want upcard.Action) {
	t.Helper()
	if got, err := situation.Ask(newPlayer); err != nil || got != want {
		t.Errorf("%+v: chose %v, not %v (%v)", situation, got, want, err)
	}
}

func card(t *testing.T, name string) upcard.Card {
	t.Helper()
	found, err := upcard.ParseCard(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestThreeTrumpsAreEnoughToOrderUp(t *testing.T) {
	// The jack of diamonds would be the left bower.
	chooses(t, upcard.Situation{Hand: "9H AH JD 9C TC", Upcard: "KH"}, upcard.OrderUp)
}

func TestTwoTrumpsAreNot(t *testing.T) {
	chooses(t, upcard.Situation{Hand: "9H AH JS 9C TC", Upcard: "KH"}, upcard.Pass)
}

func TestTheDealerKeepsHerTrumps(t *testing.T) {
	situation := upcard.Situation{Hand: "TC AD 9H TH QH KS", Upcard: "QH", Calls: "order_up"}
	chooses(t, situation, upcard.Discard(card(t, "TC")))
}

func TestATrickIsWonAsCheaplyAsItCanBe(t *testing.T) {
	situation := upcard.Situation{Hand: "9C JC KC", Trump: "H", Played: "TC"}
	chooses(t, situation, upcard.Play(card(t, "JC")))
}

func TestPartnersTrickIsLeftToHer(t *testing.T) {
	situation := upcard.Situation{Hand: "TC AC", Trump: "H", Played: "KC 9C"}
	chooses(t, situation, upcard.Play(card(t, "TC")))
}
