package upcard

// The bot that authors begin with.

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

func TestANewBotBeginsWithTheModulesOfTheSDK(t *testing.T) {
	same(t, "modules", modules(t, filepath.Join("template", "go.mod")), modules(t, "go.mod"))
}

var required = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`)

// modules returns the versions of what a go.mod file requires from elsewhere.
func modules(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, line := range required.FindAllStringSubmatch(string(text), -1) {
		found[line[1]] = line[2]
	}
	return found
}
