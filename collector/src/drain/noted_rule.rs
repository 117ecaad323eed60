//! Which methods are counted from the begin, written down for a collector that comes later.

use crate::drain::count_rule::CountRule;
use jfathom_session::names::RULE_FILE;
use std::{io, io::Write, path::Path};

/// The most bytes of [`RULE_FILE`]; the system's limit for arguments is less (execve(2)).
const LIMIT: u64 = 16 << 20;
const TRIVIAL: &str = "trivial";
const PROBE: &str = "probe ";

/// Writes down a recording's rule. Without one there is no file.
pub(crate) fn note(dir: &Path, rule: &CountRule) -> io::Result<()> {
    if rule.is_empty() {
        return Ok(());
    }
    jfathom_files::replace(&dir.join(RULE_FILE), 0o600, |file| {
        file.write_all(text(rule).as_bytes())
    })
}

/// The rule that was written down; empty if it cannot be read.
pub(crate) fn read(dir: &Path) -> CountRule {
    let bytes = jfathom_files::read(&dir.join(RULE_FILE), LIMIT).unwrap_or_default();
    parse(&String::from_utf8_lossy(&bytes))
}

fn text(rule: &CountRule) -> String {
    let trivial = rule.trivial.then(|| TRIVIAL.to_owned());
    let probe = rule.rules.list.iter().map(|rule| format!("{PROBE}{rule}"));
    trivial.into_iter().chain(probe).map(|line| line + "\0").collect()
}

/// Parts that say nothing known are left out.
fn parse(text: &str) -> CountRule {
    let mut rule = CountRule::default();
    for part in text.split('\0') {
        if part == TRIVIAL {
            rule.trivial = true;
        } else if let Some(of_probe) = part.strip_prefix(PROBE) {
            rule.rules.list.extend(of_probe.parse().ok());
        }
    }
    rule
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_plan::ProbeRules;

    #[test]
    fn a_rule_is_read_as_it_was_written() {
        let rules = ["a.B::c=time+stack/7", "a.*=off", "a.B::d(I)V=count"];
        let rule = CountRule {
            trivial: true,
            rules: ProbeRules { list: rules.map(|rule| rule.parse().unwrap()).to_vec() },
        };
        let temp = tempfile::tempdir().unwrap();
        assert!(read(temp.path()).is_empty());
        note(temp.path(), &CountRule::default()).unwrap();
        assert!(!temp.path().join(RULE_FILE).exists());
        note(temp.path(), &rule).unwrap();
        assert_eq!(read(temp.path()), rule);
        assert!(!parse(&text(&CountRule { trivial: false, ..rule.clone() })).trivial);
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        for text in ["", "\0\0", "probe a.B::c", "trivial \0TRIVIAL", "probe \u{fffd}="] {
            let rule = parse(text);
            assert!(!rule.trivial && rule.rules.list.is_empty(), "{text:?}");
        }
    }
}
