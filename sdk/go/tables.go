package upcard

// A bot's side of the conversation without the network: frames in, answers out.

import (
	"errors"
	"math/rand/v2"
	"time"

	"upcard/upcardv1"
)

// patience is how long answers are held back after the frame, or after the last ones were sent.
const patience = 100 * time.Millisecond

// tables are the tables a bot sits at, with a bot of its own for each.
type tables struct {
	newBot func(Table) Bot
	game   Game
	rules  Rules
	seat   Seat
	bots   map[uint32]Bot
	now    func() time.Time
}

var errUnknownGame = errors.New(
	"the referee plays a game that this version of the SDK does not know")

// sitDown learns the game, its rules and the seat.
func sitDown(newBot func(Table) Bot, welcome *upcardv1.Welcome) (*tables, error) {
	at := &tables{
		newBot: newBot,
		seat:   seatOf(welcome.GetSeat()),
		bots:   make(map[uint32]Bot),
		now:    time.Now,
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
// false if the bot failed, and has told its author why.
func (at *tables) answer(frame *upcardv1.Frame, send func(*upcardv1.Answers)) (well bool) {
	defer func() {
		if reason := recover(); reason != nil {
			tellPanic(reason)
		}
		deciding.Store(nil)
	}()
	for _, table := range frame.GetOpened() {
		at.bots[table.GetTableId()] = at.open(table.GetSeed())
	}
	if !at.decide(frame.GetTurns(), send) {
		return false
	}
	for _, table := range frame.GetClosed() {
		delete(at.bots, table.GetTableId())
	}
	return true
}

func (at *tables) open(seed uint64) Bot {
	bot := at.newBot(Table{at.seat, at.rules, rand.New(rand.NewPCG(seed, 0))})
	if bot == nil {
		panic("the function given to upcard.Run returned no bot")
	}
	return bot
}

func (at *tables) decide(turns []*upcardv1.Turn, send func(*upcardv1.Answers)) bool {
	piece := newPiece(len(turns))
	due := at.now().Add(patience)
	for place, turn := range turns {
		view := newView(turn, at.game, &at.rules)
		deciding.Store(view)
		action := at.bots[turn.GetTableId()].Choose(view, view.legal)
		choice := view.placeOf(action)
		if choice < 0 {
			tellIllegal(action, view.legal)
			return false
		}
		piece.TurnIds = append(piece.TurnIds, turn.GetTurnId())
		piece.Choices = append(piece.Choices, uint32(choice))
		if now := at.now(); !now.Before(due) {
			send(piece)
			piece = newPiece(len(turns) - place - 1)
			due = now.Add(patience)
		}
	}
	deciding.Store(nil)
	if len(piece.TurnIds) > 0 {
		send(piece)
	}
	return true
}

func newPiece(turns int) *upcardv1.Answers {
	return &upcardv1.Answers{
		TurnIds: make([]uint32, 0, turns),
		Choices: make([]uint32, 0, turns),
	}
}
