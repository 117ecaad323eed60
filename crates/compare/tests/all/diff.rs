//! Differences of profiles: methods, roots, contexts.

use jfathom_compare::{ContextFrame, Diff, diff, into_series};
use jfathom_plan::Digest;
use jfathom_profile::{Builder, Context, MethodNames, Profile, TickRate};
use jfathom_testkit::{Random, profiles::*, records::*, tree_text::*};
use jfathom_trace::record::Record;

fn recorded(names: &MethodNames, records: &[Record]) -> Profile {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, records);
    builder.finish(Context { meta: meta(1), rate: TickRate::NANOS, names, virtual_calls: &[] })
}

/// Contexts as lines: name, calls and self times on both sides.
fn render(base: &Profile, new: &Profile, diff: &Diff) -> String {
    let name = |at: usize| {
        let method = &diff.methods[at];
        let of = |profile: &Profile, at: Option<_>| {
            at.map(|at| profile.method(at).info.key.name.clone())
        };
        of(base, method.base).or(of(new, method.new)).unwrap()
    };
    let mut text = String::new();
    for context in &diff.contexts {
        let name = match context.frame {
            ContextFrame::Method(at) => name(at),
            ContextFrame::Task(at) => format!("task of {}", name(at)),
        };
        let calls = |side: Option<jfathom_compare::Calls>| {
            side.map_or("-".to_owned(), |calls| calls.most.to_string())
        };
        let time = |side: Option<f64>| side.map_or("-".to_owned(), |nanos| nanos.to_string());
        text += &format!(
            "{:indent$}{name} {}>{} {}>{}\n",
            "",
            calls(context.calls.base),
            calls(context.calls.new),
            time(context.self_time.base),
            time(context.self_time.new),
            indent = context.depth as usize * 2,
        );
    }
    text
}

/// Random calls below `m0`, with a tree of at most so many bytes.
fn folded(bytes: Option<u64>) -> Profile {
    let (mut random, mut stack, mut records) = (Random(1), vec![0], vec![e(0, 0)]);
    for time in 1..20_000 {
        if stack.len() > 1 && random.below(8) < stack.len() as u64 {
            records.extend(stack.pop().map(|method| r(method, time)));
        } else {
            let method = 1 + random.below(9) as u32;
            stack.push(method);
            records.push(e(method, time));
        }
    }
    records.extend(stack.iter().rev().map(|method| r(*method, 20_000)));
    let mut builder = Builder::new();
    if let Some(bytes) = bytes {
        builder.set_max_memory(bytes);
    }
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &records);
    let names = &names();
    builder.finish(Context { meta: meta(1), rate: TickRate::NANOS, names, virtual_calls: &[] })
}

/// Folding keeps the calls of each method, and not those of each call path.
#[test]
fn calls_of_folded_call_paths_are_unknown() {
    let (whole, less) = (folded(None), folded(Some(100_000)));
    assert!(less.tree.summary_nodes().next().is_some());
    for [base, new] in [[&whole, &less], [&less, &whole], [&whole, &whole]] {
        let found = diff(base, new);
        assert!(found.methods.iter().all(|method| method.calls.growth() == Some(0)));
        let unknown = found.contexts.iter().filter(|context| context.calls.is_unknown);
        let is_folded = unknown.map(|context| context.calls.growth()).collect::<Vec<_>>();
        assert!(is_folded.iter().all(Option::is_none));
        assert_eq!(is_folded.is_empty(), std::ptr::eq(base, new));
        let known = found.contexts.iter().filter(|context| !context.calls.is_unknown);
        assert!(known.clone().all(|context| context.calls.growth() == Some(0)));
        assert!(known.count() > 0);
    }
}

