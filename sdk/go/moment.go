package upcard

// What follows by the rules from what is told of a situation; what cannot have been is refused.

import (
	"fmt"
	"slices"
)

// told is what is told of a situation, read.
type told struct {
	game         Game
	rules        Rules
	score        Sides
	handNumber   int
	stuck        bool
	dealer       Seat
	seat, maker  Seat // NoSeat if that is not told
	trump        Suit
	upcard       Card
	trumpCard    Card
	discard      Card
	hand, played []Card
	calls        []Action
}

// made is what the bidding came to.
type made struct {
	trump          Suit
	maker, sitsOut Seat
	pickedUp       bool
}

// moment is a situation, and all that follows from it.
type moment struct {
	told
	made    made
	phase   Phase
	actor   Seat
	leaders []Seat
	plays   []Played
	trick   []Card
	voids   [4]suitSet
}

const (
	mostPoints = 100
	oneRound   = 4
	withUpcard = 6 // cards
)

var seatNames = [4]string{"North", "East", "South", "West"}

// moment returns all that follows, or why the situation cannot have come about.
func (told told) moment() (found moment, err error) {
	defer func() {
		reason := recover()
		if why, refused := reason.(impossible); refused {
			err = why
		} else if reason != nil {
			panic(reason)
		}
	}()
	told.check()
	told = told.withCalls()
	found = moment{told: told, phase: Playing}
	found.made = told.bidding()
	told.checkTwice(found.made)
	slices.Sort(found.hand)
	found.play()
	found.checkActor()
	found.checkDiscard()
	found.checkHand()
	return found, nil
}

// impossible says why there cannot be a situation.
type impossible string

func (why impossible) Error() string { return string(why) }

func refuse(format string, about ...any) {
	panic(impossible(fmt.Sprintf(format, about...)))
}

func (told *told) isStuck() bool { return told.stuck || told.rules.StickDealer }

// turned is the card that is shown to all.
func (told *told) turned() Card {
	if told.game == Whist {
		return told.trumpCard
	}
	return told.upcard
}

// What is told, word by word

func (told *told) check() {
	told.checkRules()
	told.checkFields()
	all := slices.Concat([]Card{told.upcard, told.trumpCard}, told.hand, []Card{told.discard}, told.played)
	pack := told.game.table().pack
	for _, card := range all {
		if card != NoCard && pack>>card&1 == 0 {
			refuse("%v is no card of %v", card, told.game)
		}
	}
	if len(told.hand) == 0 {
		refuse("the hand is empty")
	}
}

func (told *told) checkRules() {
	rules, score := told.rules, told.score
	if rules.Target < 1 || rules.Target > mostPoints {
		refuse("a match is to 1 to %d points, not %d", mostPoints, rules.Target)
	}
	if rules.PartnerMustGoAlone && !rules.Alone {
		refuse("nobody can be made to go alone where nobody may")
	}
	if min(score.Us, score.Them) < 0 || max(score.Us, score.Them) >= rules.Target {
		refuse("the score is not %d to %d in a match to %d", score.Us, score.Them, rules.Target)
	}
}

func (told *told) checkFields() {
	if told.game == Euchre {
		if told.trumpCard != NoCard {
			refuse("euchre has no trump card")
		}
		return
	}
	for _, field := range []struct {
		name string
		told bool
	}{
		{"upcard", told.upcard != NoCard},
		{"trump to be made", told.trump != NoSuit},
		{"maker", told.maker != NoSeat},
		{"calls", len(told.calls) > 0},
		{"discard", told.discard != NoCard},
		{"stuck dealer", told.stuck},
	} {
		if field.told {
			refuse("whist has no %s", field.name)
		}
	}
	if told.trumpCard == NoCard {
		refuse("the trump card is missing")
	}
}

// checkTwice refuses a card that is in two places.
func (told *told) checkTwice(made made) {
	all := slices.Concat(told.hand, []Card{told.discard}, told.played)
	if told.game == Euchre && !made.pickedUp {
		all = append(all, told.upcard)
	}
	var seen cardSet
	for _, card := range all {
		if card != NoCard && seen>>card&1 == 1 {
			refuse("%v is there twice", card)
		}
		seen.add(card)
	}
}

// The bidding

