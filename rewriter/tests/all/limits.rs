//! What is skipped, and why; an empty plan changes nothing.

use crate::support::asm::{Asm, Body, Class, PUBLIC, PUBLIC_STATIC};
use crate::support::made;
use jfathom_plan::{
    ClassPlan, HugeMethods, MethodId, MethodPlan, Placement, ProbeKind, Skip, probe,
};
use jfathom_rewriter::{
    Digests, Instrumented, Options, Rewriter, SkipReason, is_used_by_runtime, summarize,
};

fn id(value: u32) -> MethodId {
    MethodId::new(value).expect("22 bits")
}

fn row(name: &str, descriptor: &str, value: u32) -> MethodPlan {
    MethodPlan {
        name: name.into(),
        descriptor: descriptor.into(),
        id: id(value),
        kind: ProbeKind::Always,
    }
}

fn plan(methods: Vec<MethodPlan>) -> ClassPlan {
    ClassPlan { methods, ..ClassPlan::default() }
}

/// Rewrites, and gives the new bytes, what was done, and the skips.
fn rewrite(bytes: &[u8], plan: &ClassPlan) -> (Vec<u8>, Vec<Instrumented>, Vec<Skip>) {
    let mut rewriter = Rewriter::new(Options::default());
    let done = rewriter.rewrite(bytes, plan).expect("a class that can be rewritten");
    (done.bytes.to_vec(), done.done.to_vec(), done.skips)
}

/// A class `C` with `m()V` of that code.
fn with_code(code: Vec<u8>) -> Vec<u8> {
    let mut class = Class::new(52, "C");
    class.method(PUBLIC_STATIC, "m", "()V", Body { max_stack: 1, code, ..Body::default() });
    class.bytes()
}

#[test]
fn an_empty_plan_gives_the_same_bytes() {
    for made in made::all() {
        let (bytes, done, skips) = rewrite(&made.bytes, &ClassPlan::default());
        assert_eq!((bytes, done.len(), skips.len()), (made.bytes, 0, 0), "{}", made.name);
    }
}

#[test]
fn a_plan_without_effect_gives_the_same_bytes() {
    let mut class = Class::new(52, "C");
    class.method(PUBLIC_STATIC, "m", "()V", Body { code: vec![0xb1], ..Body::default() });
    let bytes = class.bytes();
    let hand_offs = ClassPlan { hand_offs: true, ..ClassPlan::default() };
    assert_eq!(rewrite(&bytes, &hand_offs), (bytes.clone(), vec![], vec![]));
    let (same, done, skips) = rewrite(&bytes, &plan(vec![row("gone", "()V", 1)]));
    assert_eq!((&same, done), (&bytes, vec![]));
    assert_eq!(
        (skips[0].reason, skips[0].method.as_deref()),
        (SkipReason::NoSuchMethod, Some("gone()V"))
    );
    assert_eq!(skips[0].class, "C");
}

#[test]
fn ids_of_every_size() {
    for value in [0, 1, 127, 128, 255, 256, 32_767, 32_768, 65_536, MethodId::MAX.get()] {
        let (bytes, done, skips) =
            rewrite(&with_code(vec![0, 0xb1]), &plan(vec![row("m", "()V", value)]));
        let grown = if (128..32_768).contains(&value) { 21 } else { 20 };
        assert_eq!(
            (done, skips),
            (vec![Instrumented { id: id(value), code_length: grown, counted: false }], vec![])
        );
        let push: Vec<u8> = match value {
            0..=127 => vec![0x10, value as u8],
            128..=32_767 => vec![0x11, (value >> 8) as u8, value as u8],
            // The pool is small: `ldc` reaches the constant.
            _ => vec![0x12],
        };
        let calls = bytes.windows(push.len()).filter(|window| *window == push).count();
        assert!(calls >= 1, "the entry pushes {value}");
        if value > 32_767 {
            let constant = [&[3][..], &value.to_be_bytes()].concat();
            assert_eq!(
                bytes.windows(5).filter(|window| *window == constant).count(),
                1,
                "one Integer for {value}"
            );
        }
    }
}

#[test]
fn a_rewritten_class_is_not_rewritten_again() {
    let chosen = plan(vec![row("m", "()V", 1)]);
    let (bytes, ..) = rewrite(&with_code(vec![0, 0xb1]), &chosen);
    let skip = Rewriter::default().rewrite(&bytes, &chosen).unwrap_err();
    assert_eq!((skip.reason, skip.class.as_str()), (SkipReason::AlreadyRewritten, "C"));
}

