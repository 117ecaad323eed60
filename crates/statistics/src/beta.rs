//! The regularised incomplete beta function, and the binomial distribution by it.

/// The regularised incomplete beta function by its continued fraction (DLMF 8.17.22), summed as
/// Lentz does.
pub(crate) fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges fast on this side of the mean, and the function is symmetric.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(b, a, 1.0 - x);
    }
    let front =
        (a * x.ln() + b * (-x).ln_1p() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b)).exp() / a;
    let tiny = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / tiny(1.0 - (a + b) * x / (a + 1.0)));
    let mut sum = d;
    // Near the mean of large parameters it takes as many terms as the root of the larger one.
    for m in 1..20_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0_f64;
        for term in [even, odd] {
            d = 1.0 / tiny(1.0 + term * d);
            c = tiny(1.0 + term / c);
            change = c * d;
            sum *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * sum).clamp(0.0, 1.0)
}

/// The logarithm of the gamma function for positive numbers: Stirling's series (DLMF 5.11.1) from
/// 10 on, the recurrence below.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < 10.0 {
        below -= x.ln();
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / x;
    below + (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series
}

/// The probability that so many of `trials` or more succeed, of which each does with the
/// `probability`, from 0 to 1 (DLMF 8.17.5). 1 if that is no number.
pub fn binomial_at_least(successes: u64, trials: u64, probability: f64) -> f64 {
    match successes {
        0 => 1.0,
        _ if probability.is_nan() => 1.0,
        _ if successes > trials => 0.0,
        _ => beta(successes as f64, (trials - successes) as f64 + 1.0, probability),
    }
}
