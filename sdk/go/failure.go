package upcard

// What a bot's author is told when the bot fails, or the SDK is too old for the referee.

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

var (
	errUnknownGame   = unknown("the referee plays a game")
	errUnknownView   = unknown("the referee shows a view")
	errUnknownPhase  = unknown("the referee asks for a kind of decision")
	errUnknownAction = unknown("the referee offers an action")
)

func unknown(what string) error {
	return errors.New(what + " that this version of the SDK does not know")
}

// tellFailure prints what was being decided, and what went wrong.
func tellFailure(reason string) {
	Logf("the bot failed; %s", situation())
	_, _ = fmt.Fprintln(authorsEar, reason)
}

func tellIllegal(action any, legal string) {
	tellFailure(fmt.Sprintf("the bot returned %v; legal here: %s", action, legal))
}

func tellPanic(reason any) {
	tellFailure(fmt.Sprintf("panic: %v\n%s", reason, panicTrace()))
}

func situation() string {
	if view := deciding.Load(); view != nil {
		return fmt.Sprintf("%v, legal %s", view, spaced(view.legal))
	}
	if view := acting.Load(); view != nil {
		return fmt.Sprintf("%v, legal %s", view, view.legalLine())
	}
	return "no decision was due"
}

// panicTrace returns the calls that led to the panic that is being recovered, the innermost first.
// It ends where this package called the bot: what is below says nothing to the bot's author.
func panicTrace() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	var trace strings.Builder
	panicked := false
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		switch {
		case !panicked || strings.HasPrefix(frame.Function, "runtime."):
			panicked = panicked || frame.Function == "runtime.gopanic"
		case strings.HasPrefix(frame.Function, "upcard.(*tables)"):
			return trace.String()
		default:
			fmt.Fprintf(&trace, "    %s\n        %s:%d\n", frame.Function, frame.File, frame.Line)
		}
	}
	return trace.String()
}
