package upcard

// A word from a bot to its author.

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
)

// deciding is the view of what is being decided, and acting that of a game described in RECYCLE; nil
// between decisions.
var (
	deciding atomic.Pointer[View]
	acting   atomic.Pointer[RecycleView]
)

// authorsEar is where an author listens.
var authorsEar io.Writer = os.Stderr

// Log writes a line to stderr, with the table and the turn that it is about. It puts its values
// together as fmt.Println does. The referee shows it to you, and keeps it with a fault.
func Log(values ...any) { tell(fmt.Sprintln(values...)) }

// Logf is Log with a format, as fmt.Printf has it.
func Logf(format string, values ...any) { tell(fmt.Sprintf(format, values...)) }

func tell(message string) {
	where := ""
	if view := deciding.Load(); view != nil {
		where = place(view.Table(), view.Turn())
	} else if view := acting.Load(); view != nil {
		where = place(view.Table(), view.Turn())
	}
	// In one write, so that lines of several goroutines do not mix. Whether it is heard is not ours.
	_, _ = io.WriteString(authorsEar, where+strings.TrimSuffix(message, "\n")+"\n")
}

func place(table, turn uint32) string { return fmt.Sprintf("[table %d, turn %d] ", table, turn) }
