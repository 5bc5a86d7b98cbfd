package upcard

// What a player knows of a game described in RECYCLE, and what it may do.

import (
	"fmt"
	"strings"
	"time"

	"upcard/upcardv1"
)

// A RecycleView is what you know of a hand of a game that is described in RECYCLE. It works out what
// you ask for, each time: keep what you need again. Players and owners count from 1: an owner is 0 for
// the table, n for player n and -n for team n.
type RecycleView struct {
	turn    *upcardv1.Turn
	message *upcardv1.RecycleView
	rules   *RecycleRules
	legal   []string
}

// A RecycleSpot is where cards lie.
type RecycleSpot struct {
	Owner int
	// Kind says who sees the cards: "vloc" all, "iloc" the owner, "hloc" nobody, "oloc" all but the
	// owner; "mem" all, and there are only references to cards that lie elsewhere.
	Kind string
	// Name is what the program calls it.
	Name string
	// Index is its number among the places of one name.
	Index int
}

// A RecyclePlace is a place for cards, with what you may know of them.
type RecyclePlace struct {
	RecycleSpot
	// Size is how many cards lie there.
	Size int
	// Hidden says whether you may not see the cards; then there are no faces.
	Hidden bool
	// Faces are the cards, the bottom one first.
	Faces []*RecycleFace
	// Backs says how many hidden cards of each back there are, if the deck has several.
	Backs []RecycleBack
}

// A RecycleBack is a design on the back of cards, and how many cards have it.
type RecycleBack struct {
	Name  string
	Cards int
}

// A RecycleNumber is a number that the program stored.
type RecycleNumber struct {
	Owner int
	Name  string
	Value int
}

// A RecycleText is a text that the program stored.
type RecycleText struct {
	Owner int
	Name  string
	Value string
}

// A RecycleAward is what a card gets that has all of some attributes.
type RecycleAward struct {
	Attributes []RecycleAttribute
	Points     int
}

// A RecyclePoints is a map of what cards score: each the sum of the awards it gets.
type RecyclePoints struct {
	Owner  int
	Name   string
	Awards []RecycleAward
}

// A RecycleStep is one thing that a move does; what does not apply is nil or empty.
type RecycleStep struct {
	// Verb is what it is: "move", "set", "pass" and so on.
	Verb string
	// Face is the card; nil also if you may not see it.
	Face           *RecycleFace
	Source, Target *RecycleSpot
	// Owner is whose storage it is, or which player is meant.
	Owner *int
	// Name is what is stored.
	Name string
	// Value is nil, an int, a string or a []RecycleAward.
	Value any
	// OtherFace is the second card that is swapped.
	OtherFace *RecycleFace
}

// A RecycleMove is something you may do.
type RecycleMove struct {
	// Text is the move in words, as it stands in what is legal.
	Text string
	// Steps are what is done; none where a decision has too many moves to tell.
	Steps []RecycleStep
}

// newRecycleView returns the view of a turn, and an error if it has what this version does not
// know.
func newRecycleView(turn *upcardv1.Turn, rules *RecycleRules) (*RecycleView, error) {
	view := &RecycleView{turn: turn, message: turn.GetRecycle(), rules: rules}
	if view.message == nil {
		return view, errUnknownView
	}
	for _, move := range view.message.GetLegal() {
		view.legal = append(view.legal, move.GetText())
	}
	return view, nil
}

// String tells the situation in a line.
func (view *RecycleView) String() string {
	hand := ""
	if view.rules.Hands > 1 {
		hand = fmt.Sprintf(", hand %d", view.HandNumber()+1)
	}
	return fmt.Sprintf("recycle, acting: %s%s, player %d", view.rules.Name, hand, view.Player())
}

// mostListed is how many legal moves an error lists.
const mostListed = 100

// legalLine lists what is legal.
func (view *RecycleView) legalLine() string {
	if len(view.legal) > mostListed {
		listed := strings.Join(view.legal[:mostListed], "; ")
		return fmt.Sprintf("%s and %d more", listed, len(view.legal)-mostListed)
	}
	return strings.Join(view.legal, "; ")
}

// Rules are the game at this table.
func (view *RecycleView) Rules() *RecycleRules { return view.rules }

// Legal is the texts of what you may do; return one of them.
func (view *RecycleView) Legal() []string { return append([]string(nil), view.legal...) }

// Table is a number that means nothing, another one for every match.
func (view *RecycleView) Table() uint32 { return view.turn.GetTableId() }

// Turn is the number of this decision; the referee counts them.
func (view *RecycleView) Turn() uint32 { return view.turn.GetTurnId() }

// TimeLeft is the time left for this match, if that is limited; else only each decision is.
func (view *RecycleView) TimeLeft() (left time.Duration, limited bool) {
	left = time.Duration(view.turn.GetTimeLeftMs()) * time.Millisecond
	return left, left > 0
}

// HandNumber is the number of this hand in its match, from 0.
func (view *RecycleView) HandNumber() int { return int(view.message.GetHandNumber()) }

