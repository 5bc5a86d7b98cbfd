package upcard

// Frames in, answers out.

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"upcard/upcardv1"
)

// chooser is a bot that is one function.
type chooser func(view *View, legal []Action) Action

func (choose chooser) Choose(view *View, legal []Action) Action { return choose(view, legal) }

func first(_ *View, legal []Action) Action { return legal[0] }

func each(choose chooser) func(Table) Bot { return func(Table) Bot { return choose } }

// listenAsAuthor gives what is told to the bot's author from now on.
func listenAsAuthor(t testing.TB) *bytes.Buffer {
	t.Helper()
	before, heard := authorsEar, new(bytes.Buffer)
	authorsEar = heard
	t.Cleanup(func() { authorsEar = before })
	return heard
}

// aFrame has turns at so many tables, with numbers from 1, and the tables to have them at.
func aFrame(t testing.TB, newBot func(Table) Bot, turns int) (*tables, *upcardv1.Frame) {
	t.Helper()
	vector := viewVectors(t)[0]
	at, frame := vector.tables(t), new(upcardv1.Frame)
	at.newBot = newBot
	for number := uint32(1); number <= uint32(turns); number++ {
		turn := vector.turn(t)
		turn.TableId, turn.TurnId = number, 100+number
		frame.Turns = append(frame.Turns, turn)
		frame.Opened = append(frame.Opened, &upcardv1.TableOpened{TableId: number, Seed: 5})
	}
	return at, frame
}

// answered gives the pieces of the answer to a frame.
func answered(at *tables, frame *upcardv1.Frame) (pieces []*upcardv1.Answers, well bool) {
	well = at.answer(frame, func(piece *upcardv1.Answers) { pieces = append(pieces, piece) })
	return pieces, well
}

func TestTheAnswersOfAFrameAreSentTogether(t *testing.T) {
	pieces, _ := answered(aFrame(t, each(first), 256))
	same(t, "pieces", len(pieces), 1)
	same(t, "answers", len(pieces[0].TurnIds), 256)
}

func TestAnAnswerIsAPlaceInTheRefereesList(t *testing.T) {
	second := func(_ *View, legal []Action) Action { return legal[1] }
	pieces, _ := answered(aFrame(t, each(second), 2))
	same(t, "turns", pieces[0].TurnIds, []uint32{101, 102})
	same(t, "choices", pieces[0].Choices, []uint32{1, 1})
}

func TestABotMaySortItsLegalActions(t *testing.T) {
	last := func(_ *View, legal []Action) Action {
		slices.Reverse(legal)
		return legal[0]
	}
	pieces, _ := answered(aFrame(t, each(last), 1))
	same(t, "choices", pieces[0].Choices, []uint32{2})
}

func TestASlowBotsAnswersAreSentInPieces(t *testing.T) {
	now := time.Unix(0, 0)
	slow := func(_ *View, legal []Action) Action {
		now = now.Add(60 * time.Millisecond)
		return legal[0]
	}
	at, frame := aFrame(t, each(slow), 5)
	at.now = func() time.Time { return now }
	pieces, _ := answered(at, frame)
	var sizes []int
	for _, piece := range pieces {
		sizes = append(sizes, len(piece.TurnIds))
	}
	same(t, "sizes of the pieces", sizes, []int{2, 2, 1})
}

func TestNothingIsSentForAFrameWithoutTurns(t *testing.T) {
	at, frame := aFrame(t, each(first), 0)
	pieces, well := answered(at, frame)
	same(t, "pieces", len(pieces), 0)
	same(t, "well", well, true)
}

func TestEveryTableHasABotOfItsOwn(t *testing.T) {
	var made []Table
	_, _ = answered(aFrame(t, func(table Table) Bot {
		made = append(made, table)
		return chooser(first)
	}, 3))
	same(t, "bots", len(made), 3)
}

func TestABotKnowsItsTableWhenItIsMade(t *testing.T) {
	var made Table
	at, frame := aFrame(t, func(table Table) Bot {
		made = table
		return chooser(first)
	}, 1)
	_, _ = answered(at, frame)
	same(t, "seat", made.Seat, East)
	same(t, "target", made.Rules.Target, 10)
}

func TestTheSameSeedGivesTheSameChance(t *testing.T) {
	var drawn []uint64
	_, _ = answered(aFrame(t, func(table Table) Bot {
		drawn = append(drawn, table.Random.Uint64())
		return chooser(first)
	}, 2))
	same(t, "numbers", drawn, []uint64{drawn[0], drawn[0]})
}

func TestATableThatClosesIsForgotten(t *testing.T) {
	at, frame := aFrame(t, each(first), 2)
	frame.Closed = []*upcardv1.TableClosed{{TableId: 1}, {TableId: 9}}
	_, _ = answered(at, frame)
	_, sits := at.bots[1]
	same(t, "still sits there", sits, false)
	same(t, "bots", len(at.bots), 1)
}

