package upcard

// Situations for the tests of a bot: the view of a moment that its author thinks of.

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"upcard/upcardv1"
)

// A Situation is a moment in a hand of euchre or whist, told in words of the table: "9C JD AH",
// "pass order_up", "W". Only what matters has to be told; the rest follows by the rules: who is to
// act, who made trump, who won which trick, what is legal.
type Situation struct {
	// Game is Euchre if it is left out.
	Game Game
	// Hand has the cards of who is to act; with six, the dealer has to lay one away. There may be
	// fewer than there would be: those that matter.
	Hand string
	// Dealer is West if it is left out.
	Dealer string
	// Seat is who is to act: that follows from the rest, and is checked if it is told.
	Seat string
	// Upcard is euchre's card turned up.
	Upcard string
	// TrumpCard is whist's last card dealt.
	TrumpCard string
	// Calls is what was said so far in euchre, eldest's call first.
	Calls string
	// Trump is euchre's trump suit, instead of Calls. It was ordered up if it is the upcard's, else
	// named; where no upcard is told, that is a card nobody has.
	Trump string
	// Maker is who made trump, instead of Calls; eldest if it is left out.
	Maker string
	// Played has every card of this hand that was played, in order; who played it follows.
	Played string
	// Discard is what euchre's dealer laid away, where she is the one to act.
	Discard string
	// Score is the points of both teams before this hand.
	Score Sides
	// HandNumber is the number of the hand in its match, from 0.
	HandNumber int
	// DealerStuck says that the dealer must name a suit in the end though the rules do not say so.
	DealerStuck bool
	// Rules are the usual ones of a match to 10 points if they are left out.
	Rules Rules
}

// chanceOfTests seeds what a bot draws from in a test.
const chanceOfTests = 1

var usualRules = map[Game]Rules{
	Euchre: {Target: 10, Alone: true, StickDealer: true},
	Whist:  {Target: 10},
}

// View returns the view of the seat that is to act, and an error if there cannot be such a moment.
func (situation Situation) View() (*View, error) {
	told, err := situation.read()
	if err != nil {
		return nil, err
	}
	moment, err := told.moment()
	if err != nil {
		return nil, err
	}
	return newView(moment.turn(), told.game, &told.rules)
}

// Ask returns what a new bot chooses in the situation; what it draws from is the same each time.
func (situation Situation) Ask(newBot func(Table) Bot) (Action, error) {
	view, err := situation.View()
	if err != nil {
		return 0, err
	}
	random := rand.New(rand.NewPCG(chanceOfTests, 0))
	bot := newBot(Table{Seat: view.Seat(), Rules: view.Rules(), Random: random})
	action := bot.Choose(view, view.Legal())
	if view.placeOf(action) < 0 {
		return 0, fmt.Errorf("the bot returned %v; legal here: %s", action, spaced(view.Legal()))
	}
	return action, nil
}

// read reads the words.
func (situation Situation) read() (told told, err error) {
	told.game, told.rules = situation.Game, situation.Rules
	if told.game == 0 {
		told.game = Euchre
	}
	if told.rules == (Rules{}) {
		told.rules = usualRules[told.game]
	}
	told.score, told.handNumber = situation.Score, situation.HandNumber
	told.stuck = situation.DealerStuck
	words := reader{}
	told.hand = read(&words, situation.Hand, ParseCard)
	told.played = read(&words, situation.Played, ParseCard)
	told.calls = read(&words, situation.Calls, ParseAction)
	told.dealer = one(&words, situation.Dealer, parseSeat, West)
	told.seat = one(&words, situation.Seat, parseSeat, NoSeat)
	told.maker = one(&words, situation.Maker, parseSeat, NoSeat)
	told.trump = one(&words, situation.Trump, ParseSuit, NoSuit)
	told.upcard = one(&words, situation.Upcard, ParseCard, NoCard)
	told.trumpCard = one(&words, situation.TrumpCard, ParseCard, NoCard)
	told.discard = one(&words, situation.Discard, ParseCard, NoCard)
	return told, words.err
}

// reader keeps the first error.
type reader struct{ err error }