#[test]
fn probes_are_methods_of_the_class_that_the_placement_has() {
    let holds =
        |bytes: &[u8], name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
    for placement in [Placement::Main, Placement::Live] {
        let mut rewriter = Rewriter::new(Options { placement });
        let class = with_code(vec![0, 0xb1]);
        let chosen = plan(vec![row("m", "()V", 1)]);
        let bytes = rewriter.rewrite(&class, &chosen).expect("probes").bytes.to_vec();
        let live = placement == Placement::Live;
        assert_eq!((holds(&bytes, probe::LIVE_CLASS), holds(&bytes, probe::CLASS)), (live, !live));
        assert_eq!(
            rewriter.rewrite(&bytes, &chosen).unwrap_err().reason,
            SkipReason::AlreadyRewritten
        );
    }
}

#[test]
fn what_the_runtime_uses_is_left_alone() {
    for name in [
        probe::CLASS,
        probe::LIVE_CLASS,
        "jfathom/runtime/Ring",
        "java/lang/Object",
        "java/lang/Thread$State",
        "java/lang/invoke/MethodType",
    ] {
        assert!(is_used_by_runtime(name), "{name}");
        let skip = Rewriter::default()
            .rewrite(&Class::new(52, name).bytes(), &plan(vec![row("m", "()V", 1)]))
            .unwrap_err();
        assert_eq!((skip.reason, skip.class.as_str()), (SkipReason::RuntimeUses, name));
    }
    for name in
        ["java/util/HashMap", "jfathom/Runtime", "com/acme/Thread", "javax/swing/JButton", "j"]
    {
        assert!(!is_used_by_runtime(name), "{name}");
    }
}

#[test]
fn methods_without_code() {
    let mut class = Class::new(52, "C");
    class.method(PUBLIC_STATIC, "m", "()V", Body { code: vec![0xb1], ..Body::default() });
    class.bare_method(0x401, "abstracted", "()V");
    class.bare_method(0x101, "nativ", "()V");
    class.bare_method(0x1, "broken", "()V");
    let rows = ["abstracted", "nativ", "broken", "m"].map(|name| row(name, "()V", 1));
    let (_, done, skips) = rewrite(&class.bytes(), &plan(rows.to_vec()));
    assert_eq!(done.len(), 1);
    let reasons: Vec<_> = skips.iter().map(|skip| skip.reason).collect();
    assert_eq!(reasons, [SkipReason::Abstract, SkipReason::Native, SkipReason::Malformed]);
}

#[test]
fn code_at_the_limit_of_the_format() {
    let code = |length: usize| Asm::default().nops(length - 1).op(&[0xb1]).finish();
    let chosen = ClassPlan { huge: HugeMethods::Allow, ..plan(vec![row("m", "()V", 1)]) };
    // Thirteen bytes of entry, five of exit.
    let (_, done, skips) = rewrite(&with_code(code(65_517)), &chosen);
    assert_eq!((done.len(), skips), (1, vec![]));
    let bytes = with_code(code(65_518));
    let (same, done, skips) = rewrite(&bytes, &chosen);
    assert_eq!((done.len(), skips[0].reason), (0, SkipReason::CodeTooLarge));
    assert_eq!(same, bytes);
}

/// What lies above a task on the stack is kept in local variables, which there may be too many of.
#[test]
fn hand_offs_give_way_to_the_limits() {
    let chosen = ClassPlan { hand_offs: true, ..plan(vec![row("m", "()V", 1)]) };
    let done = |max_locals: u16| {
        let mut class = Class::new(48, "C");
        let schedule = class.method_ref("java/util/Timer", "schedule", "(Ljava/util/TimerTask;J)V");
        let code = Asm::default().op(&[0x01, 0x01, 0x09]).ix(0xb6, schedule).op(&[0xb1]).finish();
        class.method(
            PUBLIC_STATIC,
            "m",
            "()V",
            Body { max_stack: 4, max_locals, code, ..Body::default() },
        );
        let bytes = class.bytes();
        let mut rewriter = Rewriter::new(Options::default());
        let done = rewriter.rewrite(&bytes, &chosen).expect("a class that can be rewritten");
        (done.hand_offs, done.skips.iter().map(|skip| skip.reason).collect::<Vec<_>>())
    };
    // One more keeps the token.
    assert_eq!(done(65_532), (1, vec![]));
    assert_eq!(done(65_534).0, 0);
    assert_eq!(done(65_535).0, 0);
    assert_eq!(done(65_535).1, done(65_534).1);
    assert_eq!(done(65_535).1.len(), 1);
}

