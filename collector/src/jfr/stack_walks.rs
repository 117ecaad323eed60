//! The callers of methods whose stacks a session has had walked.

use crate::jfr::{
    frame_names::frame_name,
    stack_samples::{FrameMethod, frame_methods},
};
use jfathom_jfr::{Recording, StackWalk};
use jfathom_plan::{ClassSummary, MethodSummary, ProbeRules};
use jfathom_profile::{
    Frame, Method, MethodIx, Profile, SampleCounts, SampleFrame, SampleTreeBuilder, StackWalks,
    WalkedMethod,
};
use std::{cmp::Reverse, collections::HashMap};

/// The walks of a recording in a profile. Without a recording, what calls were due by the rules.
pub(crate) fn stack_walks(
    profile: &Profile,
    recording: Option<&Recording>,
    rules: &ProbeRules,
) -> StackWalks {
    if rules.stack_intervals().is_empty() {
        return StackWalks::default();
    }
    let mut methods = walked_methods(profile, rules);
    let mut builder = SampleTreeBuilder::default();
    let Some(recording) = recording else { return StackWalks::new(methods, builder, 0) };
    let counts = counts(profile, &recording.stack_walks, &mut methods);
    let sampled = &recording.samples.methods;
    let known = frame_methods(profile, sampled);
    let mut cut = 0_u64;
    for ((at, stack), count) in counts {
        let of = &mut methods[at];
        let stack = recording.samples.stacks.get(stack as usize);
        let mut path: Vec<SampleFrame> = stack
            .into_iter()
            .flat_map(|stack| &stack.frames)
            .filter_map(|frame| known.get(*frame as usize).zip(sampled.get(*frame as usize)))
            // The runtime's own frames, and those of JFR.
            .skip_while(|(frame, _)| **frame != FrameMethod::Recorded(of.method))
            .map(|(frame, method)| match frame {
                FrameMethod::Recorded(method) => SampleFrame::Recorded(Frame::Method(*method)),
                FrameMethod::Other | FrameMethod::Unnamed => {
                    SampleFrame::Sampled(builder.name(&frame_name(method)))
                }
            })
            .collect();
        if path.is_empty() {
            of.unknown += count;
            continue;
        }
        // A method that calls itself is one frame: its levels would hide who calls it.
        path.dedup();
        of.truncated += if stack.is_some_and(|stack| stack.is_truncated) { count } else { 0 };
        if !builder.add(path, SampleCounts { running: count, ..SampleCounts::default() }) {
            cut = cut.saturating_add(count);
        }
    }
    StackWalks::new(methods, builder, cut)
}

/// By place of the method and stack, the number of walks: what there is most of first, as where a
/// tree is full the rest lacks its outermost frames. Counts those without a stack as unknown.
fn counts(
    profile: &Profile,
    walks: &[StackWalk],
    methods: &mut [WalkedMethod],
) -> Vec<((usize, u32), u64)> {
    let id = |of: &WalkedMethod| u64::from(profile.method(of.method).id.get());
    let places: HashMap<u64, usize> =
        methods.iter().enumerate().map(|(at, of)| (id(of), at)).collect();
    let mut made = vec![0_u64; methods.len()];
    let mut counts: HashMap<(usize, u32), u64> = HashMap::new();
    for StackWalk { method, number, stack } in walks {
        let Some(at) = places.get(method).copied() else { continue };
        made[at] += 1;
        // Records may be lost, and then calls are missing.
        methods[at].due = methods[at].due.max(*number);
        match stack {
            Some(stack) => *counts.entry((at, *stack)).or_default() += 1,
            None => methods[at].unknown += 1,
        }
    }
    for (of, made) in methods.iter_mut().zip(made) {
        of.due = of.due.max(made);
    }
    let mut counts: Vec<((usize, u32), u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(place, count)| (Reverse(*count), *place));
    counts
}

/// The methods whose stacks are walked by the rules, with what their calls were due.
fn walked_methods(profile: &Profile, rules: &ProbeRules) -> Vec<WalkedMethod> {
    let methods = (0..).map(MethodIx).zip(&profile.methods);
    let classes: Vec<ClassSummary> = profile.methods.iter().map(class_of).collect();
    let rules = rules.bind(&classes);
    let walked = methods.zip(&classes).filter_map(|((method, of), class)| {
        let interval = rules.stack_interval(class, &summary_of(of))?.get();
        let due = of.calls() / u64::from(interval);
        Some(WalkedMethod { method, interval, due, truncated: 0, unknown: 0 })
    });
    walked.collect()
}

/// What rules of probes need of a method's class.
pub(crate) fn class_of(method: &Method) -> ClassSummary {
    ClassSummary { name: method.info.key.class.clone(), ..ClassSummary::default() }
}

/// What rules of probes need of a method.
pub(crate) fn summary_of(method: &Method) -> MethodSummary {
    MethodSummary {
        name: method.info.key.name.clone(),
        descriptor: method.info.key.descriptor.clone(),
        ..MethodSummary::default()
    }
}

#[cfg(test)]
mod tests;
