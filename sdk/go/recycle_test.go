package upcard

// Games described in RECYCLE: what a view tells, and who is asked.

import (
	"strings"
	"testing"

	"upcard/upcardv1"
)

type recycleVector struct {
	Welcome, Turn string
	Rules, View   map[string]any
}

func recycleVectors(t testing.TB) []recycleVector {
	t.Helper()
	return vectors[recycleVector](t, "recycle_views.jsonl")
}

// sit returns the tables, the turn and the view a bot would get.
func (vector recycleVector) sit(t testing.TB) (*tables, *upcardv1.Turn, *RecycleView) {
	t.Helper()
	welcome, turn := new(upcardv1.Welcome), new(upcardv1.Turn)
	decode(t, vector.Welcome, welcome)
	decode(t, vector.Turn, turn)
	at, err := sitDown(nil, welcome)
	if err != nil {
		t.Fatal(err)
	}
	view, err := newRecycleView(turn, at.recycle)
	if err != nil {
		t.Fatal(err)
	}
	return at, turn, view
}

func TestAViewOfAnyGameShowsWhatThePlayerKnows(t *testing.T) {
	for _, vector := range recycleVectors(t) {
		_, _, view := vector.sit(t)
		same(t, "rules", asJSON(t, rulesTold(view.Rules())), vector.Rules)
		same(t, "view", asJSON(t, recycleTold(view)), vector.View)
		for _, number := range view.Numbers() {
			same(t, number.Name, view.Number(number.Owner, number.Name), number.Value)
		}
		for _, text := range view.Texts() {
			same(t, text.Name, view.Text(text.Owner, text.Name), text.Value)
		}
		same(t, "number not stored", view.Number(0, "NOTHING"), 0)
		same(t, "text not stored", view.Text(0, "NOTHING"), "")
	}
}

func TestAFaceTellsItsAttributes(t *testing.T) {
	_, _, view := recycleVectors(t)[2].sit(t)
	face := &view.Rules().Faces[1]
	same(t, "suit", face.Attribute("SUIT"), "RED")
	same(t, "nothing", face.Attribute("RANK"), "")
	same(t, "name", face.String(), "NB-RED")
}

// mover is a bot that is one function.
type mover func(view *RecycleView, legal []string) string

func (mover) Choose(*View, []Action) Action { panic("not asked") }

func (choose mover) ChooseMove(view *RecycleView, legal []string) string { return choose(view, legal) }

// moved returns what a bot answers, and whether that went well.
func moved(t *testing.T, bot Bot) ([]*upcardv1.Answers, bool) {
	t.Helper()
	at, turn, _ := recycleVectors(t)[2].sit(t)
	at.newBot = func(Table) Bot { return bot }
	opened := []*upcardv1.TableOpened{{TableId: turn.GetTableId()}}
	return answered(at, &upcardv1.Frame{Opened: opened, Turns: []*upcardv1.Turn{turn}})
}

func TestAMoveIsAPlaceInTheRefereesList(t *testing.T) {
	pieces, well := moved(t, mover(func(view *RecycleView, legal []string) string {
		legal[0] = "changed"
		return view.Moves()[0].Text
	}))
	same(t, "well", well, true)
	same(t, "choices", pieces[0].Choices, []uint32{0})
}

func TestAByPhaseActs(t *testing.T) {
	act := func(_ *RecycleView, legal []string) string { return legal[1] }
	pieces, _ := moved(t, ByPhase{Act: act})
	same(t, "choices", pieces[0].Choices, []uint32{1})
}

func TestAMoveThatIsNotLegalIsTold(t *testing.T) {
	heard := listenAsAuthor(t)
	_, well := moved(t, mover(func(*RecycleView, []string) string { return "shout" }))
	same(t, "well", well, false)
	for _, line := range []string{
		"[table 7, turn 1] the bot failed; " +
			"recycle, acting: eight at a table, hand 12, player 3, legal play NA-RED; play CJ-BLUE\n",
		"the bot returned shout; legal here: play NA-RED; play CJ-BLUE\n",
	} {
		same(t, line, strings.Contains(heard.String(), line), true)
	}
}

func TestWhoDoesNotPlaySuchGamesIsTold(t *testing.T) {
	for bot, told := range map[Bot]string{
		&silent{}:                            "*upcard.silent has no ChooseMove, and that is due",
		&named{ByPhase{Play: playsTheFirst}}: "upcard.ByPhase has no Act, and that is due",
	} {
		heard := listenAsAuthor(t)
		_, well := moved(t, bot)
		same(t, "well", well, false)
		same(t, told, strings.Contains(heard.String(), told), true)
	}
}

type silent struct{}

