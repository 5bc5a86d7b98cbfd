package upcard

// A bot's side of the conversation without the network: frames in, answers out.

import (
	"fmt"
	"math/rand/v2"

	"upcard/upcardv1"
)

// tables are the tables a bot sits at, with a match of its own at each.
type tables struct {
	newBot  func(Table) Bot
	game    Game
	rules   Rules
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

// botAt gives the bot of a table.
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
	bot := at.newBot(Table{at.seat, at.rules, rand.New(rand.NewPCG(seed, 0))})
	if bot == nil {
		panic("the function given to upcard.Run returned no bot")
	}
	return bot
}

func (at *tables) decide(turns []*upcardv1.Turn, answers *pieces) bool {
	answers.begin(len(turns))
	// If a decision fails, those before it are sent.
	defer answers.end()
	for _, turn := range turns {
		view, err := newView(turn, at.game, &at.rules)
		deciding.Store(view)
		if err != nil {
			Log(err)
			return false
		}
		action := at.botAt(turn.GetTableId()).Choose(view, view.legal)
		choice := view.placeOf(action)
		if choice < 0 {
			tellIllegal(action, view.legal)
			return false
		}
		answers.add(turn.GetTurnId(), uint32(choice))
	}
	deciding.Store(nil)
	return true
}
