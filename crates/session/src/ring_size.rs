//! The size of a thread's ring, as the user writes it.

use crate::form::FormError;
use std::{fmt, ops::RangeInclusive, str::FromStr};

/// Data bytes of each thread's ring: a power of two from 512 to 2³⁰, as the session file allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingSize(u32);

impl RingSize {
    /// The bytes of a ring.
    pub const LIMITS: RangeInclusive<u32> = 512..=1 << 30;
    /// What a text must be, for error messages.
    pub const FORM: &str = "a power of two from 512 to 1024M, such as 64K or 4M";

    /// A ring of so many bytes; none if they are no power of two within the limits.
    pub fn new(bytes: u32) -> Option<Self> {
        (bytes.is_power_of_two() && Self::LIMITS.contains(&bytes)).then_some(Self(bytes))
    }

    /// The ring's data bytes.
    pub const fn bytes(self) -> u32 {
        self.0
    }
}

impl FromStr for RingSize {
    type Err = FormError;

    /// Reads a number of bytes, or of KiB or MiB with `K` or `M` behind it.
    fn from_str(text: &str) -> Result<Self, FormError> {
        let (digits, factor) = match (text.strip_suffix(['K', 'k']), text.strip_suffix(['M', 'm']))
        {
            (Some(digits), _) => (digits, 1 << 10),
            (_, Some(digits)) => (digits, 1 << 20),
            (None, None) => (text, 1),
        };
        let bytes = digits.parse::<u32>().ok().and_then(|number| number.checked_mul(factor));
        bytes.and_then(Self::new).ok_or(FormError(Self::FORM))
    }
}

/// The number of bytes.
impl fmt::Display for RingSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_with_and_without_a_unit() {
        let texts = [
            ("512", 512),
            ("64K", 65_536),
            ("64k", 65_536),
            ("4M", 4 << 20),
            ("1024m", 1 << 30),
            ("1073741824", 1 << 30),
        ];
        for (text, bytes) in texts {
            let size: RingSize = text.parse().unwrap();
            assert_eq!(size.bytes(), bytes, "{text}");
            assert_eq!(size.to_string().parse(), Ok(size), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "K", "256", "3K", "2048M", "64KK", "64KM", "-512", "1G", "4294967296", "ü"]
        {
            assert_eq!(text.parse::<RingSize>(), Err(FormError(RingSize::FORM)), "{text}");
        }
        assert_eq!(
            FormError(RingSize::FORM).to_string(),
            "expected a power of two from 512 to 1024M, such as 64K or 4M"
        );
    }
}
