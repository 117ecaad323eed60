//! What the rewriter writes is read back by readers that are not ours, and planted faults are found.

use jfathom_archive::{Input, Work};
use jfathom_check::{Contract, Verdict, class};
use jfathom_plan::{
    ClassPlan, Digest, HugePolicy, IdRange, Manifest, ManifestClass, ManifestMethod, MethodId, MethodPlan, Placement,
    ProbeKind,
};
use jfathom_rewriter::{Digests, Options, Rewriter, survey};
use jfathom_tests::{jdk, samples};

/// How all methods of a class are rewritten.
#[derive(Clone, Copy, Debug)]
struct Manner {
    kind: ProbeKind,
    hand_offs: bool,
    pin: bool,
    huge: HugePolicy,
}

const MANNERS: [Manner; 4] = [
    Manner { kind: ProbeKind::Every, hand_offs: false, pin: false, huge: HugePolicy::Skip },
    Manner { kind: ProbeKind::Inner, hand_offs: true, pin: false, huge: HugePolicy::Allow },
    Manner { kind: ProbeKind::Every, hand_offs: false, pin: true, huge: HugePolicy::Skip },
    Manner { kind: ProbeKind::Root, hand_offs: true, pin: true, huge: HugePolicy::Allow },
];

/// A rewritten class, and what its manifest says; nothing where it stays as it is.
fn rewritten(bytes: &[u8], manner: Manner, first_id: u32) -> Option<(Vec<u8>, Manifest)> {
    let seen = survey(bytes, Digests::Leave).ok()?;
    let methods = (first_id..).filter_map(MethodId::new).zip(seen.methods).map(|(id, method)| MethodPlan {
        name: method.name,
        descriptor: method.descriptor,
        id,
        kind: manner.kind,
    });
    let plan = ClassPlan {
        methods: methods.collect(),
        hand_offs: manner.hand_offs,
        pin: manner.pin,
        huge: manner.huge,
        ..ClassPlan::default()
    };
    let mut rewriter = Rewriter::new(Options::default());
    let rewritten = rewriter.rewrite(bytes, &plan).ok()?;
    let methods = rewritten.done.iter().filter_map(|done| {
        let row = plan.methods.iter().find(|row| row.id == done.id)?;
        Some(ManifestMethod {
            id: row.id,
            name: row.name.clone(),
            descriptor: row.descriptor.clone(),
            line: None,
            digest: Digest(0),
            root: row.kind == ProbeKind::Root,
            trivial: false,
            waits: false,
            pinned: done.pinned,
        })
    });
    let manifest = Manifest {
        tool: String::new(),
        plan: Digest(0),
        placement: Placement::Main,
        module: None,
        ids: IdRange { start: 0, len: 0 },
        rooted: manner.hand_offs,
        roots: Vec::new(),
        policy: None,
        pinned: manner.pin,
        classes: vec![ManifestClass { name: seen.name, source: None, methods: methods.collect() }],
        skips: Vec::new(),
        omitted: Default::default(),
        unfollowed: Default::default(),
    };
    Some((rewritten.bytes.to_vec(), manifest))
}

/// Every class of java.base, rewritten in each manner, is the original without its probes; cafebabe says so.
#[test]
fn every_class_of_java_base_is_itself_without_its_probes() {
    let input = Input::open_module(&jdk::main().home, "java.base").expect("every JDK has java.base");
    for (manner, first_id) in MANNERS.into_iter().zip([0, 100, 40_000, 7]) {
        let check = |place: String, bytes: &[u8]| {
            let Some((output, manifest)) = rewritten(bytes, manner, first_id) else { return Ok(0) };
            if output == bytes {
                return Ok(0);
            }
            match class(bytes, &output, &Contract::new(&manifest)) {
                Verdict::Equal(ids) => {
                    let wanted: Vec<u32> = manifest.methods().map(|(_, method)| method.id.get()).collect();
                    assert_eq!(ids.into_iter().collect::<Vec<_>>(), wanted, "{place}");
                    Ok(1)
                }
                Verdict::Fault(fault) => Err(format!("{place}: {fault}")),
                Verdict::NotChecked(why) => Err(format!("{place}: not checked: {why}")),
            }
        };
        let visited = input.visit(&Work::default(), |entry, bytes| check(entry.place().to_string(), bytes)).unwrap();
        let (fine, wrong): (Vec<_>, Vec<Result<usize, String>>) = visited.values.into_iter().partition(Result::is_ok);
        let equal: usize = fine.into_iter().flatten().sum();
        assert!(wrong.is_empty(), "{manner:?}: {} of {equal}: {:#?}", wrong.len(), wrong.iter().take(12).collect::<Vec<_>>());
        assert!(equal > 4_000, "{manner:?}: only {equal} classes were rewritten");
    }
}

/// What cafebabe sees of a class, but for the depth of operand stacks, which may be any that suffices.
fn seen(bytes: &[u8]) -> Option<String> {
    let text = format!("{:?}", cafebabe::parse_class(bytes).ok()?);
    let mut parts = text.split("max_stack: ");
    let first = parts.next()?.to_owned();
    Some(parts.fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_digit())))
}

/// One bit after another is turned in rewritten classes. The check finds each of these faults that its reader can see at all: what
/// passes is a class of which cafebabe reads the very same.
#[test]
fn every_bit_that_the_reader_sees_is_compared() {
    let input = Input::open(&samples::compiled().java).unwrap();
    let classes = input.visit(&Work::default(), |entry, bytes| (entry.place().to_string(), bytes.to_vec())).unwrap();
    let mut faults = [0_usize; 2];
    // The larger ones hold little that the smaller do not, and each bit costs a reading of its class.
    for (number, (place, bytes)) in classes.values.iter().filter(|(_, bytes)| bytes.len() < 1_700).enumerate() {
        let Some((output, manifest)) = rewritten(bytes, MANNERS[number % MANNERS.len()], 300) else { continue };
        let contract = Contract::new(&manifest);
        assert!(matches!(class(bytes, &output, &contract), Verdict::Equal(_)), "{place}");
        let whole = seen(&output).expect("cafebabe reads what it has compared");
        for at in 0..output.len() {
            let mut wrong = output.clone();
            wrong[at] ^= 1 << ((at + number) % 8);
            let found = !matches!(class(bytes, &wrong, &contract), Verdict::Equal(_));
            faults[usize::from(found)] += 1;
            let told = || {
                let now = seen(&wrong).unwrap_or_default();
                let same = now.bytes().zip(whole.bytes()).take_while(|(a, b)| a == b).count();
                let part = |text: &str| text.chars().skip(same.saturating_sub(60)).take(120).collect::<String>();
                format!("{place}: byte {at} of {}: {} → {}", output.len(), part(&whole), part(&now))
            };
            assert!(found || seen(&wrong).as_ref() == Some(&whole), "{}", told());
        }
    }
    let [passed, found] = faults;
    assert!(found > 20_000 && passed * 50 < found, "{found} faults were found, {passed} passed");
}
