package upcard

// A bot's side of the conversation without the network: frames in, answers out.

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"upcard/upcardv1"
)

// tables are the tables a bot sits at, with a match of its own at each.
type tables struct {
	newBot  func(Table) Bot
	game    Game
	rules   Rules
	recycle *RecycleRules // nil in any other game
	seat    Seat
	matches map[uint32]*match
}

// match is what is played at a table. Its bot is made at its first turn: many tables may open in a
// frame that has to be answered in the time of one decision.
type match struct {
	seed uint64
	bot  Bot
}

// sitDown learns the game, its rules and the seat.
func sitDown(newBot func(Table) Bot, welcome *upcardv1.Welcome) (*tables, error) {
	at := &tables{
		newBot:  newBot,
		seat:    seatOf(welcome.GetSeat()),
		matches: make(map[uint32]*match),
	}
	switch rules := welcome.GetRules().(type) {
	case *upcardv1.Welcome_Euchre:
		at.game, at.rules = Euchre, euchreRules(rules.Euchre)
	case *upcardv1.Welcome_Whist:
		at.game, at.rules = Whist, whistRules(rules.Whist)
	case *upcardv1.Welcome_Recycle:
		at.recycle = recycleRules(rules.Recycle)
	default:
		return nil, errUnknownGame
	}
	return at, nil
}

// answer answers every turn of a frame, in one piece or, if that takes long, in several. It gives
// false if that failed, and has told the bot's author why.
func (at *tables) answer(frame *upcardv1.Frame, answers *pieces) (well bool) {
	defer func() {
		if reason := recover(); reason != nil {
			tellPanic(reason)
		}
		deciding.Store(nil)
		acting.Store(nil)
	}()
	for _, table := range frame.GetOpened() {
		at.matches[table.GetTableId()] = &match{seed: table.GetSeed()}
	}
	if !at.decide(frame.GetTurns(), answers) {
		return false
	}
	for _, table := range frame.GetClosed() {
		delete(at.matches, table.GetTableId())
	}
	return true
}

// botAt returns the bot of a table.
func (at *tables) botAt(table uint32) Bot {
	match := at.matches[table]
	if match == nil {
		panic(fmt.Sprintf("the referee asks for a decision at table %d, which it did not open", table))
	}
	if match.bot == nil {
		match.bot = at.made(match.seed)
	}
	return match.bot
}

func (at *tables) made(seed uint64) Bot {
	random := rand.New(rand.NewPCG(seed, 0))
	bot := at.newBot(Table{Seat: at.seat, Rules: at.rules, Recycle: at.recycle, Random: random})
	if bot == nil {
		panic("the function given to upcard.Run returned no bot")
	}
	return bot
}

func (at *tables) decide(turns []*upcardv1.Turn, answers *pieces) bool {
	answers.begin(len(turns))
	// If a decision fails, those before it are sent.
	defer answers.end()
	choose := at.choose
	if at.recycle != nil {
		choose = at.chooseMove
	}
	for _, turn := range turns {
		choice := choose(turn)
		if choice < 0 {
			return false
		}
		answers.add(turn.GetTurnId(), uint32(choice))
	}
	deciding.Store(nil)
	acting.Store(nil)
	return true
}

// choose returns the place of the bot's choice at a turn; -1 if there is none, and that was told.
func (at *tables) choose(turn *upcardv1.Turn) int {
	view, err := newView(turn, at.game, &at.rules)
	deciding.Store(view)
	if err != nil {
		Log(err)
		return -1
	}
	action := at.botAt(turn.GetTableId()).Choose(view, view.legal)
	choice := view.placeOf(action)
	if choice < 0 {
		tellIllegal(action, spaced(view.legal))
	}
	return choice
}

// chooseMove does the same in a game described in RECYCLE.
func (at *tables) chooseMove(turn *upcardv1.Turn) int {
	view, err := newRecycleView(turn, at.recycle)
	acting.Store(view)
	if err != nil {
		Log(err)
		return -1
	}
	bot := at.botAt(turn.GetTableId())
	mover, moves := bot.(Mover)
	if !moves {
		panic(fmt.Sprintf("%T has no ChooseMove, and that is due", bot))
	}
	move := mover.ChooseMove(view, view.Legal())
	choice := slices.Index(view.legal, move)
	if choice < 0 {
		tellIllegal(move, view.legalLine())
	}
	return choice
}
