package upcard

// Every name of the view, against what the vectors say it gives.

import (
	"encoding/hex"
	"encoding/json"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"

	"upcard/upcardv1"
)

func TestAViewShowsWhatTheSeatKnows(t *testing.T) {
	for _, vector := range viewVectors(t) {
		got := described(t, vector.open(t))
		for name, want := range vector.View {
			if !reflect.DeepEqual(got[name], want) {
				t.Errorf("turn %v: %s is %v, not %v", vector.View["turn"], name, got[name], want)
			}
		}
		same(t, "number of names", len(got), len(vector.View))
	}
}

func TestAViewAnswersTheSameWhenItIsAskedAgain(t *testing.T) {
	for _, vector := range viewVectors(t) {
		view := vector.open(t)
		same(t, "description", described(t, view), described(t, view))
	}
}

func TestAViewPrintsTheSituation(t *testing.T) {
	seen := make(map[string]bool)
	for _, vector := range viewVectors(t) {
		seen[vector.open(t).String()] = true
	}
	for _, line := range []string{
		"euchre, bidding: hand QC 9D AH 9S QS, upcard TS",
		"euchre, playing: hand QC JD TS, trump C, trick AS",
	} {
		same(t, line, seen[line], true)
	}
}

func TestNoCardCountsAsNoSuit(t *testing.T) {
	for _, vector := range viewVectors(t) {
		same(t, "cards held of no suit", len(vector.open(t).Holding(NoSuit)), 0)
	}
}

type viewVector struct {
	Game    string
	Welcome string
	Turn    string
	View    map[string]any
}

func viewVectors(t testing.TB) []viewVector {
	t.Helper()
	return vectors[viewVector](t, "views.jsonl")
}

// open returns the view a bot would get.
func (vector viewVector) open(t testing.TB) *View {
	t.Helper()
	tables := vector.tables(t)
	view, err := newView(vector.turn(t), tables.game, &tables.rules)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

func (vector viewVector) tables(t testing.TB) *tables {
	t.Helper()
	welcome := new(upcardv1.Welcome)
	decode(t, vector.Welcome, welcome)
	tables, err := sitDown(nil, welcome)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func (vector viewVector) turn(t testing.TB) *upcardv1.Turn {
	t.Helper()
	turn := new(upcardv1.Turn)
	decode(t, vector.Turn, turn)
	return turn
}

func decode(t testing.TB, text string, message proto.Message) {
	t.Helper()
	wire, err := hex.DecodeString(text)
	if err == nil {
		err = proto.Unmarshal(wire, message)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// described returns everything a view tells, in the form of the vectors.
func described(t *testing.T, view *View) map[string]any {
	t.Helper()
	left, limited := view.TimeLeft()
	takes := make(map[Card]bool)
	if view.Phase() == Playing {
		for _, card := range view.LegalCards() {
			takes[card] = view.TakesTrick(card)
		}
	}
	all := map[string]any{
		"game":               view.Game().String(),
		"phase":              view.Phase().String(),
		"table":              view.Table(),
		"turn":               view.Turn(),
		"time_left_ms":       unless(!limited, left.Milliseconds()),
		"hand_number":        view.HandNumber(),
		"seat":               view.Seat(),
		"partner":            view.Partner(),
		"dealer":             view.Dealer(),
		"score":              pair(view.Score()),
		"target":             view.Target(),
		"hand":               list(view.Hand()),
		"legal":              list(view.Legal()),
		"legal_cards":        list(view.LegalCards()),
		"upcard":             unless(view.Upcard() == NoCard, view.Upcard()),
		"trump_card":         unless(view.TrumpCard() == NoCard, view.TrumpCard()),
		"trump":              unless(view.Trump() == NoSuit, view.Trump()),
		"calls":              list(view.Calls()),
		"dealer_stuck":       view.DealerStuck(),
		"maker":              unless(view.Maker() == NoSeat, view.Maker()),
		"we_made_trump":      view.WeMadeTrump(),
		"picked_up":          view.PickedUp(),
		"sits_out":           unless(view.SitsOut() == NoSeat, view.SitsOut()),
		"discard":            unless(view.Discard() == NoCard, view.Discard()),
		"leader":             unless(view.Leader() == NoSeat, view.Leader()),
		"trick":              list(view.Trick()),
		"suit_led":           unless(view.SuitLed() == NoSuit, view.SuitLed()),
		"winning_card":       unless(view.WinningCard() == NoCard, view.WinningCard()),
		"winning_seat":       unless(view.WinningSeat() == NoSeat, view.WinningSeat()),
		"partner_is_winning": view.PartnerIsWinning(),
		"last_to_play":       view.LastToPlay(),
		"tricks":             describedTricks(view),
		"tricks_won":         pair(view.TricksWon()),
		"plays":              describedPlays(view),
		"cards_still_out":    list(view.CardsStillOut()),
		"holding":            bySuit(view.Holding),
		"still_out":          bySuit(view.StillOut),
		"void_suits": [4][]Suit{
			list(view.VoidSuits(North)), list(view.VoidSuits(East)),
			list(view.VoidSuits(South)), list(view.VoidSuits(West)),
		},
		"takes_trick": takes,
	}
	return asJSON(t, all)
}

func unless(absent bool, value any) any {
	if absent {
		return nil
	}
	return value
}

func pair(sides Sides) [2]int { return [2]int{sides.Us, sides.Them} }

// list returns an empty list for nil, which JSON would show as null.
func list[Item any](items []Item) []Item { return append([]Item{}, items...) }

func describedTricks(view *View) []any {
	tricks := []any{}
	for _, trick := range view.Tricks() {
		tricks = append(tricks, map[string]any{
			"leader": trick.Leader, "cards": trick.Cards, "winner": trick.Winner,
		})
	}
	return tricks
}

func describedPlays(view *View) []any {
	plays := []any{}
	for _, play := range view.Plays() {
		plays = append(plays, []any{play.Seat, play.Card})
	}
	return plays
}

func bySuit(cards func(Suit) []Card) map[Suit][]Card {
	found := make(map[Suit][]Card)
	for _, suit := range Suits {
		found[suit] = list(cards(suit))
	}
	return found
}

func asJSON(t *testing.T, all map[string]any) (read map[string]any) {
	t.Helper()
	text, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}
