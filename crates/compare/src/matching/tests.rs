use jfathom_plan::MethodId;

use super::*;
use jfathom_profile::{Method, MethodInfo, Mode};

/// A table of `class::name` (or `class::name(descriptor)`), each with its digest.
fn table(methods: &[(&str, u64)]) -> Vec<Method> {
    let method = |(at, (text, digest)): (usize, &(&str, u64))| {
        let (class, name) = text.split_once("::").unwrap();
        let (name, descriptor) = name.split_at(name.find('(').unwrap_or(name.len()));
        let descriptor = if descriptor.is_empty() { "()V" } else { descriptor };
        let key =
            MethodKey { class: class.into(), name: name.into(), descriptor: descriptor.into() };
        let info = MethodInfo {
            key,
            source: None,
            line: None,
            digest: Digest(*digest),
            root: false,
            waits: false,
            resumes: false,
        };
        unused(MethodId::new(at as u32).unwrap(), info)
    };
    methods.iter().enumerate().map(method).collect()
}

fn unused(id: MethodId, info: MethodInfo) -> Method {
    Method {
        id,
        info,
        entries: 0,
        returns: 0,
        throws: 0,
        inferred: 0,
        open: 0,
        unmatched_exits: 0,
        caught: 0,
        virtual_calls: 0,
        counted: 0,
        mode: Mode::Time,
        demotion: None,
        since: None,
        is_unread: false,
    }
}

/// The mapping as lines: `a::x = b::y renamed`, `- a::z`, `+ b::w`.
fn mapping(base: &[(&str, u64)], new: &[(&str, u64)]) -> Vec<String> {
    let found = match_methods(&table(base), &table(new));
    let pair = |pair: &MethodMatch| {
        let changed = if pair.changed && pair.how != MatchKind::Changed { ", changed" } else { "" };
        format!(
            "{} = {} {}{changed}",
            base[pair.base.0 as usize].0,
            new[pair.new.0 as usize].0,
            pair.how.as_str()
        )
    };
    let mut lines: Vec<String> = found.pairs.iter().map(pair).collect();
    lines.extend(found.only_base.iter().map(|at| format!("- {}", base[at.0 as usize].0)));
    lines.extend(found.only_new.iter().map(|at| format!("+ {}", new[at.0 as usize].0)));
    let group = |group: &[MethodIx], of: &[(&str, u64)]| {
        group.iter().map(|at| of[at.0 as usize].0).collect::<Vec<_>>().join(" ")
    };
    lines.extend(
        found.ambiguous.iter().map(|(a, b)| format!("? {} | {}", group(a, base), group(b, new))),
    );
    lines
}

#[test]
fn by_key_and_then_by_code() {
    let base = [
        ("A::same", 1),
        ("A::edited", 2),
        ("A::old", 3),
        ("A::went", 4),
        ("A::gone", 5),
        ("A::native", 0),
    ];
    let new = [
        ("A::native", 0),
        ("A::fresh", 9),
        ("B::went", 4),
        ("A::renamed", 3),
        ("A::edited", 7),
        ("A::same", 1),
    ];
    assert_eq!(
        mapping(&base, &new),
        [
            "A::same = A::same same",
            "A::edited = A::edited changed",
            "A::old = A::renamed renamed",
            "A::went = B::went moved",
            "A::native = A::native changed",
            "- A::gone",
            "+ A::fresh",
        ]
    );
}

#[test]
fn an_added_lambda_shifts_the_others() {
    let base = [("A::lambda$run$0", 1), ("A::lambda$run$1", 2), ("A::lambda$go$2", 3)];
    let new = [
        ("A::lambda$run$0", 9),
        ("A::lambda$run$1", 1),
        ("A::lambda$run$2", 2),
        ("A::lambda$go$3", 3),
    ];
    assert_eq!(
        mapping(&base, &new),
        [
            "A::lambda$run$0 = A::lambda$run$1 renumbered",
            "A::lambda$run$1 = A::lambda$run$2 renumbered",
            "A::lambda$go$2 = A::lambda$go$3 renumbered",
            "+ A::lambda$run$0",
        ]
    );
    // One edited lambda among unchanged ones is the one that is left.
    let edited = [("A::lambda$run$0", 1), ("A::lambda$run$1", 8), ("A::lambda$go$2", 3)];
    assert_eq!(mapping(&base, &edited)[1], "A::lambda$run$1 = A::lambda$run$1 changed");
    // Edited and added: which is which is not known.
    let both = [
        ("A::lambda$run$0", 9),
        ("A::lambda$run$1", 1),
        ("A::lambda$run$2", 8),
        ("A::lambda$go$3", 3),
    ];
    assert_eq!(
        mapping(&base, &both),
        [
            "A::lambda$run$0 = A::lambda$run$1 renumbered",
            "A::lambda$go$2 = A::lambda$go$3 renumbered",
            "- A::lambda$run$1",
            "+ A::lambda$run$0",
            "+ A::lambda$run$2",
        ]
    );
}

