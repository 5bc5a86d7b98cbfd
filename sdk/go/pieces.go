package upcard

// The answers to a frame, sent in one piece or, if that takes long, in several.

import (
	"sync"
	"time"

	"upcard/upcardv1"
)

// patience is how long answers are held back after the frame, or after the last ones were sent.
const patience = 100 * time.Millisecond

// pieces collects the answers to the frame that is being decided. Who decides sends what is due
// between decisions; while a decision takes its time, a timer does.
type pieces struct {
	sendTo func(*upcardv1.Answers)
	now    func() time.Time
	// after calls a function later, in a goroutine of its own.
	after func(time.Duration, func()) *time.Timer

	mutex sync.Mutex
	piece *upcardv1.Answers
	left  int
	due   time.Time
	timer *time.Timer
}

func newPieces(sendTo func(*upcardv1.Answers)) *pieces {
	return &pieces{sendTo: sendTo, now: time.Now, after: time.AfterFunc}
}

// begin begins a frame of so many turns.
func (all *pieces) begin(turns int) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.piece, all.left, all.due = newPiece(turns), turns, all.now().Add(patience)
	switch {
	case turns < 2: // One answer waits for no other.
	case all.timer == nil:
		all.timer = all.after(patience, all.watch)
	default:
		all.timer.Reset(patience)
	}
}

// add adds an answer, and sends what is due.
func (all *pieces) add(turn, choice uint32) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.piece.TurnIds = append(all.piece.TurnIds, turn)
	all.piece.Choices = append(all.piece.Choices, choice)
	all.left--
	if !all.now().Before(all.due) {
		all.send()
	}
}

// end sends the last piece.
func (all *pieces) end() {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.send()
	all.left = 0
	if all.timer != nil {
		all.timer.Stop()
	}
}

func (all *pieces) send() {
	if len(all.piece.TurnIds) == 0 {
		return
	}
	all.sendTo(all.piece)
	all.piece, all.due = newPiece(all.left), all.now().Add(patience)
}

// watch sends a piece that is due. If nothing is finished by then, who decides sends what is next.
func (all *pieces) watch() {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if all.left == 0 {
		return
	}
	if !all.now().Before(all.due) {
		all.send()
	}
	wait := all.due.Sub(all.now())
	if wait <= 0 {
		wait = patience
	}
	all.timer.Reset(wait)
}

func newPiece(turns int) *upcardv1.Answers {
	return &upcardv1.Answers{
		TurnIds: make([]uint32, 0, turns),
		Choices: make([]uint32, 0, turns),
	}
}
