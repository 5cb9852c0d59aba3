package stats

import (
	"math"
	"slices"
)

// KSResult is the outcome of [KolmogorovSmirnov].
type KSResult struct {
	N, M  int     // values in the first and in the second sample
	D     float64 // largest distance between the two empirical distributions
	At    float64 // a value where it is that large, the first of several
	P     float64 // two-sided
	Ties  bool    // some values occur in both samples, or twice in one
	Exact bool    // P is exact, not that of the limit
}

// exactPaths is the largest n*m for which [KolmogorovSmirnov] counts all orders
// of the values; R's ks.test has the same bound.
const exactPaths = 10_000

// KolmogorovSmirnov tests whether two samples come from one distribution, by
// the largest distance D between their empirical distributions (Smirnov, 1939).
// Where N times M is below 10,000, P is the share of all orders of the values
// with a D that large or larger, ties kept as they are (Schröer and Trenkler,
// Exact and randomization distributions of Kolmogorov-Smirnov tests two or
// three samples, 1995). Beyond, P is that of Kolmogorov's limit, which is within
// some hundredths of itself there, and too large with ties, on the safe side.
// The values of a sample must be independent of each other.
func KolmogorovSmirnov(xs, ys []float64) (KSResult, error) {
	const op = "kolmogorov-smirnov"
	if err := check(op, xs, 1); err != nil {
		return KSResult{}, err
	}
	if err := check(op, ys, 1); err != nil {
		return KSResult{}, err
	}
	xs, ys = slices.Clone(xs), slices.Clone(ys)
	slices.Sort(xs)
	slices.Sort(ys)
	n, m := len(xs), len(ys)
	res := KSResult{N: n, M: m}
	most := 0          // the largest |i m - j n|
	step := []int(nil) // the size of each group of equal values, where P is exact
	exact := n*m < exactPaths && n < exactPaths && m < exactPaths
	for i, j := 0, 0; i < n || j < m; {
		var v float64
		if j == m || i < n && xs[i] <= ys[j] {
			v = xs[i]
		} else {
			v = ys[j]
		}
		before := i + j
		for i < n && xs[i] == v {
			i++
		}
		for j < m && ys[j] == v {
			j++
		}
		if d := max(i*m-j*n, j*n-i*m); d > most {
			most, res.At = d, v
		}
		res.Ties = res.Ties || i+j-before > 1
		if exact {
			step = append(step, i+j-before)
		}
	}
	res.D = float64(most) / (float64(n) * float64(m))
	if exact {
		res.Exact = true
		res.P = pathTail(n, m, most, step)
		return res, nil
	}
	res.P = kolmogorovTail(res.D * math.Sqrt(float64(n)*float64(m)/float64(n+m)))
	return res, nil
}

// pathTail is the share of the paths from (0,0) to (n,m), a step up or right
// for each value in order, that come to a point with |i m - j n| >= most where
// a group of equal values ends. Read backwards, a path to (i,j) came from
// (i-1,j) with probability i/(i+j); the share so needs no large numbers, and
// adding up the paths that do reach the distance keeps small shares exact.
func pathTail(n, m, most int, step []int) float64 {
	if most == 0 {
		return 1
	}
	end := make([]bool, n+m+1) // a group ends after so many values
	at := 0
	for _, s := range step {
		at += s
		end[at] = true
	}
	row := make([]float64, m+1)
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			switch {
			case end[i+j] && max(i*m-j*n, j*n-i*m) >= most:
				row[j] = 1
			case i == 0 && j == 0:
				row[j] = 0
			case i == 0:
				row[j] = row[j-1]
			case j > 0:
				row[j] = (float64(i)*row[j] + float64(j)*row[j-1]) / float64(i+j)
			}
		}
	}
	return row[m]
}

// kolmogorovTail is the probability that the limit of sqrt(n) D is at least x
// (Kolmogorov, 1933): 2 sum (-1)^(k-1) exp(-2 k^2 x^2), and for small x, where
// that converges slowly, its form by Jacobi's theta function.
func kolmogorovTail(x float64) float64 {
	if x <= 0 {
		return 1
	}
	if x < 1 {
		sum := 0.0
		for k := 1.0; k < 40; k += 2 {
			sum += math.Exp(-k * k * math.Pi * math.Pi / (8 * x * x))
		}
		return max(0, 1-math.Sqrt(2*math.Pi)/x*sum)
	}
	sum, sign := 0.0, 1.0
	for k := 1.0; k < 20; k++ {
		sum += sign * math.Exp(-2*k*k*x*x)
		sign = -sign
	}
	return min(1, 2*sum)
}
