package upcard

// How a bot's process starts and ends.

import (
	"fmt"
	"os"
)

const mostTables = 256

const usage = "UPCARD_ADDRESS is not set: a bot is started by the referee. " +
	"Try yours with `upcard try DIR`, where DIR is the directory with its bot.toml."

// An Option changes how [Run] plays.
type Option func(*options)

type options struct{ tables int }

// AtTables has the bot sit at no more than so many tables at the same time, 1 to 256. Many are
// faster, and 256 is what it is without; with 1, every decision has the time limit for itself.
func AtTables(tables int) Option {
	if tables < 1 || tables > mostTables {
		panic(fmt.Sprintf("a bot sits at 1 to %d tables, not %d", mostTables, tables))
	}
	return func(options *options) { options.tables = tables }
}

// Run plays for the referee that started this process, then ends the process. It calls newBot when
// the first decision of a match is due, and asks that bot for every decision in it, one after the
// other.
func Run(newBot func(Table) Bot, choices ...Option) {
	address := os.Getenv("UPCARD_ADDRESS")
	if address == "" {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	chosen := options{tables: mostTables}
	for _, choose := range choices {
		choose(&chosen)
	}
	os.Exit(converse(newBot, address, os.Getenv("UPCARD_TOKEN"), uint32(chosen.tables)))
}