#[test]
fn anonymous_classes_and_accessors_are_numbered_too() {
    let base = [("A$1::run", 1), ("A::access$000", 5), ("A$10Local::go", 7)];
    let new = [("A$1::run", 9), ("A$2::run", 1), ("A::access$100", 5), ("A$9Local::go", 7)];
    assert_eq!(
        mapping(&base, &new),
        [
            "A$1::run = A$2::run renumbered",
            "A::access$000 = A::access$100 renumbered",
            "A$10Local::go = A$9Local::go renumbered",
            "+ A$1::run",
        ]
    );
}

#[test]
fn one_code_many_times_is_not_guessed() {
    // As many on both sides keep their order, by number and not as text.
    let base = [("A::lambda$x$9", 1), ("A::lambda$x$10", 1)];
    let new = [("A::lambda$x$11", 1), ("A::lambda$x$10", 1)];
    assert_eq!(
        mapping(&base, &new),
        ["A::lambda$x$9 = A::lambda$x$10 renumbered", "A::lambda$x$10 = A::lambda$x$11 renumbered"]
    );
    let base = [("A::one", 1), ("A::two", 1)];
    let new = [("A::uno", 1), ("A::due", 1)];
    assert_eq!(
        mapping(&base, &new),
        ["- A::one", "- A::two", "+ A::uno", "+ A::due", "? A::one A::two | A::uno A::due"]
    );
    // The same key is no guess, whatever else has the code.
    let new = [("A::one", 1), ("A::due", 1)];
    assert_eq!(mapping(&base, &new), ["A::one = A::one same", "A::two = A::due renamed"]);
}

#[test]
fn a_class_takes_its_methods_along() {
    let base = [
        ("p/Old::a", 1),
        ("p/Old::b", 2),
        ("p/Old::edited", 3),
        ("p/Old::twice", 6),
        ("p/Stays::x", 4),
    ];
    let new = [
        ("q/New::a", 1),
        ("q/New::b", 2),
        ("q/New::edited", 8),
        ("q/New::fresh", 6),
        ("p/Stays::x", 4),
    ];
    assert_eq!(
        mapping(&base, &new),
        [
            "p/Old::a = q/New::a moved",
            "p/Old::b = q/New::b moved",
            "p/Old::edited = q/New::edited moved, changed",
            "p/Old::twice = q/New::fresh moved",
            "p/Stays::x = p/Stays::x same",
        ]
    );
    // A class that is still there takes nothing along.
    let base = [("p/Old::a", 1), ("p/Old::edited", 3), ("p/Old::b", 5)];
    let new = [("p/Old::b", 5), ("q/New::a", 1), ("q/New::edited", 8)];
    assert_eq!(mapping(&base, &new)[2..], ["- p/Old::edited", "+ q/New::edited"]);
}

#[test]
fn descriptors_must_agree_and_names_be_known() {
    assert_eq!(mapping(&[("A::f(I)V", 1)], &[("A::f(J)V", 1)]), ["- A::f(I)V", "+ A::f(J)V"]);
    assert_eq!(
        mapping(&[("::method 7", 0)], &[("::method 7", 0)]),
        ["- ::method 7", "+ ::method 7"]
    );
    assert_eq!(mapping(&[], &[]), Vec::<String>::new());
}

#[test]
fn neutral_names() {
    let key = |class: &str, name: &str| MethodKey {
        class: class.into(),
        name: name.into(),
        descriptor: "()V".into(),
    };
    let of = |class, name| {
        normalized_key(&key(class, name)).map(|key| format!("{}::{}", key.class, key.name))
    };
    assert_eq!(of("A", "lambda$run$12"), Some("A::lambda$run$#".into()));
    assert_eq!(of("A", "lambda$run$5c8de2e2$1"), Some("A::lambda$run$#".into()));
    assert_eq!(of("A", "lambda$null$0"), Some("A::lambda$null$#".into()));
    assert_eq!(of("A$1B$22", "access$000"), Some("A$#B$#::access$#".into()));
    for (class, name) in [
        ("A", "run1"),
        ("A$B", "access$x"),
        ("A1$B2", "lambda$"),
        ("A", "lambda$x"),
        ("A", "lambda$x$y"),
        ("$", ""),
    ] {
        assert_eq!(of(class, name), None, "{class} {name}");
    }
}
