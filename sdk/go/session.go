package upcard

// A bot's stream to the referee, from hello to goodbye.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"upcard/upcardv1"
)

const (
	protocolRevision = 1
	largestMessage   = 16 << 20
	goodbyeTime      = time.Second
)

// stream is the bot's side of the one call.
type stream = grpc.BidiStreamingClient[upcardv1.PlayRequest, upcardv1.PlayResponse]

// converse plays until the referee says goodbye, and gives the exit code.
func converse(newBot func(Table) Bot, address, token string, tables uint32) int {
	call, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	channel, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestMessage)))
	if err != nil {
		return refused(err)
	}
	defer channel.Close()
	referee, err := upcardv1.NewRefereeServiceClient(channel).Play(call)
	if err != nil {
		return refused(err)
	}
	hello := &upcardv1.Hello{
		Token:            token,
		ProtocolRevision: protocolRevision,
		Sdk:              "upcard-go " + Version,
		Tables:           tables,
	}
	// If it cannot be sent, the referee's answer says why.
	_ = referee.Send(&upcardv1.PlayRequest{Message: &upcardv1.PlayRequest_Hello{Hello: hello}})
	exit := listen(newBot, referee)
	if exit == 0 {
		time.AfterFunc(goodbyeTime, hangUp)
		leave(referee)
	}
	return exit
}

func listen(newBot func(Table) Bot, referee stream) int {
	welcome, err := welcomed(referee)
	switch {
	case errors.Is(err, io.EOF):
		return 0
	case err != nil:
		return refused(err)
	}
	tables, err := sitDown(newBot, welcome)
	if err != nil {
		Log(err)
		return 1
	}
	return play(tables, referee)
}

// welcomed waits for the referee's first word; io.EOF says that it was its last one.
func welcomed(referee stream) (*upcardv1.Welcome, error) {
	for {
		response, err := referee.Recv()
		if err != nil {
			return nil, err
		}
		if welcome := response.GetWelcome(); welcome != nil {
			return welcome, nil
		}
		if isGoodbye(response) {
			return nil, io.EOF
		}
	}
}

func play(tables *tables, referee stream) int {
	answers := newPieces(func(piece *upcardv1.Answers) {
		// If it cannot be sent, the next Recv says why.
		_ = referee.Send(&upcardv1.PlayRequest{
			Message: &upcardv1.PlayRequest_Answers{Answers: piece},
		})
		letThrough()
	})
	for {
		response, err := referee.Recv()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				Logf("the referee is gone: %s", reason(err))
			}
			return 0
		}
		if !tables.answer(response.GetFrame(), answers) {
			return 1
		}
		if isGoodbye(response) {
			return 0
		}
	}
}

// letThrough has gRPC write what was sent before the bot goes on. That is done by a goroutine which
// yields once itself, to write more at a time. Where there is one processor, it would wait for the
// runtime to interrupt the bot, and wait again.
func letThrough() {
	for range 2 {
		runtime.Gosched()
	}
}

// leave closes the bot's side, and waits for the referee to end the call.
func leave(referee stream) {
	_ = referee.CloseSend()
	for {
		if _, err := referee.Recv(); err != nil {
			return
		}
	}
}

// isGoodbye passes on what the referee complains of, and says whether it is done.
func isGoodbye(response *upcardv1.PlayResponse) bool {
	if notice := response.GetFault(); notice != nil {
		Log(explained(notice))
	}
	return response.GetGoodbye() != nil
}

func explained(notice *upcardv1.FaultNotice) string {
	where, when := "", ""
	if table := notice.GetTableId(); table != 0 {
		where = fmt.Sprintf(" at table %d", table)
	}
	if turn := notice.GetTurnId(); turn != 0 {
		when = fmt.Sprintf(", turn %d", turn)
	}
	fault := strings.TrimPrefix(notice.GetFault().String(), "FAULT_")
	return fmt.Sprintf("fault %s%s%s: %s", fault, where, when, notice.GetExplanation())
}

func refused(err error) int {
	Logf("the referee does not receive this bot: %s", reason(err))
	return 1
}

func reason(err error) string {
	failed := status.Convert(err)
	return fmt.Sprintf("%v: %s", code.Code(failed.Code()), failed.Message())
}
