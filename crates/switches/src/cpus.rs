//! The processors that run.

use crate::error::{SwitchError, SwitchStep};
use std::{fs, io};

const ONLINE: &str = "/sys/devices/system/cpu/online";
/// More processors than any kernel has (`CONFIG_NR_CPUS`).
const MOST: u32 = 1 << 16;

/// The numbers of the processors that run now.
pub(crate) fn online() -> Result<Vec<u32>, SwitchError> {
    let failed = |source| SwitchError::new(SwitchStep::List, source);
    let text = fs::read_to_string(ONLINE).map_err(failed)?;
    parse(text.trim()).ok_or_else(|| failed(io::Error::from(io::ErrorKind::InvalidData)))
}

/// A list of ranges, as `0-3,8`; none if the text is something else.
fn parse(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for range in text.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
        if last >= MOST {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors() {
        assert_eq!(parse("0"), Some(vec![0]));
        assert_eq!(parse("0-2,5,7-8"), Some(vec![0, 1, 2, 5, 7, 8]));
        for wrong in ["", "a", "0-", "-", "0,,1", "0-99999999", "4294967295"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert!(online().is_ok_and(|cpus| !cpus.is_empty()));
    }
}
