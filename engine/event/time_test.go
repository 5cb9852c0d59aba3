package event

import "testing"

// Periods is a division, whatever the lengths of its numbers.
func TestPeriods(t *testing.T) {
	numbers := []Time{1, 2, 3, 999_999, 1_000_000, 1<<32 - 1, 1 << 32, 1<<32 + 1, 3 << 32, 1<<62 + 5, Never}
	for _, d := range append([]Time{0}, numbers...) {
		for _, period := range numbers {
			if got, want := Periods(d, period), int64(d)/int64(period); got != want {
				t.Errorf("Periods(%d, %d) = %d, want %d", d, period, got, want)
			}
		}
	}
}