// Player is which player of the program you are in this hand, from 1.
func (view *RecycleView) Player() int { return int(view.message.GetPlayer()) }

// Scores is what each side of this hand scored before it, the first side first; more is better.
func (view *RecycleView) Scores() []int { return ints(view.message.GetScores()) }

// Places is the places that were used in this hand.
func (view *RecycleView) Places() []RecyclePlace {
	places := make([]RecyclePlace, 0, len(view.message.GetPlaces()))
	for _, message := range view.message.GetPlaces() {
		place := RecyclePlace{
			RecycleSpot: spotOf(message),
			Size:        int(message.GetSize()),
			Hidden:      message.GetHidden(),
		}
		for _, face := range message.GetFaces() {
			place.Faces = append(place.Faces, view.rules.face(face))
		}
		for _, back := range message.GetBacks() {
			place.Backs = append(place.Backs, RecycleBack{back.GetName(), int(back.GetCards())})
		}
		places = append(places, place)
	}
	return places
}

// Numbers is the numbers that are stored; what is not there is 0.
func (view *RecycleView) Numbers() []RecycleNumber {
	numbers := make([]RecycleNumber, 0, len(view.message.GetNumbers()))
	for _, each := range view.message.GetNumbers() {
		number := RecycleNumber{int(each.GetOwner()), each.GetName(), int(each.GetValue())}
		numbers = append(numbers, number)
	}
	return numbers
}

// Number is a number that is stored.
func (view *RecycleView) Number(owner int, name string) int {
	for _, each := range view.message.GetNumbers() {
		if int(each.GetOwner()) == owner && each.GetName() == name {
			return int(each.GetValue())
		}
	}
	return 0
}

// Texts is the texts that are stored; what is not there is empty.
func (view *RecycleView) Texts() []RecycleText {
	texts := make([]RecycleText, 0, len(view.message.GetTexts()))
	for _, each := range view.message.GetTexts() {
		texts = append(texts, RecycleText{int(each.GetOwner()), each.GetName(), each.GetValue()})
	}
	return texts
}

// Text is a text that is stored.
func (view *RecycleView) Text(owner int, name string) string {
	for _, each := range view.message.GetTexts() {
		if int(each.GetOwner()) == owner && each.GetName() == name {
			return each.GetValue()
		}
	}
	return ""
}

// Points is what cards score, by the maps that are stored.
func (view *RecycleView) Points() []RecyclePoints {
	maps := make([]RecyclePoints, 0, len(view.message.GetPoints()))
	for _, each := range view.message.GetPoints() {
		points := RecyclePoints{int(each.GetOwner()), each.GetName(), recycleAwards(each.GetAwards())}
		maps = append(maps, points)
	}
	return maps
}

// Flow is where the program stands.
func (view *RecycleView) Flow() []int { return ints(view.message.GetFlow()) }

// Moves is what you may do, in the order of Legal.
func (view *RecycleView) Moves() []RecycleMove {
	moves := make([]RecycleMove, 0, len(view.message.GetLegal()))
	for _, message := range view.message.GetLegal() {
		move := RecycleMove{Text: message.GetText()}
		for _, step := range message.GetSteps() {
			move.Steps = append(move.Steps, view.stepOf(step))
		}
		moves = append(moves, move)
	}
	return moves
}

func (view *RecycleView) stepOf(message *upcardv1.RecycleStep) RecycleStep {
	step := RecycleStep{
		Verb:      message.GetVerb(),
		Face:      view.rules.face(message.GetFace()),
		Name:      message.GetName(),
		OtherFace: view.rules.face(message.GetOtherFace()),
	}
	if source := message.GetSource(); source != nil {
		spot := spotOf(source)
		step.Source = &spot
	}
	if target := message.GetTarget(); target != nil {
		spot := spotOf(target)
		step.Target = &spot
	}
	if message.Owner != nil {
		owner := int(message.GetOwner())
		step.Owner = &owner
	}
	switch value := message.GetValue().(type) {
	case *upcardv1.RecycleStep_Number:
		step.Value = int(value.Number)
	case *upcardv1.RecycleStep_Text:
		step.Value = value.Text
	case *upcardv1.RecycleStep_Points:
		step.Value = recycleAwards(value.Points.GetAwards())
	}
	return step
}

func recycleAwards(messages []*upcardv1.RecycleAward) []RecycleAward {
	awards := make([]RecycleAward, 0, len(messages))
	for _, each := range messages {
		attributes := recycleAttributes(each.GetAttributes())
		awards = append(awards, RecycleAward{attributes, int(each.GetPoints())})
	}
	return awards
}

func spotOf(place *upcardv1.RecyclePlace) RecycleSpot {
	return RecycleSpot{
		Owner: int(place.GetOwner()),
		Kind:  place.GetKind(),
		Name:  place.GetName(),
		Index: int(place.GetIndex()),
	}
}
