//go:build race

package bindings

// raceDetector tells that all is much slower than it is for users.
const raceDetector = true
