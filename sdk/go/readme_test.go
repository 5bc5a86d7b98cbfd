package upcard

// What the README and the package's own page show.

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTheBotsShownAreCompiled(t *testing.T) {
	shown := programs(t)
	same(t, "programs", len(shown), 4)
	for what, program := range map[string]string{
		"a whole bot":               shown[0],
		"a bot by phase":            byPhaseBegins + shown[1] + byPhaseEnds,
		"a bot for any game":        anyGameBegins + shown[2],
		"a test":                    testBegins + shown[3],
		"a bot on the package page": onThePackagePage(t),
	} {
		t.Run(what, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
				t.Fatal(err)
			}
			if told, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
				t.Errorf("%v: %s\n%s", err, told, program)
			}
		})
	}
}

// What is around the lines that show ByPhase.
const (
	byPhaseBegins = `package main

import "upcard"

type player struct{ upcard.Table }

func (*player) bid(_ *upcard.View, legal []upcard.Action) upcard.Action     { return legal[0] }
func (*player) discard(_ *upcard.View, legal []upcard.Action) upcard.Action { return legal[0] }
func (*player) play(_ *upcard.View, legal []upcard.Action) upcard.Action    { return legal[0] }

func main() {
`
	byPhaseEnds = "}\n"

	// What is before a test.
	testBegins = `package main

import (
	"testing"

	"upcard"
)

func newPlayer(upcard.Table) upcard.Bot { return upcard.ByPhase{} }

func main() { upcard.Run(newPlayer) }

`

	// What is before the method that plays any game.
	anyGameBegins = `package main

import "upcard"

type player struct{}

func (*player) Choose(_ *upcard.View, legal []upcard.Action) upcard.Action { return legal[0] }

func main() {
	upcard.Run(func(upcard.Table) upcard.Bot { return upcard.Mover(&player{}) })
}

`
)

func TestTheTablesOfNamesAreThoseOfTheViews(t *testing.T) {
	listsTheNames(t, "The view", reflect.TypeFor[*View]())
	listsTheNames(t, "Any other game", reflect.TypeFor[*RecycleView]())
}

func listsTheNames(t *testing.T, heading string, view reflect.Type) {
	t.Helper()
	_, section, _ := strings.Cut(readme(t), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed, names []string
	for _, row := range firstColumn.FindAllString(section, -1) {
		for _, name := range inCode.FindAllStringSubmatch(row, -1) {
			listed = append(listed, name[1])
		}
	}
	for place := range view.NumMethod() {
		if name := view.Method(place).Name; name != "String" {
			names = append(names, name)
		}
	}
	slices.Sort(listed)
	same(t, "names listed", listed, names)
}

var (
	program     = regexp.MustCompile("(?s)```go\n(.*?)```")
	firstColumn = regexp.MustCompile("(?m)^\\| `.*?` \\|")
	inCode      = regexp.MustCompile("`(\\w+)")
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// programs returns what the README shows in Go.
func programs(t *testing.T) (shown []string) {
	t.Helper()
	for _, block := range program.FindAllStringSubmatch(readme(t), -1) {
		shown = append(shown, block[1])
	}
	return shown
}

// onThePackagePage returns the program in the package's comment.
func onThePackagePage(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(file.Doc.Text()) {
		if strings.HasPrefix(line, "\t") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
