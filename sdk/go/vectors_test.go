package upcard

// The meaning that all SDKs share, pinned by the vectors in ../testdata.

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// vectors reads a file of them, one JSON object in a line.
func vectors[Vector any](t testing.TB, name string) []Vector {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []Vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var vector Vector
		if err := json.Unmarshal(lines.Bytes(), &vector); err != nil {
			t.Fatalf("%s: %v in %s", name, err, lines.Text())
		}
		all = append(all, vector)
	}
	if len(all) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return all
}

var games = map[string]Game{"euchre": Euchre, "whist": Whist}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestACardHasItsNumberOnTheWire(t *testing.T) {
	for _, vector := range vectors[struct {
		Number uint8
		Card   string
		Suit   Suit
	}](t, "cards.jsonl") {
		card := Card(vector.Number)
		same(t, "name", card.String(), vector.Card)
		same(t, "suit of "+vector.Card, card.Suit(), vector.Suit)
		parsed, err := ParseCard(vector.Card)
		same(t, "number", parsed, card)
		same(t, "error", err, nil)
	}
}

func TestACardCountsAsItsEffectiveSuit(t *testing.T) {
	for _, vector := range vectors[struct {
		Game        string
		Trump, Suit Suit
		Card        Card
		Strength    int
	}](t, "effective_suit.jsonl") {
		game := games[vector.Game]
		same(t, "suit", game.EffectiveSuit(vector.Card, vector.Trump), vector.Suit)
		same(t, "strength", game.Strength(vector.Card, vector.Trump), vector.Strength)
	}
}

func TestACardBeatsAnother(t *testing.T) {
	for _, vector := range vectors[struct {
		Game        string
		Trump       Suit
		Card, Other Card
		Beats       bool
	}](t, "beats.jsonl") {
		beats := games[vector.Game].Beats(vector.Card, vector.Other, vector.Trump)
		same(t, vector.Card.String()+" beats "+vector.Other.String(), beats, vector.Beats)
	}
}

func TestATrickHasAWinner(t *testing.T) {
	for _, vector := range vectors[struct {
		Game        string
		Trump       Suit
		Leader      Seat
		SitsOut     *Seat  `json:"sits_out"`
		Cards       []Card `json:"cards"`
		SuitLed     Suit   `json:"suit_led"`
		WinningSeat Seat   `json:"winning_seat"`
		WinningCard Card   `json:"winning_card"`
	}](t, "trick_winner.jsonl") {
		game := games[vector.Game]
		place := game.Winner(vector.Cards, vector.Trump)
		same(t, "card", vector.Cards[place], vector.WinningCard)
		seat := PlayerAt(vector.Leader, place, seatOr(vector.SitsOut))
		same(t, "seat", seat, vector.WinningSeat)
		same(t, "suit led", game.EffectiveSuit(vector.Cards[0], vector.Trump), vector.SuitLed)
	}
}

func TestTheSuitLedMustBeFollowed(t *testing.T) {
	for _, vector := range vectors[struct {
		Game        string
		Trump       Suit
		Led         Card
		Hand, Legal []Card
	}](t, "legal_plays.jsonl") {
		legal := games[vector.Game].LegalPlays(vector.Hand, vector.Led, vector.Trump)
		same(t, "legal plays", legal, vector.Legal)
	}
}

func seatOr(seat *Seat) Seat {
	if seat == nil {
		return NoSeat
	}
	return *seat
}