// withCalls puts the calls by which trump was made in the place of trump and maker.
func (told told) withCalls() told {
	if len(told.calls) > 0 || told.trump == NoSuit {
		return told
	}
	if told.upcard == NoCard {
		told.upcard = told.nobodys()
	}
	maker := told.maker
	if maker == NoSeat {
		maker = told.dealer.Left()
	}
	before := slices.Repeat([]Action{Pass}, int((maker-told.dealer-1)&3))
	if told.upcard.Suit() == told.trump {
		told.calls = append(before, OrderUp)
	} else {
		passes := slices.Repeat([]Action{Pass}, oneRound)
		told.calls = append(append(passes, before...), Name(told.trump))
	}
	return told
}

// nobodys returns the first card of another suit that nobody is said to have.
func (told *told) nobodys() Card {
	for _, card := range told.game.Pack() {
		known := slices.Contains(told.hand, card) || slices.Contains(told.played, card) ||
			card == told.discard
		// With six cards it is in the hand, and only its author can say which one it is.
		if card.Suit() != told.trump && !known && len(told.hand) != withUpcard {
			return card
		}
	}
	refuse("the upcard is missing")
	return NoCard
}

// menu returns what may be said after so many passes.
func (told *told) menu(said int) []Action {
	if said < oneRound {
		switch {
		case !told.rules.Alone:
			return []Action{Pass, OrderUp}
		case told.rules.PartnerMustGoAlone && said == 1:
			return []Action{Pass, OrderUpAlone}
		default:
			return []Action{Pass, OrderUp, OrderUpAlone}
		}
	}
	var open []Action
	if !told.isStuck() || said != 2*oneRound-1 {
		open = append(open, Pass)
	}
	for _, name := range []func(Suit) Action{Name, NameAlone} {
		for _, suit := range Suits {
			if suit != told.upcard.Suit() && (told.rules.Alone || !name(suit).Alone()) {
				open = append(open, name(suit))
			}
		}
	}
	return open
}

// bidding returns what the calls come to, each of which has to be legal.
func (told *told) bidding() made {
	made := made{trump: told.trumpCard.Suit(), maker: NoSeat, sitsOut: NoSeat}
	if told.game == Whist {
		return made
	}
	if told.maker != NoSeat && told.trump == NoSuit && len(told.calls) == 0 {
		refuse("the trump that %s made is missing", seatNames[told.maker])
	}
	if told.upcard == NoCard {
		refuse("the upcard is missing")
	}
	for said, call := range told.calls {
		if made.trump != NoSuit {
			refuse("nothing is said after %v", told.calls[said-1])
		}
		speaker, open := told.dealer.clockwise(Seat(1+said)), told.menu(said)
		if !slices.Contains(open, call) {
			refuse("%s may not say %v; only %s", seatNames[speaker], call, spaced(open))
		}
		if call != Pass {
			made = told.madeBy(speaker, call, said)
		} else if said == 2*oneRound-1 {
			refuse("all have passed twice: the hand is thrown in")
		}
	}
	told.checkMade(made)
	return made
}

func (told *told) madeBy(maker Seat, call Action, said int) made {
	made := made{call.Suit(), maker, NoSeat, said < oneRound}
	if made.pickedUp {
		made.trump = told.upcard.Suit()
	}
	if call.Alone() {
		made.sitsOut = maker.Partner()
	}
	return made
}

func (told *told) checkMade(made made) {
	switch {
	case made.maker == NoSeat && (told.trump != NoSuit || told.maker != NoSeat):
		refuse("nobody has made trump yet")
	case made.maker == NoSeat && len(told.played) > 0:
		refuse("a card is played before trump is made")
	case made.maker == NoSeat:
	case told.trump != NoSuit && told.trump != made.trump:
		refuse("trump is %v by the calls, not %v", made.trump, told.trump)
	case told.maker != NoSeat && told.maker != made.maker:
		refuse("%s made trump, not %s", seatNames[made.maker], seatNames[told.maker])
	}
}

// The play

// tricks is how many tricks a hand has, and so how many cards are dealt to a seat.
func (told *told) tricks() int {
	if told.game == Whist {
		return mostCards
	}
	return 5
}

