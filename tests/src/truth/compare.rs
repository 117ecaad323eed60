//! Holding a recording against the comments.

use super::{Sample, Truth};
use jfathom_profile::{Method, Profile};

/// What was rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// All methods; every thread records.
    Every,
    /// All methods, recording only inside the sample's roots.
    Roots,
}

/// What the recording has that the sample's comments have not, one line each.
pub fn differences(sample: &Sample, profile: &Profile, plan: Plan) -> Vec<String> {
    sample.truths.iter().flat_map(|truth| compare(sample, truth, profile, plan)).collect()
}

fn compare(sample: &Sample, truth: &Truth, profile: &Profile, plan: Plan) -> Vec<String> {
    let methods: Vec<&Method> = profile.methods.iter().filter(|method| is_meant(truth, method)).collect();
    let seen = |count: fn(&Method) -> u64| methods.iter().map(|method| count(method)).sum::<u64>();
    let place = format!("{}.java:{}: {}::{}", sample.name, truth.line, truth.class, truth.method);
    let mut found = Vec::new();
    if methods.len() > 1 && !truth.method.ends_with('*') {
        found.push(format!("{place}: {} methods are meant; say desc(…)", methods.len()));
    }
    let mut expect = |what: &str, seen: u64, said: u64| {
        if seen != said {
            found.push(format!("{place}: {seen} {what}, the truth is {said}"));
        }
    };
    let entries = seen(|method| method.entries);
    match plan {
        Plan::Every if truth.reconciles => {
            expect("open", seen(|method| method.open), 0);
            expect("calls at least 1", u64::from(entries > 0), 1);
        }
        Plan::Every => {
            let calls = truth.calls.unwrap_or(0);
            expect("calls", entries, calls);
            expect("returns", seen(|method| method.returns), calls - truth.throws - truth.inferred - truth.open);
            expect("throws", seen(|method| method.throws), truth.throws);
            expect("inferred", seen(|method| method.inferred), truth.inferred);
            expect("open", seen(|method| method.open), truth.open);
            if let Some(caught) = truth.caught {
                expect("caught", seen(|method| method.caught), caught);
            }
        }
        Plan::Roots => {
            if let Some(inside) = truth.inside {
                expect("calls inside the root", entries, inside);
                expect("open inside the root", seen(|method| method.open), 0);
            }
        }
    }
    found
}

/// Whether the comment is about this method.
fn is_meant(truth: &Truth, method: &Method) -> bool {
    let key = &method.info.key;
    let named = match truth.method.strip_suffix('*') {
        Some(start) => key.name.starts_with(start),
        None => key.name == truth.method,
    };
    named
        && key.class == truth.class
        && truth.descriptor.as_ref().is_none_or(|descriptor| *descriptor == key.descriptor)
}
