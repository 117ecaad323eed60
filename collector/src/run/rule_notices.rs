//! What a profile says of the rules by which it was recorded: which methods were off, and which did
//! not read what they should.

use crate::jfr::stack_walks::{class_of, summary_of};
use jfathom_plan::{ClassSummary, ProbeFunction, ProbeRules};
use jfathom_profile::Profile;

/// Says in a profile which methods were off, and which did not read what they should.
pub(crate) fn add(profile: &mut Profile, rules: &ProbeRules) {
    let notices = off(rules).into_iter().chain(late(profile, rules));
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

/// Which methods have not read what they allocate though a rule says so. A JVM gets its table of
/// reading before it runs: what begins to read later would miss bytes of its earlier calls.
fn late(profile: &Profile, rules: &ProbeRules) -> Option<String> {
    if !rules.reads_alloc() || !profile.has_unread() {
        return None;
    }
    let classes: Vec<ClassSummary> = profile.methods.iter().map(class_of).collect();
    let bound = rules.bind(&classes);
    let methods = profile.methods.iter().zip(&classes).filter(|(method, class)| {
        method.is_unread && method.calls() > 0 && bound.reads_alloc(class, &summary_of(method))
    });
    let names: Vec<String> = methods.map(|(method, _)| method.info.key.selector()).collect();
    let first = names.first()?;
    let more = match names.len() {
        1 => String::new(),
        2 => " and another method".to_owned(),
        count => format!(" and {} other methods", count - 1),
    };
    Some(format!(
        "{first}{more} did not read what they allocate, though --probe has +alloc for them: their jar \
         was not known before the JVM ran; what they allocated is among their callers' bytes"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::AllocationSource;
    use jfathom_testkit::{profiles::one_thread, records::*};

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

    #[test]
    fn only_what_a_rule_selects_and_did_not_read_is_named() {
        let mut profile = one_thread(&[e(0, 10), e(1, 20), r(1, 30), e(2, 31), r(2, 32), r(0, 40)]);
        profile.allocation.source = AllocationSource::Fields;
        let rules = |text: &str| ProbeRules { list: vec![text.parse().unwrap()] };
        let all = rules("p.C=time+alloc");
        assert_eq!(late(&profile, &all), None);
        profile.set_alloc_reading(|method| method.id.get() == 0);
        let text = late(&profile, &all).unwrap();
        assert!(text.starts_with("p.C::m1") && text.contains(" and another method did"), "{text}");
        assert_eq!(late(&profile, &rules("p.C=time")), None);
        assert_eq!(late(&profile, &rules("p.D=time+alloc")), None);
    }
}
