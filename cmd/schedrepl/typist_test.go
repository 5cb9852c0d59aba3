//go:build tmux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// screenTimeout is how long a screen may take to show what is awaited. The
// machine that runs the tests may be busy.
const screenTimeout = 30 * time.Second

// typist types on a terminal of a tmux server of its own.
type typist struct {
	t      *testing.T
	server string
	dir    string
}

// newTypist starts a tmux server with a window of some size. In the window, the
// test binary runs as schedrepl with the arguments, in an empty directory; env
// are further variables.
func newTypist(t *testing.T, width, height int, env []string, args ...string) *typist {
	t.Helper()
	dir, err := os.MkdirTemp("", "tmux") // The path of a socket must be short.
	if err != nil {
		t.Fatal(err)
	}
	y := &typist{t: t, server: fmt.Sprintf("schedrepl-%d-%s", os.Getpid(), filepath.Base(dir)), dir: dir}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-L", y.server, "kill-server").Run() // It may have ended by itself.
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	y.tmux("-u", "-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		"-c", dir, "env", "-i", "PATH="+os.Getenv("PATH"), "HOME="+dir, "LANG=C.UTF-8", "TERM=screen", "PS1=shell$ ", "sh")
	y.wait(`shell\$ *$`)
	y.start(env, args...)
	return y
}

// start runs schedrepl in the shell of the window.
func (y *typist) start(env []string, args ...string) {
	y.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		y.t.Fatal(err)
	}
	link := filepath.Join(y.dir, "schedrepl")
	if _, err := os.Lstat(link); err != nil {
		if err := os.Symlink(exe, link); err != nil {
			y.t.Fatal(err)
		}
	}
	y.enter("clear")
	y.wait(`^shell\$ *$`)
	y.text(strings.TrimSpace(strings.Join(append(append([]string{"env", "TERM=xterm-256color"}, env...), append([]string{"./schedrepl"}, args...)...), " ")))
	y.keys("Enter")
}

func (y *typist) tmux(args ...string) string {
	y.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", y.server}, args...)...).CombinedOutput()
	if err != nil {
		y.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// keys presses keys by their names.
func (y *typist) keys(names ...string) {
	y.t.Helper()
	y.tmux(append([]string{"send-keys"}, names...)...)
}

// text types text as it stands.
func (y *typist) text(s string) { y.t.Helper(); y.tmux("send-keys", "-l", s) }

// enter types lines, each with Enter at its end.
func (y *typist) enter(lines ...string) {
	y.t.Helper()
	for _, l := range lines {
		if l != "" {
			y.text(l)
		}
		y.keys("Enter")
	}
}

// paste pastes text as a terminal does that knows bracketed paste.
func (y *typist) paste(s string) {
	y.t.Helper()
	y.tmux("set-buffer", "-b", "clip", s)
	y.tmux("paste-buffer", "-p", "-b", "clip")
}

// screen is what the window shows, without the empty lines at its end.
func (y *typist) screen() string { return strings.TrimRight(y.tmux("capture-pane", "-p"), "\n") }

// all is the screen with what has scrolled out of it, lines joined that were
// broken at the edge.
func (y *typist) all() string {
	return strings.TrimRight(y.tmux("capture-pane", "-p", "-J", "-S", "-"), "\n")
}

// wait waits until the screen matches, and returns what it shows.
func (y *typist) wait(pattern string) string {
	y.t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.Now().Add(screenTimeout)
	for {
		s := y.screen()
		if re.MatchString(s) {
			return s
		}
		if time.Now().After(deadline) {
			y.t.Fatalf("the screen does not show %q:\n%s", pattern, s)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// prompt waits for the prompt of entry n, empty.
func (y *typist) prompt(n int) string {
	y.t.Helper()
	return y.wait(fmt.Sprintf(`In\[%d\]: *$`, n))
}

// shows fails unless text is on the screen or above it.
func (y *typist) shows(texts ...string) {
	y.t.Helper()
	all := y.all()
	for _, text := range texts {
		if !strings.Contains(all, text) {
			y.t.Fatalf("there is no %q in\n%s", text, all)
		}
	}
}

// begin runs code, and returns when it runs.
func (y *typist) begin(code string) {
	y.t.Helper()
	y.paste("print('be' + 'gun')\n" + code)
	y.wait(regexp.QuoteMeta(code) + `$`)
	y.keys("Enter")
	y.wait(`\nbegun(\n|$)`)
}

// pressed sends Ctrl-C and measures how long it takes until the screen shows
// that the code has stopped. That includes starting tmux twice, and drawing.
func (y *typist) pressed(pattern string) time.Duration {
	y.t.Helper()
	began := time.Now()
	y.keys("C-c")
	y.wait(pattern)
	return time.Since(began)
}