func read[Word any](words *reader, text string, parse func(string) (Word, error)) (read []Word) {
	for _, name := range strings.Fields(text) {
		word, err := parse(name)
		if err != nil && words.err == nil {
			words.err = err
		}
		read = append(read, word)
	}
	return read
}

func one[Word any](words *reader, text string, parse func(string) (Word, error), none Word) Word {
	found := read(words, text, parse)
	switch {
	case len(found) == 0:
		return none
	case len(found) > 1 && words.err == nil:
		words.err = fmt.Errorf("%q is more than one word", text)
	}
	return found[0]
}

func parseSeat(letter string) (Seat, error) {
	if place := strings.Index("NESW", letter); len(letter) == 1 && place >= 0 {
		return Seat(place), nil
	}
	return NoSeat, fmt.Errorf("%q is not a seat: one letter out of NESW", letter)
}

// turn writes a moment as the referee does.
func (moment moment) turn() *upcardv1.Turn {
	turn := &upcardv1.Turn{TableId: 1, TurnId: 1}
	if moment.game == Whist {
		turn.View = &upcardv1.Turn_Whist{Whist: moment.whist()}
	} else {
		turn.View = &upcardv1.Turn_Euchre{Euchre: moment.euchre()}
	}
	return turn
}

func (moment moment) euchre() *upcardv1.EuchreView {
	northSouth, eastWest := moment.points()
	message := &upcardv1.EuchreView{
		Phase:            upcardv1.EuchrePhase(moment.phase),
		Seat:             seatNumber(moment.actor),
		Dealer:           seatNumber(moment.dealer),
		PointsNorthSouth: northSouth,
		PointsEastWest:   eastWest,
		HandNumber:       uint32(moment.handNumber),
		DealerStuck:      moment.isStuck(),
		Upcard:           upcardv1.Card(moment.turned()),
		Calls:            numbers[upcardv1.EuchreCall](moment.calls),
		Trump:            upcardv1.Suit(moment.made.trump),
		Maker:            seatNumber(moment.made.maker),
		SitsOut:          seatNumber(moment.made.sitsOut),
		Hand:             numbers[upcardv1.Card](moment.hand),
		Discard:          upcardv1.Card(moment.discard),
		Played:           numbers[upcardv1.Card](moment.played),
		Leaders:          seatNumbers(moment.leaders),
	}
	if moment.phase == Bidding {
		message.LegalCalls = numbers[upcardv1.EuchreCall](moment.menu(len(moment.calls)))
	} else {
		message.LegalCards = numbers[upcardv1.Card](moment.legalCards())
	}
	return message
}

func (moment moment) whist() *upcardv1.WhistView {
	northSouth, eastWest := moment.points()
	return &upcardv1.WhistView{
		Seat:             seatNumber(moment.actor),
		Dealer:           seatNumber(moment.dealer),
		PointsNorthSouth: northSouth,
		PointsEastWest:   eastWest,
		HandNumber:       uint32(moment.handNumber),
		TrumpCard:        upcardv1.Card(moment.trumpCard),
		Hand:             numbers[upcardv1.Card](moment.hand),
		Played:           numbers[upcardv1.Card](moment.played),
		Leaders:          seatNumbers(moment.leaders),
		LegalCards:       numbers[upcardv1.Card](moment.legalCards()),
	}
}

func (moment moment) points() (northSouth, eastWest uint32) {
	us, them := uint32(moment.score.Us), uint32(moment.score.Them)
	if moment.actor.SameTeam(North) {
		return us, them
	}
	return them, us
}

// numbers returns the numbers on the wire of cards or calls, which are those they have here.
func numbers[Number ~int32, Word ~uint8](words []Word) []Number {
	found := make([]Number, len(words))
	for place, word := range words {
		found[place] = Number(word)
	}
	return found
}

func seatNumber(seat Seat) upcardv1.Seat { return upcardv1.Seat(seat + 1) }

func seatNumbers(seats []Seat) []upcardv1.Seat {
	found := make([]upcardv1.Seat, len(seats))
	for place, seat := range seats {
		found[place] = seatNumber(seat)
	}
	return found
}
