package upcard

// Cards, seats and actions as text.

import "testing"

func TestAnActionPrintsAsItsToken(t *testing.T) {
	jack, nine := CardOf(Jack, Diamonds), CardOf(Nine, Hearts)
	for action, token := range map[Action]string{
		Pass: "pass", OrderUp: "order_up", OrderUpAlone: "order_up_alone",
		NameClubs: "name:C", NameDiamonds: "name:D", NameHearts: "name:H", NameSpades: "name:S",
		NameClubsAlone: "name_alone:C", NameSpadesAlone: "name_alone:S",
		Discard(nine): "discard:9H", Play(jack): "play:JD",
	} {
		same(t, "token", action.String(), token)
	}
}

func TestEveryTokenIsReadAsItsAction(t *testing.T) {
	read := 0
	for action, token := range actionNames {
		if token == "" {
			continue
		}
		parsed, err := ParseAction(token)
		same(t, token, parsed, Action(action))
		same(t, "error", err, nil)
		read++
	}
	same(t, "number of actions", read, 11+52+52)
}

func TestAnActionTellsItsCard(t *testing.T) {
	ace := CardOf(Ace, Spades)
	for _, action := range []Action{Play(ace), Discard(ace)} {
		same(t, action.String(), action.Card(), ace)
	}
	same(t, "pass", Pass.Card(), NoCard)
}

func TestACallTellsItsSuitAndWhetherItIsAlone(t *testing.T) {
	for _, suit := range Suits {
		same(t, "suit", Name(suit).Suit(), suit)
		same(t, "suit alone", NameAlone(suit).Suit(), suit)
		same(t, "alone", []bool{Name(suit).Alone(), NameAlone(suit).Alone()}, []bool{false, true})
	}
	same(t, "order up", []bool{OrderUp.Alone(), OrderUpAlone.Alone()}, []bool{false, true})
}

func TestWhatIsNoWordOfTheTableIsNotRead(t *testing.T) {
	_, noCard := ParseCard("1D")
	_, noSuit := ParseSuit("X")
	_, noAction := ParseAction("play:1D")
	for _, err := range []error{noCard, noSuit, noAction} {
		if err == nil {
			t.Error("something was read that is nothing")
		}
	}
}

func TestWhatIsAbsentCanBePrinted(t *testing.T) {
	same(t, "absent", NoCard.String()+NoSuit.String()+NoSeat.String(), "----")
}

func TestSeatsGoClockwise(t *testing.T) {
	same(t, "left of west", West.Left(), North)
	same(t, "right of north", North.Right(), West)
	same(t, "partner of east", East.Partner(), West)
	same(t, "no seat's partner", NoSeat.Partner(), NoSeat)
}

func TestPartnersAreOneTeam(t *testing.T) {
	same(t, "north and south", North.SameTeam(South), true)
	same(t, "north and east", North.SameTeam(East), false)
	same(t, "nobody and nobody", NoSeat.SameTeam(NoSeat), false)
}

func TestTheBowersAreOfOneColour(t *testing.T) {
	same(t, "colours", [4]Suit{
		Clubs.SameColour(), Diamonds.SameColour(), Hearts.SameColour(), Spades.SameColour(),
	}, [4]Suit{Spades, Hearts, Diamonds, Clubs})
}
