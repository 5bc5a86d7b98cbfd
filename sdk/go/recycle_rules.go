package upcard

// A game described in RECYCLE: its program, its players and its cards.

import "upcard/upcardv1"

// RecycleRules are a game described in RECYCLE.
type RecycleRules struct {
	// Name is what the game is called.
	Name string
	// Program is the rules.
	Program string
	// Numbering is with which number the program begins to count players: 0 or 1.
	Numbering int
	// Hands is how many hands a match has.
	Hands int
	// Players is how many players there are.
	Players int
	// Sides has the side of each player, from 1.
	Sides []int
	// Seat is your seat for the whole match, from 1.
	Seat int
	// LowestWins says whether the program's scores are the better the lower; what you are told is
	// turned round.
	LowestWins bool
	// Faces are the different cards.
	Faces []RecycleFace
}

// A RecycleFace is what is printed on a card; equal cards have one face.
type RecycleFace struct {
	// Name is the values that tell it from the others, as "NINE-HEARTS".
	Name string
	// Attributes is all that is printed on it.
	Attributes []RecycleAttribute
	// Back is the design on its back.
	Back string
	// Cards is how many cards have this face.
	Cards int
}

// A RecycleAttribute is an attribute of a card, such as SUIT, and its value.
type RecycleAttribute struct{ Key, Value string }

// Attribute returns the value of an attribute, or "" if the card has none of that name.
func (face *RecycleFace) Attribute(key string) string {
	for _, attribute := range face.Attributes {
		if attribute.Key == key {
			return attribute.Value
		}
	}
	return ""
}

// String returns the name, or "-" for no face.
func (face *RecycleFace) String() string {
	if face == nil {
		return "-"
	}
	return face.Name
}

func recycleRules(message *upcardv1.RecycleRules) *RecycleRules {
	rules := &RecycleRules{
		Name:       message.GetName(),
		Program:    message.GetProgram(),
		Numbering:  int(message.GetNumbering()),
		Hands:      int(message.GetHands()),
		Players:    int(message.GetPlayers()),
		Seat:       int(message.GetSeat()),
		LowestWins: message.GetLowestWins(),
		Sides:      ints(message.GetSides()),
		Faces:      make([]RecycleFace, 0, len(message.GetFaces())),
	}
	for _, face := range message.GetFaces() {
		rules.Faces = append(rules.Faces, RecycleFace{
			Name:       face.GetName(),
			Attributes: recycleAttributes(face.GetAttributes()),
			Back:       face.GetBack(),
			Cards:      int(face.GetCards()),
		})
	}
	return rules
}

// face returns a face by its number, which counts from 1; nil for none.
func (rules *RecycleRules) face(number uint32) *RecycleFace {
	if number == 0 {
		return nil
	}
	return &rules.Faces[number-1]
}

func recycleAttributes(messages []*upcardv1.RecycleAttribute) []RecycleAttribute {
	attributes := make([]RecycleAttribute, 0, len(messages))
	for _, message := range messages {
		attributes = append(attributes, RecycleAttribute{message.GetKey(), message.GetValue()})
	}
	return attributes
}

func ints[Number int32 | uint32](numbers []Number) []int {
	all := make([]int, 0, len(numbers))
	for _, number := range numbers {
		all = append(all, int(number))
	}
	return all
}
