package upcard

// A bot's process.

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const asABot = "UPCARD_TEST_IS_A_BOT"

// TestMain lets the program of the tests be a bot as well.
func TestMain(m *testing.M) {
	if os.Getenv(asABot) != "" {
		Run(each(first))
	}
	os.Exit(m.Run())
}

func TestABotStartedByHandSaysThatTheRefereeStartsIt(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bot := exec.Command(program)
	bot.Env = []string{asABot + "=1"}
	told, err := bot.CombinedOutput()
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
