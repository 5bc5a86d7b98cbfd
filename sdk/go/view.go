package upcard

// What a seat knows when it is to act, under the names a card player would use.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"upcard/upcardv1"
)

// A View is what your seat knows when it is to act. It works out only what you ask for, and keeps
// it. All methods are there in both games; what a game or a moment does not have is [NoCard],
// [NoSuit], [NoSeat], false or empty. The slices it gives are for reading. You may keep a view, but
// it is not for several goroutines at the same time.
type View struct {
	turn    *upcardv1.Turn
	message message
	euchre  *upcardv1.EuchreView // nil in whist: then its getters give what is absent
	rules   *Rules
	game    Game
	phase   Phase
	trump   Suit
	sitsOut Seat

	legal       []Action
	legalInside [mostCards]Action // short lists lie in the view itself, to allocate once a turn
	worked      workedOut
}

// mostCards is how many cards a hand has at most.
const mostCards = 13

// workedOut is what was asked for already; nil or 0 before.
type workedOut struct {
	hand        []Card
	handInside  [mostCards]Card
	trick       []Card
	trickInside [3]Card
	winner      int // its place in the trick, counted from 1
	handSet     cardSet
	stillOut    cardSet
	tricks      []Trick
	plays       []Played
	voids       *[4]suitSet
}

// message is what the views of both games have in common.
type message interface {
	GetSeat() upcardv1.Seat
	GetDealer() upcardv1.Seat
	GetPointsNorthSouth() uint32
	GetPointsEastWest() uint32
	GetHandNumber() uint32
	GetHand() []upcardv1.Card
	GetPlayed() []upcardv1.Card
	GetLeaders() []upcardv1.Seat
	GetLegalCards() []upcardv1.Card
}

// A Phase is the kind of decision that is due.
type Phase uint8

// The phases; whist has only the last one.
const (
	Bidding Phase = iota + 1
	Discarding
	Playing
)

// String returns "bidding", "discarding" or "playing".
func (phase Phase) String() string {
	return [...]string{"no phase", "bidding", "discarding", "playing"}[phase]
}

// Sides is a count for both teams, your own first.
type Sides struct{ Us, Them int }

// newView returns the view of a turn, and an error if it has what this version does not know. Then
// it tells no more than where it is.
func newView(turn *upcardv1.Turn, game Game, rules *Rules) (*View, error) {
	view := &View{turn: turn, rules: rules, game: game}
	if game == Euchre {
		return view, view.seeEuchre(turn.GetEuchre())
	}
	return view, view.seeWhist(turn.GetWhist())
}

func (view *View) seeEuchre(euchre *upcardv1.EuchreView) error {
	if euchre == nil {
		return errUnknownView
	}
	view.message, view.euchre = euchre, euchre
	view.trump = Suit(euchre.GetTrump())
	view.sitsOut = seatOf(euchre.GetSitsOut())
	switch euchre.GetPhase() {
	case upcardv1.EuchrePhase_EUCHRE_PHASE_BIDDING:
		return view.maySay(euchre.GetLegalCalls())
	case upcardv1.EuchrePhase_EUCHRE_PHASE_DISCARDING:
		return view.mayLay(Discarding, Discard)
	case upcardv1.EuchrePhase_EUCHRE_PHASE_PLAYING:
		return view.mayLay(Playing, Play)
	default:
		return errUnknownPhase
	}
}

func (view *View) seeWhist(whist *upcardv1.WhistView) error {
	if whist == nil {
		return errUnknownView
	}
	view.message = whist
	view.trump = Card(whist.GetTrumpCard()).Suit()
	view.sitsOut = NoSeat
	return view.mayLay(Playing, Play)
}

func (view *View) maySay(calls []upcardv1.EuchreCall) error {
	view.phase = Bidding
	view.legal = appendCalls(view.legalInside[:0], calls)
	for _, call := range calls {
		if call < upcardv1.EuchreCall(Pass) || call > upcardv1.EuchreCall(NameSpadesAlone) {
			return errUnknownAction
		}
	}
	return nil
}

func (view *View) mayLay(phase Phase, action func(Card) Action) error {
	view.phase = phase
	view.legal = view.legalInside[:0]
	for _, card := range view.message.GetLegalCards() {
		if card < 1 || card > cards {
			return errUnknownAction
		}
		view.legal = append(view.legal, action(Card(card)))
	}
	return nil
}

// placeOf returns the place of an action in the referee's list, or -1. The list the bot got does
// not count for this: the bot may have sorted it.
func (view *View) placeOf(action Action) int {
	if view.phase == Bidding {
		return slices.Index(view.euchre.GetLegalCalls(), upcardv1.EuchreCall(action))
	}
	card, lay := action.Card(), Play
	if view.phase == Discarding {
		lay = Discard
	}
	if action != lay(card) {
		return -1
	}
	return slices.Index(view.message.GetLegalCards(), upcardv1.Card(card))
}

// String tells the situation in a line.
func (view *View) String() string {
	var line strings.Builder
	fmt.Fprintf(&line, "%v, %v: hand %s", view.game, view.phase, spaced(view.Hand()))
	if view.phase == Bidding {
		fmt.Fprintf(&line, ", upcard %v", view.Upcard())
	}
	if view.trump != NoSuit {
		fmt.Fprintf(&line, ", trump %v", view.trump)
	}
	if trick := view.Trick(); len(trick) > 0 {
		fmt.Fprintf(&line, ", trick %s", spaced(trick))
	}
	return line.String()
}

// Game is the game that is played; it knows how cards stand with any trump.
func (view *View) Game() Game { return view.game }

// Phase is what is due.
func (view *View) Phase() Phase { return view.phase }

// Rules are the rules at this table.
func (view *View) Rules() Rules { return *view.rules }

// Legal is what you may do; return one of them.
func (view *View) Legal() []Action { return view.legal }

// Table is a number that means nothing, another one for every match.
func (view *View) Table() uint32 { return view.turn.GetTableId() }

// Turn is the number of this decision; the referee counts them.
func (view *View) Turn() uint32 { return view.turn.GetTurnId() }

// TimeLeft is the time left for this match, if that is limited; else only each decision is.
func (view *View) TimeLeft() (left time.Duration, limited bool) {
	left = time.Duration(view.turn.GetTimeLeftMs()) * time.Millisecond
	return left, left > 0
}

// HandNumber is the number of this hand in its match, from 0.
func (view *View) HandNumber() int { return int(view.message.GetHandNumber()) }

// Seat is your seat.
func (view *View) Seat() Seat { return seatOf(view.message.GetSeat()) }

// Partner is the seat across the table.
func (view *View) Partner() Seat { return view.Seat().Partner() }

// Dealer is who dealt.
func (view *View) Dealer() Seat { return seatOf(view.message.GetDealer()) }

// Score is the points of both teams before this hand.
func (view *View) Score() Sides {
	northSouth := int(view.message.GetPointsNorthSouth())
	eastWest := int(view.message.GetPointsEastWest())
	if view.Seat().SameTeam(North) {
		return Sides{northSouth, eastWest}
	}
	return Sides{eastWest, northSouth}
}

// Target is how many points win the match.
func (view *View) Target() int { return view.rules.Target }

// seatOf reads a seat, which counts from 1 on the wire.
func seatOf(seat upcardv1.Seat) Seat { return Seat(seat) - 1 }