func (*silent) Choose(_ *View, legal []Action) Action { return legal[0] }

// named is a bot by phase that can be the key of a map.
type named struct{ ByPhase }

func playsTheFirst(_ *View, legal []Action) Action { return legal[0] }

func TestATableOfAnyGameTellsTheGame(t *testing.T) {
	at, turn, _ := recycleVectors(t)[2].sit(t)
	var told Table
	at.newBot = func(table Table) Bot {
		told = table
		return mover(func(_ *RecycleView, legal []string) string { return legal[0] })
	}
	opened := []*upcardv1.TableOpened{{TableId: turn.GetTableId()}}
	answered(at, &upcardv1.Frame{Opened: opened, Turns: []*upcardv1.Turn{turn}})
	same(t, "seat", told.Seat, NoSeat)
	same(t, "seat in the game", told.Recycle.Seat, 8)
	same(t, "random", told.Random != nil, true)
}

type row = []any

func toldOf[Value any](values []Value, told func(*Value) any) row {
	all := row{}
	for place := range values {
		all = append(all, told(&values[place]))
	}
	return all
}

func rulesTold(rules *RecycleRules) map[string]any {
	return map[string]any{
		"name":        rules.Name,
		"program":     rules.Program,
		"numbering":   rules.Numbering,
		"hands":       rules.Hands,
		"players":     rules.Players,
		"sides":       rules.Sides,
		"seat":        rules.Seat,
		"lowest_wins": rules.LowestWins,
		"faces": toldOf(rules.Faces, func(face *RecycleFace) any {
			return map[string]any{
				"name":       face.Name,
				"attributes": attributesTold(face.Attributes),
				"back":       face.Back,
				"cards":      face.Cards,
			}
		}),
	}
}

func attributesTold(attributes []RecycleAttribute) row {
	return toldOf(attributes, func(each *RecycleAttribute) any { return row{each.Key, each.Value} })
}

func recycleTold(view *RecycleView) map[string]any {
	var left any
	if time, limited := view.TimeLeft(); limited {
		left = time.Milliseconds()
	}
	return map[string]any{
		"table":        view.Table(),
		"turn":         view.Turn(),
		"time_left_ms": left,
		"hand_number":  view.HandNumber(),
		"player":       view.Player(),
		"scores":       view.Scores(),
		"places":       toldOf(view.Places(), placeTold),
		"numbers": toldOf(view.Numbers(), func(each *RecycleNumber) any {
			return row{each.Owner, each.Name, each.Value}
		}),
		"texts": toldOf(view.Texts(), func(each *RecycleText) any {
			return row{each.Owner, each.Name, each.Value}
		}),
		"points": toldOf(view.Points(), func(each *RecyclePoints) any {
			awards := awardsTold(each.Awards)
			return map[string]any{"owner": each.Owner, "name": each.Name, "awards": awards}
		}),
		"flow":  view.Flow(),
		"legal": view.Legal(),
		"moves": toldOf(view.Moves(), func(move *RecycleMove) any {
			return map[string]any{"text": move.Text, "steps": toldOf(move.Steps, stepTold)}
		}),
	}
}

func placeTold(place *RecyclePlace) any {
	told := spotTold(&place.RecycleSpot).(map[string]any)
	told["size"] = place.Size
	told["backs"] = toldOf(place.Backs, func(back *RecycleBack) any {
		return row{back.Name, back.Cards}
	})
	told["faces"] = toldOf(place.Faces, func(face **RecycleFace) any { return (*face).Name })
	if place.Hidden {
		told["faces"] = nil
	}
	return told
}

func spotTold(spot *RecycleSpot) any {
	if spot == nil {
		return nil
	}
	return map[string]any{
		"owner": spot.Owner, "kind": spot.Kind, "name": spot.Name, "index": spot.Index,
	}
}

func awardsTold(awards []RecycleAward) row {
	return toldOf(awards, func(award *RecycleAward) any {
		attributes := attributesTold(award.Attributes)
		return map[string]any{"attributes": attributes, "points": award.Points}
	})
}

func stepTold(step *RecycleStep) any {
	told := map[string]any{
		"verb":       step.Verb,
		"face":       nameOr(step.Face),
		"source":     spotTold(step.Source),
		"target":     spotTold(step.Target),
		"owner":      step.Owner,
		"name":       nil,
		"value":      step.Value,
		"other_face": nameOr(step.OtherFace),
	}
	if step.Name != "" {
		told["name"] = step.Name
	}
	if awards, scores := step.Value.([]RecycleAward); scores {
		told["value"] = awardsTold(awards)
	}
	return told
}

func nameOr(face *RecycleFace) any {
	if face == nil {
		return nil
	}
	return face.Name
}
