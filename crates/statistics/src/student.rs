//! Student's distribution, by the regularised incomplete beta function.

/// The probability that a value of Student's distribution with so many degrees of freedom is `t` or
/// more (DLMF 8.17). 1 if an argument is no number or there is no degree of freedom.
pub fn student_tail(t: f64, degrees: f64) -> f64 {
    if t.is_nan() || degrees.is_nan() || degrees <= 0.0 {
        return 1.0;
    }
    let half = 0.5 * beta(degrees / 2.0, 0.5, degrees / (degrees + t * t));
    if t >= 0.0 { half } else { 1.0 - half }
}

/// The value that a variable of Student's distribution stays below with this probability, which
/// must lie between 0 and 1.
pub fn student_quantile(probability: f64, degrees: f64) -> f64 {
    if probability < 0.5 {
        return -student_quantile(1.0 - probability, degrees);
    }
    let tail = 1.0 - probability;
    let (mut low, mut high) = (0.0, 1.0);
    while student_tail(high, degrees) > tail && high < 1e12 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if student_tail(middle, degrees) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Half width of the 95 % interval of a mean, in standard errors. Without a degree of freedom there
/// is no spread to multiply; the result is then that for one.
pub fn student_95(freedom: u32) -> f64 {
    student_quantile(0.975, f64::from(freedom.max(1)))
}

/// The regularised incomplete beta function by its continued fraction (DLMF 8.17.22), summed as
/// Lentz does.
fn beta(a: f64, b: f64, x: f64) -> f64 {
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
    for m in 1..500 {
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
