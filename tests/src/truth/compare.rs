//! Holding a recording against the comments.

use super::{Sample, Truth};
use jfathom_profile::{Frame, Method, NodeIx, Profile};

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
    let methods: Vec<&Method> =
        profile.methods.iter().filter(|method| is_meant(truth, method)).collect();
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
    // A small method can only be counted: of its calls nobody knows how they end.
    let counted = seen(|method| if method.is_only_counted() { method.counted } else { 0 });
    let calls_seen = entries + counted;
    match plan {
        Plan::Every if truth.reconciles => {
            expect("open", seen(|method| method.open), 0);
            expect("calls at least 1", u64::from(calls_seen > 0), 1);
        }
        Plan::Every => {
            let calls = truth.calls.unwrap_or(0);
            expect("calls", calls_seen, calls);
            if counted > 0 {
                expect("timed calls", entries, 0);
                return found;
            }
            expect(
                "returns",
                seen(|method| method.returns),
                calls - truth.throws - truth.inferred - truth.open,
            );
            expect("throws", seen(|method| method.throws), truth.throws);
            expect("inferred", seen(|method| method.inferred), truth.inferred);
            expect("open", seen(|method| method.open), truth.open);
            if virtual_threads(profile) {
                expect(
                    "calls on virtual threads",
                    seen(|method| method.virtual_calls),
                    truth.virtual_calls,
                );
            }
            if let Some(caught) = truth.caught {
                expect("caught", seen(|method| method.caught), caught);
            }
        }
        Plan::Roots => {
            if let Some(inside) = truth.inside {
                expect("calls inside the root", calls_seen, inside);
                expect("open inside the root", seen(|method| method.open), 0);
            }
            if let Some(spawned) = truth.spawned {
                expect("spawned trees", tasks(truth, profile), spawned);
            }
        }
    }
    found
}

/// Trees that the root's hand-offs opened.
fn tasks(truth: &Truth, profile: &Profile) -> u64 {
    let of_root = |node: &NodeIx| match profile.tree.frame(*node) {
        Frame::Task(root) => is_meant(truth, profile.method(root)),
        Frame::Thread(_) | Frame::Method(_) => false,
    };
    profile.tree.nodes().filter(of_root).map(|node| profile.tree.calls(node)).sum()
}

/// Whether the recorded JVM has virtual threads.
fn virtual_threads(profile: &Profile) -> bool {
    let version = |text: &str| text.split(['.', '-', '+']).next()?.parse::<u32>().ok();
    profile
        .meta
        .jvms
        .iter()
        .any(|jvm| version(&jvm.java_version).is_some_and(|version| version >= 21))
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
