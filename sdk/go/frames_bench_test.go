package upcard

// What a decision costs in large frames: from the bytes of a frame to those of its answer.

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"upcard/upcardv1"
)

const frameSize = 256

func BenchmarkADecisionAmongMany(b *testing.B) {
	measure(b, first)
}

func BenchmarkADecisionWithALookAroundAmongMany(b *testing.B) {
	measure(b, func(view *View, legal []Action) Action {
		for _, suit := range Suits {
			_, _ = view.Holding(suit), view.StillOut(suit)
		}
		_, _, _ = view.Plays(), view.Tricks(), view.VoidSuits(view.Partner())
		_, _ = view.WinningSeat(), view.Score()
		return legal[0]
	})
}

func measure(b *testing.B, choose chooser) {
	at, wire := manyTurns(b, choose)
	answers := newPieces(func(piece *upcardv1.Answers) {
		if _, err := proto.Marshal(piece); err != nil {
			b.Fatal(err)
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		response := new(upcardv1.PlayResponse)
		if err := proto.Unmarshal(wire, response); err != nil {
			b.Fatal(err)
		}
		at.answer(response.GetFrame(), answers)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*frameSize), "ns/decision")
}

// manyTurns returns the bytes of a frame of euchre, and the tables it is for.
func manyTurns(b *testing.B, choose chooser) (*tables, []byte) {
	b.Helper()
	var euchre []viewVector
	for _, vector := range viewVectors(b) {
		if vector.Game == Euchre.String() {
			euchre = append(euchre, vector)
		}
	}
	at, frame := euchre[0].tables(b), new(upcardv1.Frame)
	at.newBot = each(choose)
	for number := range uint32(frameSize) {
		turn := euchre[int(number)%len(euchre)].turn(b)
		turn.TableId, turn.TurnId = number, number
		at.matches[number] = &match{bot: choose}
		frame.Turns = append(frame.Turns, turn)
	}
	wire, err := proto.Marshal(&upcardv1.PlayResponse{
		Message: &upcardv1.PlayResponse_Frame{Frame: frame},
	})
	if err != nil {
		b.Fatal(err)
	}
	return at, wire
}
