//! What a profile says of the rules by which it was recorded.

use crate::run::late_reading;
use jfathom_plan::{ProbeFunction, ProbeRules};
use jfathom_profile::Profile;

/// Says in a profile which methods were off, and which did not read what they should.
pub(crate) fn add(profile: &mut Profile, rules: &ProbeRules) {
    let notices = off(rules).into_iter().chain(late_reading::notice(profile, rules));
    let notices: Vec<String> = notices.collect();
    profile.meta.notices.extend(notices);
}

/// Which rules have left methods off: a profile has no call of these.
fn off(rules: &ProbeRules) -> Option<String> {
    let off = rules.list.iter().filter(|rule| rule.function == ProbeFunction::Off);
    let texts: Vec<String> = off.map(ToString::to_string).collect();
    (!texts.is_empty()).then(|| {
        format!(
            "methods are off by --probe {}, unless a later rule selects them: their calls are in no \
             number, and their time is their callers'",
            texts.join(" --probe ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_says_which_rules_have_methods_off() {
        let notice = |texts: &[&str]| {
            let list = texts.iter().map(|text| text.parse().unwrap()).collect();
            off(&ProbeRules { list })
        };
        assert_eq!(notice(&[]), None);
        assert_eq!(notice(&["a.B=count", "a.C::d=time"]), None);
        let off = notice(&["a.B=off", "a.C=count", "a.**=off"]).unwrap();
        assert!(off.contains("--probe a.B=off --probe a.**=off,"), "{off}");
    }
}
