package upcard

// The situations made for the tests of bots.

import (
	"reflect"
	"strings"
	"testing"
)

type situationVector struct {
	Situation struct {
		Game                   string
		Hand, Calls, Played    []string
		Dealer, Seat, Maker    *Seat
		Upcard, Trump, Discard string
		TrumpCard              string `json:"trump_card"`
		Score                  [2]int
		HandNumber             int  `json:"hand_number"`
		DealerStuck            bool `json:"dealer_stuck"`
		Rules                  struct {
			Target             int
			Alone              bool
			StickDealer        bool `json:"stick_dealer"`
			PartnerMustGoAlone bool `json:"partner_must_go_alone"`
		}
	}
	View    map[string]any
	Refused string
}

func (vector situationVector) situation() Situation {
	told := vector.Situation
	return Situation{
		Game:        games[told.Game],
		Hand:        strings.Join(told.Hand, " "),
		Calls:       strings.Join(told.Calls, " "),
		Played:      strings.Join(told.Played, " "),
		Dealer:      letterOf(told.Dealer),
		Seat:        letterOf(told.Seat),
		Maker:       letterOf(told.Maker),
		Upcard:      told.Upcard,
		TrumpCard:   told.TrumpCard,
		Trump:       told.Trump,
		Discard:     told.Discard,
		Score:       Sides{told.Score[0], told.Score[1]},
		HandNumber:  told.HandNumber,
		DealerStuck: told.DealerStuck,
		Rules:       Rules(told.Rules),
	}
}

func letterOf(seat *Seat) string {
	if seat == nil {
		return ""
	}
	return seat.String()
}

func TestASituationComesToWhatFollowsFromItOrCannotBe(t *testing.T) {
	for _, vector := range vectors[situationVector](t, "situations.jsonl") {
		view, err := vector.situation().View()
		if vector.Refused != "" {
			same(t, "refusal", err, error(impossible(vector.Refused)))
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", err, vector.Situation)
		}
		got := described(t, view)
		for name, want := range vector.View {
			if !reflect.DeepEqual(got[name], want) {
				t.Errorf("%v: %s is %v, not %v", vector.Situation, name, got[name], want)
			}
		}
	}
}

func TestAWordThatIsNoneIsNamed(t *testing.T) {
	for told, names := range map[Situation]string{
		{Hand: "9C 1D"}:               `"1D" is not a card`,
		{Hand: "9C", Calls: "fold"}:   `"fold" is not an action`,
		{Hand: "9C", Trump: "X"}:      `"X" is not a suit`,
		{Hand: "9C", Dealer: "X"}:     `"X" is not a seat`,
		{Hand: "9C", Upcard: "9D 9H"}: `"9D 9H" is more than one word`,
	} {
		if _, err := told.View(); err == nil || !strings.HasPrefix(err.Error(), names) {
			t.Errorf("told of %v, not of %s", err, names)
		}
	}
}

func TestABotIsAskedInASituationAlwaysWithTheSameChance(t *testing.T) {
	draws := func(table Table) Bot {
		return ByPhase{Play: func(view *View, legal []Action) Action {
			same(t, "seat", table.Seat, view.Seat())
			same(t, "rules", table.Rules, view.Rules())
			return legal[table.Random.IntN(len(legal))]
		}}
	}
	situation := Situation{Hand: "9C AC JD KS 9S", Trump: "H", Dealer: "E"}
	first, err := situation.Ask(draws)
	same(t, "error", err, nil)
	for range 20 {
		again, _ := situation.Ask(draws)
		same(t, "choice", again, first)
	}
}

func TestWhatABotMayNotDoIsTold(t *testing.T) {
	wrong := func(Table) Bot {
		return ByPhase{Bid: func(*View, []Action) Action { return Name(Clubs) }}
	}
	_, err := Situation{Hand: "9C JD", Upcard: "9H"}.Ask(wrong)
	same(t, "error", err.Error(),
		"the bot returned name:C; legal here: pass order_up order_up_alone")
}

func TestNobodyIsAskedInASituationThatCannotBe(t *testing.T) {
	_, err := Situation{Hand: "9C 9C", Upcard: "9H"}.Ask(nil)
	same(t, "error", err.Error(), "9C is there twice")
}
