package upcard

// A bot's stream, with a referee that follows a script.

import (
	"io"
	"net"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"upcard/upcardv1"
)

// script is what a referee says, and hears from the bot.
type script func(say func(*upcardv1.PlayResponse), hear func() said) error

// said is what a bot said; the error is io.EOF if it closed its side.
type said struct {
	*upcardv1.PlayRequest
	err error
}

type scripted struct {
	upcardv1.UnimplementedRefereeServiceServer
	play script
}

func (referee scripted) Play(stream grpc.BidiStreamingServer[
	upcardv1.PlayRequest, upcardv1.PlayResponse,
]) error {
	say := func(response *upcardv1.PlayResponse) { _ = stream.Send(response) }
	return referee.play(say, func() said {
		request, err := stream.Recv()
		return said{request, err}
	})
}

// receiving has a scripted referee listen, and gives its address.
func receiving(t *testing.T, play script) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "referee.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	upcardv1.RegisterRefereeServiceServer(server, scripted{play: play})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return "unix:" + socket
}

// converseWith has a bot play for a scripted referee, and gives its exit code.
func converseWith(t *testing.T, newBot func(Table) Bot, play script) int {
	t.Helper()
	return converse(newBot, receiving(t, play), "secret", 7)
}

var goodbye = &upcardv1.PlayResponse{
	Message: &upcardv1.PlayResponse_Goodbye{Goodbye: &upcardv1.Goodbye{}},
}

func aWelcome(t *testing.T) *upcardv1.PlayResponse {
	t.Helper()
	welcome := new(upcardv1.Welcome)
	decode(t, viewVectors(t)[0].Welcome, welcome)
	return &upcardv1.PlayResponse{Message: &upcardv1.PlayResponse_Welcome{Welcome: welcome}}
}

func framed(frame *upcardv1.Frame) *upcardv1.PlayResponse {
	return &upcardv1.PlayResponse{Message: &upcardv1.PlayResponse_Frame{Frame: frame}}
}

// aMatch asks for decisions in one frame and says goodbye; heard gets all that the bot says.
func aMatch(t *testing.T, turns int, heard *[]said) script {
	t.Helper()
	_, frame := aFrame(t, nil, turns)
	welcome := aWelcome(t)
	return func(say func(*upcardv1.PlayResponse), hear func() said) error {
		*heard = append(*heard, hear())
		say(welcome)
		say(framed(frame))
		*heard = append(*heard, hear())
		say(goodbye)
		*heard = append(*heard, hear())
		return nil
	}
}

func TestABotPresentsItself(t *testing.T) {
	var heard []said
	converseWith(t, each(first), aMatch(t, 1, &heard))
	hello := &upcardv1.Hello{
		Token: "secret", ProtocolRevision: 1, Sdk: "upcard-go 0.1.0", Tables: 7,
	}
	same(t, "hello", proto.Equal(heard[0].GetHello(), hello), true)
}

func TestABotAnswersAllTurnsOfALargeFrame(t *testing.T) {
	var heard []said
	converseWith(t, each(first), aMatch(t, 256, &heard))
	same(t, "answers", len(heard[1].GetAnswers().GetTurnIds()), 256)
}

func TestAPieceLeavesWhileTheBotGoesOnComputing(t *testing.T) {
	_, frame := aFrame(t, nil, 2)
	welcome := aWelcome(t)
	heard := make(chan []uint32, 1)
	bot := aProcess(t, absorbed, receiving(t,
		func(say func(*upcardv1.PlayResponse), hear func() said) error {
			hear()
			say(welcome)
			say(framed(frame))
			heard <- hear().GetAnswers().GetTurnIds()
			return nil
		}))
	if err := bot.Start(); err != nil {
		t.Fatal(err)
	}
	same(t, "first piece", <-heard, []uint32{101})
	_, _ = bot.Process.Kill(), bot.Wait()
}

func TestABotClosesItsSideAtTheGoodbyeAndEndsWell(t *testing.T) {
	var heard []said
	same(t, "exit code", converseWith(t, each(first), aMatch(t, 1, &heard)), 0)
	same(t, "end", heard[2].err, io.EOF)
}