#[test]
fn a_full_pool() {
    let with_pool = |count: u16| {
        let mut class = Class::new(52, "C");
        class.method(
            PUBLIC_STATIC,
            "m",
            "()V",
            Body { max_stack: 1, code: vec![0, 0xb1], ..Body::default() },
        );
        for i in 0.. {
            if class.pool_count() >= count {
                break;
            }
            class.integer(i);
        }
        class.bytes()
    };
    let chosen = plan(vec![row("m", "()V", 1)]);
    let (_, done, skips) = rewrite(&with_pool(65_500), &chosen);
    assert_eq!((done.len(), skips), (1, vec![]));
    let bytes = with_pool(65_530);
    let (same, done, skips) = rewrite(&bytes, &chosen);
    assert_eq!((done.len(), skips[0].reason), (0, SkipReason::PoolFull));
    assert_eq!(same, bytes);
}

/// A root must be seen to end, so it is skipped where no handler can cover it.
#[test]
fn a_root_in_a_constructor_that_cannot_be_covered() {
    let made = made::all().into_iter().find(|made| made.name == "TwoSupers").expect("made");
    let mut chosen = plan(vec![row("<init>", "(I)V", 1)]);
    let mut rewriter = Rewriter::default();
    let done = rewriter.rewrite(&made.bytes, &chosen).expect("a sound class");
    assert_eq!((done.done.len(), done.inferred_throws, done.skips.len()), (1, 1, 0));
    chosen.methods[0].kind = ProbeKind::Root;
    let done = rewriter.rewrite(&made.bytes, &chosen).expect("a sound class");
    assert_eq!((done.done.len(), done.skips[0].reason), (0, SkipReason::ConstructorShape));
    assert_eq!(done.bytes, made.bytes);
}

#[test]
fn each_kind_has_its_probes() {
    let texts = |bytes: &[u8], name: &str| {
        let entry = [&[1, 0, name.len() as u8][..], name.as_bytes()].concat();
        bytes.windows(entry.len()).any(|window| *window == entry)
    };
    let made = made::all().into_iter().find(|made| made.name == "HandlerIsTarget52").expect("made");
    let kinds = [
        (ProbeKind::Always, [probe::METHOD_ENTRY, probe::METHOD_EXIT, probe::METHOD_THROW]),
        (ProbeKind::InRoot, [probe::INNER_ENTRY, probe::METHOD_EXIT, probe::METHOD_THROW]),
        (ProbeKind::Root, [probe::ROOT_ENTRY, probe::ROOT_EXIT, probe::ROOT_THROW]),
    ];
    for (kind, wanted) in kinds {
        let mut chosen = plan(vec![row("f", "(I)V", 1)]);
        chosen.methods[0].kind = kind;
        let (bytes, ..) = rewrite(&made.bytes, &chosen);
        for name in kinds.iter().flat_map(|(_, names)| names) {
            assert_eq!(texts(&bytes, name), wanted.contains(name), "{name} for {kind:?}");
        }
        assert!(texts(&bytes, probe::HANDLE_ANY) && !texts(&bytes, probe::HANDLE_CATCH));
    }
    // One entry with a class is enough.
    let named = made::all().into_iter().find(|made| made.name == "NamedHandlerIsTarget52");
    let (bytes, ..) = rewrite(&named.expect("made").bytes, &plan(vec![row("f", "(I)V", 1)]));
    assert!(texts(&bytes, probe::HANDLE_CATCH) && !texts(&bytes, probe::HANDLE_ANY));
}

/// Versions 45.0 to 45.2 have narrower fields in their Code attributes, before and after.
#[test]
fn the_oldest_versions() {
    let made = made::all().into_iter().find(|made| made.name == "Oldest").expect("made");
    let (bytes, done, skips) = rewrite(&made.bytes, &plan(vec![row("f", "(I)I", 1)]));
    assert_eq!((done.len(), skips), (1, vec![]));
    let class = summarize(&bytes, Digests::Omit).expect("still a sound class");
    let lengths: Vec<_> = class.methods.iter().filter_map(|method| method.code_length).collect();
    assert_eq!(lengths, [7, 6, 8 + 14 + 2 * 4 + 5]);
}

/// Broken code of one method leaves the others alone.
#[test]
fn damage_in_one_method() {
    let mut class = Class::new(52, "C");
    class.method(PUBLIC_STATIC, "bad", "()V", Body { code: vec![0xfe, 0xb1], ..Body::default() });
    class.method(PUBLIC, "cut", "()V", Body { code: vec![0x11, 0], ..Body::default() });
    class.method(PUBLIC_STATIC, "m", "()V", Body { code: vec![0xb1], ..Body::default() });
    let rows = ["bad", "cut", "m"].map(|name| row(name, "()V", 1));
    let (_, done, skips) = rewrite(&class.bytes(), &plan(rows.to_vec()));
    assert_eq!(done.len(), 1);
    assert_eq!(skips.len(), 2);
    for skip in skips {
        assert_eq!(skip.reason, SkipReason::Malformed);
        assert!(skip.detail.is_some_and(|detail| detail.contains("at offset 0x")));
    }
}
