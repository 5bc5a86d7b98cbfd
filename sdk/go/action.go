package upcard

// What a bot may decide.

import (
	"fmt"
	"strings"
)

// An Action is one decision. Actions can be compared with == and used in a switch.
type Action uint8

// The calls of euchre: order up in the first round, name a suit in the second.
const (
	Pass Action = iota + 1
	OrderUp
	OrderUpAlone
	NameClubs
	NameDiamonds
	NameHearts
	NameSpades
	NameClubsAlone
	NameDiamondsAlone
	NameHeartsAlone
	NameSpadesAlone
)

// Actions count on from the calls, which have their numbers on the wire.
const (
	discards = Action(16)
	plays    = Action(80)
)

// Name makes a suit trump, in euchre's second round.
func Name(suit Suit) Action { return NameClubs + Action(suit-Clubs) }

// NameAlone makes a suit trump, to play without partner.
func NameAlone(suit Suit) Action { return NameClubsAlone + Action(suit-Clubs) }

// Discard lays a card away, as the dealer who took the upcard.
func Discard(card Card) Action { return discards + Action(card) }

// Play plays a card to the trick.
func Play(card Card) Action { return plays + Action(card) }

// Card returns the card that is played or laid away; NoCard for a call.
func (action Action) Card() Card {
	switch {
	case action > plays && action <= plays+cards:
		return Card(action - plays)
	case action > discards && action <= discards+cards:
		return Card(action - discards)
	default:
		return NoCard
	}
}

// Suit returns the suit that is named; NoSuit for anything else.
func (action Action) Suit() Suit {
	switch {
	case action >= NameClubs && action <= NameSpades:
		return Suit(action-NameClubs) + Clubs
	case action >= NameClubsAlone && action <= NameSpadesAlone:
		return Suit(action-NameClubsAlone) + Clubs
	default:
		return NoSuit
	}
}

// Alone says whether the action is a call to play without partner.
func (action Action) Alone() bool {
	return action == OrderUpAlone || action >= NameClubsAlone && action <= NameSpadesAlone
}

// String returns a token such as "pass", "order_up_alone", "name:S", "name_alone:S", "discard:9H",
// "play:JD".
func (action Action) String() string {
	if name := actionNames[action]; name != "" {
		return name
	}
	return fmt.Sprintf("Action(%d)", uint8(action))
}

// ParseAction reads what [Action.String] gives.
func ParseAction(name string) (Action, error) {
	if action, known := actionsByName[name]; known {
		return action, nil
	}
	return 0, fmt.Errorf("%q is not an action such as pass, order_up, name:S or play:JD", name)
}

// MarshalText returns what String returns.
func (action Action) MarshalText() ([]byte, error) { return []byte(action.String()), nil }

// UnmarshalText reads what ParseAction reads.
func (action *Action) UnmarshalText(text []byte) (err error) {
	*action, err = ParseAction(string(text))
	return err
}

var actionNames = func() (names [256]string) {
	names[Pass], names[OrderUp], names[OrderUpAlone] = "pass", "order_up", "order_up_alone"
	for _, suit := range Suits {
		names[Name(suit)] = "name:" + suit.String()
		names[NameAlone(suit)] = "name_alone:" + suit.String()
	}
	for card := Card(1); card <= cards; card++ {
		names[Discard(card)] = "discard:" + card.String()
		names[Play(card)] = "play:" + card.String()
	}
	return names
}()

var actionsByName = func() map[string]Action {
	found := make(map[string]Action)
	for action, name := range actionNames {
		if name != "" {
			found[name] = Action(action)
		}
	}
	return found
}()

// spaced lists what prints itself, with spaces between.
func spaced[Word fmt.Stringer](words []Word) string {
	var line strings.Builder
	for place, word := range words {
		if place > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word.String())
	}
	return line.String()
}