func TestABotThatFailsEndsWithOne(t *testing.T) {
	listenAsAuthor(t)
	var heard []said
	same(t, "exit code", converseWith(t, each(failing), aMatch(t, 1, &heard)), 1)
}

// saying is a referee that says this whatever the bot says, and ends as it is told.
func saying(end error, responses ...*upcardv1.PlayResponse) script {
	return func(say func(*upcardv1.PlayResponse), hear func() said) error {
		hear()
		for _, response := range responses {
			say(response)
		}
		return end
	}
}

func TestABotThatIsNotReceivedSaysWhy(t *testing.T) {
	heard := listenAsAuthor(t)
	end := status.Error(codes.Unauthenticated, "the token is another one")
	same(t, "exit code", converseWith(t, each(first), saying(end)), 1)
	same(t, "told", heard.String(),
		"the referee does not receive this bot: UNAUTHENTICATED: the token is another one\n")
}

func TestABotWithoutARefereeSaysSo(t *testing.T) {
	heard := listenAsAuthor(t)
	nowhere := "unix:" + filepath.Join(t.TempDir(), "nobody.sock")
	same(t, "exit code", converse(each(first), nowhere, "", 1), 1)
	same(t, heard.String(), len(heard.String()) > 0, true)
}

func TestALostRefereeIsTold(t *testing.T) {
	heard := listenAsAuthor(t)
	end := status.Error(codes.Aborted, "a second stream")
	same(t, "exit code", converseWith(t, each(first), saying(end, aWelcome(t))), 0)
	same(t, "told", heard.String(), "the referee is gone: ABORTED: a second stream\n")
}

func TestAStreamThatEndsEndsTheBot(t *testing.T) {
	heard := listenAsAuthor(t)
	same(t, "exit code", converseWith(t, each(first), saying(nil, aWelcome(t))), 0)
	same(t, "told", heard.String(), "")
}

func TestAGoodbyeMayBeTheFirstWord(t *testing.T) {
	same(t, "exit code", converseWith(t, each(first), saying(nil, goodbye)), 0)
}

func TestAFaultIsPassedOn(t *testing.T) {
	heard := listenAsAuthor(t)
	fault := &upcardv1.PlayResponse{Message: &upcardv1.PlayResponse_Fault{
		Fault: &upcardv1.FaultNotice{
			Fault: upcardv1.Fault_FAULT_ILLEGAL_ACTION, TableId: 7, TurnId: 12,
			Explanation: "no such action",
		},
	}}
	converseWith(t, each(first), saying(nil, aWelcome(t), fault, goodbye))
	same(t, "told", heard.String(), "fault ILLEGAL_ACTION at table 7, turn 12: no such action\n")
}

func TestAFaultWithoutATurnNamesNone(t *testing.T) {
	notice := &upcardv1.FaultNotice{
		Fault: upcardv1.Fault_FAULT_CPU_LIMIT, Explanation: "it pondered",
	}
	same(t, "line", explained(notice), "fault CPU_LIMIT: it pondered")
}

func TestAMessageOfAnUnknownKindIsPassedOver(t *testing.T) {
	unknown := new(upcardv1.PlayResponse)
	decode(t, "7a020801", unknown)
	end := saying(nil, unknown, aWelcome(t), unknown, goodbye)
	same(t, "exit code", converseWith(t, each(first), end), 0)
}

func TestAnUnknownActionEndsTheBotWithAnError(t *testing.T) {
	heard := listenAsAuthor(t)
	_, frame := aFrame(t, nil, 1)
	offeredCall(12)(frame.GetTurns()[0])
	exit := converseWith(t, each(first), saying(nil, aWelcome(t), framed(frame)))
	same(t, "exit code", exit, 1)
	same(t, "told", heard.String(), "[table 1, turn 101] "+errUnknownAction.Error()+"\n")
}

func TestAnUnknownGameEndsTheBotWithAnError(t *testing.T) {
	heard := listenAsAuthor(t)
	welcome := &upcardv1.PlayResponse{
		Message: &upcardv1.PlayResponse_Welcome{Welcome: &upcardv1.Welcome{}},
	}
	same(t, "exit code", converseWith(t, each(first), saying(nil, welcome)), 1)
	same(t, "told", heard.String(), errUnknownGame.Error()+"\n")
}