#[test]
fn both_sides_are_shown() {
    let base = recorded(
        &names(),
        &[e(0, 0), e(1, 10), r(1, 20), e(2, 20), e(3, 25), r(3, 30), r(2, 35), r(0, 50)],
    );
    let mut renamed = names();
    let mut info = method(3);
    info.key.name = "renamed".to_owned();
    renamed.insert(id(7), info);
    let mut edited = method(2);
    edited.digest = Digest(1234);
    renamed.insert(id(2), edited);
    let new = recorded(
        &renamed,
        &[
            e(0, 0),
            e(2, 20),
            e(7, 25),
            r(7, 30),
            e(7, 30),
            r(7, 31),
            r(2, 35),
            e(4, 40),
            r(4, 45),
            r(0, 50),
        ],
    );
    let found = diff(&base, &new);
    assert_text(
        &render(&base, &new, &found),
        "
         m0 1>1 25>30
           m1 1>- 10>-
           m2 1>1 10>9
             m3 1>2 5>6
           m4 ->1 ->5",
    );
    let words: Vec<&str> = found
        .methods
        .iter()
        .filter_map(|method| method.pair)
        .map(|pair| pair.how.as_str())
        .collect();
    // `m0` has no digest.
    assert_eq!(words, ["changed", "changed", "renamed"]);
    assert_eq!(found.methods.len(), 5);
    let growth: Vec<Option<i128>> =
        found.methods.iter().map(|method| method.calls.growth()).collect();
    assert_eq!(growth, [Some(0), Some(0), Some(1), Some(-1), Some(1)]);
    assert!(found.methods.iter().all(|method| method.self_time.p_value.is_none()), "one run each");
    assert_eq!((found.roots.len(), &found.roots[0].nanos), (1, &[vec![50.0], vec![50.0]]));
}

#[test]
fn times_have_intervals_where_there_are_runs() {
    let run = |own: u64, other: u64| {
        recorded(
            &names(),
            &[e(0, 0), e(1, 0), r(1, own), e(2, own), r(2, own + other), r(0, own + other)],
        )
    };
    let side = |more: u64| {
        into_series((0..10).map(|i| run(1000 + 7 * i + more, 500 + i * 13 % 10)).collect()).unwrap()
    };
    let found = diff(&side(0), &side(500));
    let of = |name: usize| &found.methods[name];
    assert!(of(1).self_time.is_significant() && of(0).total_time.is_significant());
    assert!(!of(2).self_time.is_significant(), "{:?}", of(2));
    assert_eq!(of(1).self_time.difference().round(), 500.0);
    let width = of(1).self_time.half_width.unwrap();
    assert!(width > 10.0 && width < 30.0, "{width}");
    assert!(
        found.contexts[1].self_time.is_significant()
            && !found.contexts[2].self_time.is_significant()
    );
    assert!(!found.methods.iter().any(|method| method.calls.varies() || method.calls.changed()));
}

#[test]
fn recursion_counts_once_and_threads_come_together() {
    let mut builder = Builder::new();
    for (sequence, name) in [(1, "a"), (2, "b")] {
        let thread = builder.thread(&info(sequence, name));
        feed(&mut builder, thread, &[e(1, 0), e(1, 10), r(1, 20), r(1, 40), e(2, 40), r(2, 41)]);
    }
    let base = profile(&builder);
    let found = diff(&base, &base);
    assert_eq!(found.contexts.len(), 3);
    assert_eq!(
        (found.methods[0].total_time.base, found.methods[0].self_time.base),
        (Some(80.0), Some(80.0))
    );
    assert_eq!(found.contexts[0].calls.base.unwrap().least, 2);
    assert!(
        found
            .contexts
            .iter()
            .all(|context| !context.calls.changed() && context.self_time.difference() == 0.0)
    );
    // Without chosen roots, what stands at the bottom is one.
    assert_eq!(found.roots.iter().map(|root| root.nanos[0][0]).collect::<Vec<_>>(), [80.0, 2.0]);
    assert!((found.roots[0].share - 80.0 / 82.0).abs() < 1e-9);
}

#[test]
fn nothing_against_nothing() {
    let empty = profile(&Builder::new());
    let found = diff(&empty, &empty);
    assert!(found.methods.is_empty() && found.roots.is_empty() && found.contexts.is_empty());
}
