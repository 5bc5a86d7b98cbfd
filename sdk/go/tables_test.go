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

// listenAsAuthor returns what is told to the bot's author from now on.
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

// answered returns the pieces of the answer to a frame.
func answered(at *tables, frame *upcardv1.Frame) ([]*upcardv1.Answers, bool) {
	return answeredBy(func() time.Time { return time.Unix(0, 0) }, at, frame)
}

// answeredBy does so by a clock; who decides sends all of them.
func answeredBy(
	now func() time.Time, at *tables, frame *upcardv1.Frame,
) (sent []*upcardv1.Answers, well bool) {
	answers := newPieces(func(piece *upcardv1.Answers) { sent = append(sent, piece) })
	answers.now, answers.after = now, never
	well = at.answer(frame, answers)
	return sent, well
}

func never(time.Duration, func()) *time.Timer { return time.AfterFunc(0, func() {}) }

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
	pieces, _ := answeredBy(func() time.Time { return now }, at, frame)
	var sizes []int
	for _, piece := range pieces {
		sizes = append(sizes, len(piece.TurnIds))
	}
	same(t, "sizes of the pieces", sizes, []int{2, 2, 1})
}

func TestWhatIsFinishedIsSentWhileADecisionTakesItsTime(t *testing.T) {
	sent := make(chan *upcardv1.Answers, 2)
	waits := func(view *View, legal []Action) Action {
		if view.Turn() == 102 {
			piece := <-sent
			same(t, "turns of the first piece", piece.TurnIds, []uint32{101})
		}
		return legal[0]
	}
	at, frame := aFrame(t, each(waits), 3)
	at.answer(frame, newPieces(func(piece *upcardv1.Answers) { sent <- piece }))
	same(t, "turns of the last piece", (<-sent).TurnIds, []uint32{102, 103})
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

func TestATableThatIsNeverAskedMakesNoBot(t *testing.T) {
	made := 0
	at, frame := aFrame(t, func(Table) Bot {
		made++
		return chooser(first)
	}, 3)
	frame.Turns = frame.GetTurns()[2:]
	_, _ = answered(at, frame)
	same(t, "bots", made, 1)
}

func TestATableKeepsItsBot(t *testing.T) {
	made := 0
	at, frame := aFrame(t, func(Table) Bot {
		made++
		return chooser(first)
	}, 1)
	_, _ = answered(at, frame)
	_, _ = answered(at, &upcardv1.Frame{Turns: frame.GetTurns()})
	same(t, "bots", made, 1)
}

func TestTheTimeInWhichBotsAreMadeCounts(t *testing.T) {
	now := time.Unix(0, 0)
	at, frame := aFrame(t, func(Table) Bot {
		now = now.Add(60 * time.Millisecond)
		return chooser(first)
	}, 3)
	pieces, _ := answeredBy(func() time.Time { return now }, at, frame)
	same(t, "turns of the first piece", pieces[0].TurnIds, []uint32{101, 102})
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
	_, sits := at.matches[1]
	same(t, "still sits there", sits, false)
	same(t, "matches", len(at.matches), 1)
}

func TestATableThatWasNotOpenedIsNamed(t *testing.T) {
	heard := listenAsAuthor(t)
	at, frame := aFrame(t, each(first), 1)
	frame.Opened = nil
	_, well := answered(at, frame)
	same(t, "well", well, false)
	same(t, heard.String(), strings.HasPrefix(heard.String(), failedAt+
		"panic: the referee asks for a decision at table 1, which it did not open\n"), true)
}

func TestAnUnknownGameIsAnError(t *testing.T) {
	_, err := sitDown(each(first), &upcardv1.Welcome{})
	same(t, "error", err, errUnknownGame)
}

// shownEuchre gives a turn the view of a bidding, changed.
func shownEuchre(change func(*upcardv1.EuchreView)) func(*upcardv1.Turn) {
	return func(turn *upcardv1.Turn) { change(turn.GetEuchre()) }
}

func shownPhase(phase upcardv1.EuchrePhase) func(*upcardv1.Turn) {
	return shownEuchre(func(view *upcardv1.EuchreView) { view.Phase = phase })
}

func offeredCall(call upcardv1.EuchreCall) func(*upcardv1.Turn) {
	return shownEuchre(func(view *upcardv1.EuchreView) {
		view.LegalCalls = append(view.GetLegalCalls(), call)
	})
}

func offeredCard(phase upcardv1.EuchrePhase, card upcardv1.Card) func(*upcardv1.Turn) {
	return shownEuchre(func(view *upcardv1.EuchreView) {
		view.Phase, view.LegalCalls = phase, nil
		view.LegalCards = append(view.GetHand(), card)
	})
}

func TestWhatThisVersionDoesNotKnowEndsTheBotWithWords(t *testing.T) {
	const (
		discarding = upcardv1.EuchrePhase_EUCHRE_PHASE_DISCARDING
		playing    = upcardv1.EuchrePhase_EUCHRE_PHASE_PLAYING
	)
	for what, unknown := range map[string]struct {
		change func(*upcardv1.Turn)
		told   error
	}{
		"no view": {func(turn *upcardv1.Turn) { turn.View = nil }, errUnknownView},
		"a view of another game": {func(turn *upcardv1.Turn) {
			turn.View = &upcardv1.Turn_Whist{Whist: &upcardv1.WhistView{}}
		}, errUnknownView},
		"no phase":                 {shownPhase(0), errUnknownPhase},
		"the phase after the last": {shownPhase(4), errUnknownPhase},
		"a phase of two bytes":     {shownPhase(256 + 1), errUnknownPhase},
		"no call":                  {offeredCall(0), errUnknownAction},
		"the call after the last":  {offeredCall(12), errUnknownAction},
		"a call of two bytes":      {offeredCall(256 + 1), errUnknownAction},
		"no card":                  {offeredCard(playing, 0), errUnknownAction},
		"the card after the last":  {offeredCard(playing, 53), errUnknownAction},
		"a card of two bytes":      {offeredCard(playing, 256+1), errUnknownAction},
		"no card to discard":       {offeredCard(discarding, 0), errUnknownAction},
	} {
		t.Run(what, func(t *testing.T) {
			heard := listenAsAuthor(t)
			at, frame := aFrame(t, each(failing), 1)
			unknown.change(frame.GetTurns()[0])
			pieces, well := answered(at, frame)
			same(t, "well", well, false)
			same(t, "pieces", len(pieces), 0)
			same(t, "told", heard.String(), "[table 1, turn 101] "+unknown.told.Error()+"\n")
			same(t, "words", strings.Contains(heard.String(),
				"this version of the SDK does not know"), true)
		})
	}
}

func TestAnUnknownViewInWhistEndsTheBotWithWords(t *testing.T) {
	heard := listenAsAuthor(t)
	at, frame := aFrame(t, each(failing), 1)
	at.game = Whist
	_, well := answered(at, frame)
	same(t, "well", well, false)
	same(t, "told", heard.String(), "[table 1, turn 101] "+errUnknownView.Error()+"\n")
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
		failedAt+"panic: the function given to upcard.Run returned no bot\n"), true)
}

func TestAFactoryThatFailsIsToldWithTheTurn(t *testing.T) {
	heard := listenAsAuthor(t)
	_, well := answered(aFrame(t, func(Table) Bot { panic("no book") }, 1))
	same(t, "well", well, false)
	same(t, heard.String(),
		strings.HasPrefix(heard.String(), failedAt+"panic: no book\n    upcard.TestAFactory"), true)
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
