package stats

import "math"

// leastBatched is the number of values below which [EffectiveN] has nothing to
// say.
const leastBatched = 100

// EffectiveN estimates how many independent values a series of dependent ones
// is worth for its mean, by batch means: consecutive values are put into batches
// of floor(sqrt(n)) (Flegal and Jones, Batch means and spectral variance
// estimators in Markov chain Monte Carlo, 2010), and the variance of the batches'
// means is compared with what it would be without dependence. xs is in the order
// in which the values came about. The result lies between 1 and len(xs); it is
// NaN for fewer than 100 values, and too large where the dependence reaches
// further than a batch. Its own error is about sqrt(2/sqrt(n)): 20 % for 2,500.
func EffectiveN(xs []float64) (float64, error) {
	if err := check("effective n", xs, 1); err != nil {
		return 0, err
	}
	n := len(xs)
	if n < leastBatched {
		return math.NaN(), nil
	}
	size := int(math.Sqrt(float64(n)))
	means := make([]float64, n/size)
	for i := range means {
		means[i] = mean(xs[i*size : (i+1)*size])
	}
	s, sm := std(xs), std(means)
	if err := finite("effective n", s); err != nil {
		return 0, err
	}
	if s == 0 || sm == 0 {
		return float64(n), nil
	}
	r := s / sm
	return max(1, min(float64(n), float64(n)*r*r/float64(size))), nil
}