func TestAnUnknownGameIsAnError(t *testing.T) {
	_, err := sitDown(each(first), &upcardv1.Welcome{})
	same(t, "error", err, errUnknownGame)
}

func TestALineOfTheLogNamesTableAndTurn(t *testing.T) {
	heard := listenAsAuthor(t)
	_, _ = answered(aFrame(t, each(func(view *View, legal []Action) Action {
		Log("my hand is", view.Hand())
		return legal[0]
	}), 1))
	same(t, "line", heard.String(), "[table 1, turn 101] my hand is [QC 9D AH 9S QS]\n")
}

func TestALineOutsideADecisionNamesNoTable(t *testing.T) {
	heard := listenAsAuthor(t)
	_, _ = answered(aFrame(t, each(first), 1))
	Logf("all %s", "well\n")
	same(t, "line", heard.String(), "all well\n")
}

const failedAt = "[table 1, turn 101] the bot failed; " +
	"euchre, bidding: hand QC 9D AH 9S QS, upcard TS, legal pass order_up order_up_alone\n"

func TestAnIllegalActionIsToldWithWhatIsLegal(t *testing.T) {
	heard := listenAsAuthor(t)
	play := func(*View, []Action) Action { return Play(CardOf(Jack, Diamonds)) }
	_, well := answered(aFrame(t, each(play), 1))
	same(t, "well", well, false)
	same(t, "told", heard.String(), failedAt+
		"the bot returned play:JD; legal here: pass order_up order_up_alone\n")
}

func TestACardOfTheWrongPhaseIsIllegal(t *testing.T) {
	for _, vector := range viewVectors(t) {
		view := vector.open(t)
		for _, card := range view.LegalCards() {
			same(t, "play", view.placeOf(Play(card)) >= 0, view.Phase() == Playing)
			same(t, "discard", view.placeOf(Discard(card)) >= 0, view.Phase() == Discarding)
		}
	}
}

func failing(*View, []Action) Action { panic("no idea") }

func TestAPanicIsToldWithItsSituation(t *testing.T) {
	heard := listenAsAuthor(t)
	_, well := answered(aFrame(t, each(failing), 1))
	same(t, "well", well, false)
	same(t, "told", strings.HasPrefix(heard.String(), failedAt+"panic: no idea\n"), true)
}

func TestTheTraceOfAPanicBeginsInTheBot(t *testing.T) {
	heard := listenAsAuthor(t)
	_, _ = answered(aFrame(t, each(failing), 1))
	trace := strings.TrimPrefix(heard.String(), failedAt+"panic: no idea\n")
	same(t, trace, strings.HasPrefix(trace, "    upcard.failing\n"), true)
}

func TestTheTraceOfAPanicEndsWhereTheBotWasCalled(t *testing.T) {
	heard := listenAsAuthor(t)
	_, _ = answered(aFrame(t, each(failing), 1))
	lines := strings.Split(strings.TrimSpace(heard.String()), "\n")
	last := lines[len(lines)-2]
	same(t, "last frame", last, "    upcard.chooser.Choose")
}

func TestARuntimeErrorIsTracedAsAPanicIs(t *testing.T) {
	heard := listenAsAuthor(t)
	_, _ = answered(aFrame(t, each(func(_ *View, legal []Action) Action { return legal[9] }), 1))
	same(t, heard.String(), strings.Contains(heard.String(),
		"panic: runtime error: index out of range [9] with length 3\n    upcard.TestARuntime"), true)
}

func TestAFactoryWithoutABotIsToldSo(t *testing.T) {
	heard := listenAsAuthor(t)
	_, well := answered(aFrame(t, func(Table) Bot { return nil }, 1))
	same(t, "well", well, false)
	same(t, heard.String(), strings.HasPrefix(heard.String(),
		"the bot failed; no decision was due\npanic: the function given to upcard.Run"), true)
}

func TestByPhaseAsksWhatIsDue(t *testing.T) {
	is := func(phase Phase) func(*View, []Action) Action {
		return func(view *View, legal []Action) Action {
			same(t, "phase", view.Phase(), phase)
			return legal[0]
		}
	}
	bot := ByPhase{Bid: is(Bidding), Discard: is(Discarding), Play: is(Playing)}
	for _, vector := range viewVectors(t) {
		view := vector.open(t)
		same(t, "choice", bot.Choose(view, view.Legal()), view.Legal()[0])
	}
}

func TestByPhaseNamesWhatIsMissing(t *testing.T) {
	heard := listenAsAuthor(t)
	_, _ = answered(aFrame(t, func(Table) Bot { return ByPhase{Play: first} }, 1))
	same(t, heard.String(), strings.Contains(heard.String(), "has no Bid, and that is due"), true)
}
