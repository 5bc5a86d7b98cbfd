package upcard

// A bot's process.

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

const asABot = "UPCARD_TEST_IS_A_BOT"

// What the program of the tests is when it is a bot.
const (
	quick    = "quick"
	absorbed = "absorbed"
)

// TestMain lets the program of the tests be a bot as well.
func TestMain(m *testing.M) {
	switch os.Getenv(asABot) {
	case quick:
		Run(each(first))
	case absorbed:
		Run(each(computing))
	}
	os.Exit(m.Run())
}

// computing takes the time of a piece for its first decision, and never ends with the second.
func computing(view *View, legal []Action) Action {
	for view.Turn() == 102 {
	}
	for begun := time.Now(); time.Since(begun) < patience; {
	}
	return legal[0]
}

// aProcess is the program of the tests as a bot. It has one processor, as bots have, and keeps it
// until it waits for something; but it does not live for ever.
func aProcess(t *testing.T, kind, address string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	life, end := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(end)
	bot := exec.CommandContext(life, program)
	bot.Env = []string{
		asABot + "=" + kind, "UPCARD_ADDRESS=" + address, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1",
	}
	return bot
}

func TestABotStartedByHandSaysThatTheRefereeStartsIt(t *testing.T) {
	told, err := aProcess(t, quick, "").CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		t.Fatalf("it did not end with an error: %v", err)
	}
	same(t, "exit code", ended.ExitCode(), 2)
	same(t, string(told), strings.HasPrefix(string(told), "UPCARD_ADDRESS is not set: "), true)
}

func TestABotMaySitAtFewTables(t *testing.T) {
	chosen := options{tables: mostTables}
	AtTables(1)(&chosen)
	same(t, "tables", chosen.tables, 1)
}

func TestABotSitsAtNoMoreTablesThanThereAre(t *testing.T) {
	defer func() {
		same(t, "panic", recover(), "a bot sits at 1 to 256 tables, not 257")
	}()
	AtTables(257)
}