// play finds what lies on the table, and who is to act.
func (moment *moment) play() {
	laying := len(moment.hand) == withUpcard && len(moment.played) == 0 && moment.discard == NoCard
	switch {
	case moment.made.trump == NoSuit:
		moment.phase = Bidding
		moment.actor = moment.dealer.clockwise(Seat(1 + len(moment.calls)))
		return
	case moment.made.pickedUp && laying:
		moment.phase, moment.actor = Discarding, moment.dealer
		return
	}
	moment.leaders = []Seat{PlayerAt(moment.dealer.Left(), 0, moment.made.sitsOut)}
	for _, card := range moment.played {
		moment.lay(card)
	}
	moment.actor = moment.next()
}

// next is who plays next.
func (moment *moment) next() Seat {
	leader := moment.leaders[len(moment.leaders)-1]
	return PlayerAt(leader, len(moment.trick), moment.made.sitsOut)
}

func (moment *moment) lay(card Card) {
	seat, game, trump := moment.next(), moment.game, moment.made.trump
	suit := game.EffectiveSuit(card, trump)
	if moment.voids[seat]>>suit&1 == 1 {
		refuse("%s did not follow %v, and has %v", seatNames[seat], suit, card)
	}
	moment.trick = append(moment.trick, card)
	if led := game.EffectiveSuit(moment.trick[0], trump); suit != led {
		moment.voids[seat] |= 1 << led
	}
	moment.plays = append(moment.plays, Played{seat, card})
	size := 4
	if moment.made.sitsOut != NoSeat {
		size = 3
	}
	if len(moment.trick) == size {
		leader := moment.leaders[len(moment.leaders)-1]
		winner := PlayerAt(leader, game.Winner(moment.trick, trump), moment.made.sitsOut)
		moment.leaders, moment.trick = append(moment.leaders, winner), nil
	}
	if len(moment.leaders) > moment.tricks() {
		refuse("all tricks are played")
	}
}

func (moment *moment) checkActor() {
	if moment.seat != NoSeat && moment.seat != moment.actor {
		refuse("%s is to act, not %s", seatNames[moment.actor], seatNames[moment.seat])
	}
}

func (moment *moment) checkDiscard() {
	laidAway := moment.made.pickedUp && moment.actor == moment.dealer && moment.phase == Playing
	if moment.discard != NoCard && !laidAway {
		refuse("%s laid no card away", seatNames[moment.actor])
	}
	if moment.discard == NoCard && laidAway {
		refuse("what %s laid away is missing", seatNames[moment.dealer])
	}
}

// checkHand checks the cards of who is to act.
func (moment *moment) checkHand() {
	own := slices.Clone(moment.hand)
	most := moment.tricks()
	for _, play := range moment.plays {
		if play.Seat == moment.actor {
			own = append(own, play.Card)
			most--
		}
	}
	if moment.phase == Discarding {
		most = withUpcard
	}
	name := seatNames[moment.actor]
	if len(moment.hand) > most {
		refuse("%s holds at most %d cards here, not %d", name, most, len(moment.hand))
	}
	if moment.made.pickedUp || moment.game == Whist {
		moment.checkDealersCard(append(own, moment.discard))
	}
	for _, card := range moment.hand {
		suit := moment.game.EffectiveSuit(card, moment.made.trump)
		if moment.voids[moment.actor]>>suit&1 == 1 {
			refuse("%s did not follow %v, and has %v", name, suit, card)
		}
	}
}

// checkDealersCard checks that the card turned up is the dealer's, and nobody else's.
func (moment *moment) checkDealersCard(own []Card) {
	dealer, card := seatNames[moment.dealer], moment.turned()
	if moment.actor == moment.dealer && !slices.Contains(own, card) {
		refuse("%v is missing among %s's cards", card, dealer)
	}
	elsewhere := moment.actor != moment.dealer && slices.Contains(moment.hand, card)
	for _, play := range moment.plays {
		elsewhere = elsewhere || play.Card == card && play.Seat != moment.dealer
	}
	if elsewhere {
		refuse("%v is %s's, and nobody else's", card, dealer)
	}
}

// legalCards returns the cards that may be laid away or played.
func (moment *moment) legalCards() []Card {
	led := NoCard
	if len(moment.trick) > 0 {
		led = moment.trick[0]
	}
	return moment.game.LegalPlays(moment.hand, led, moment.made.trump)
}
