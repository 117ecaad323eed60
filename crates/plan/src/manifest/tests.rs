use super::*;
use crate::{
    CallTraits, KnownInterface, LineRange, MethodCalls, NamedMethod, Unfollowed, class_hash,
    signature_hash,
};

fn method(id: u32, name: &str, line: u16, root: bool) -> InstrumentedMethod {
    InstrumentedMethod {
        id: MethodId::new(id).unwrap(),
        name: name.to_owned(),
        descriptor: "(I)V".to_owned(),
        line: (line != 0).then_some(line),
        digest: Digest(u64::from(id) << 60 | 0xabc),
        root,
        trivial: id.is_multiple_of(2),
        waits: id.is_multiple_of(3),
        resumes: id.is_multiple_of(7),
        counted: id.is_multiple_of(5),
        region: None,
    }
}

fn named(class: &str, name: &str, descriptor: &str) -> NamedMethod {
    let signature = signature_hash(name.as_bytes(), descriptor.as_bytes());
    NamedMethod::new(class_hash(class.as_bytes()), signature)
}

fn code(name: &str, descriptor: &str, traits: CallTraits, sites: &[NamedMethod]) -> MethodCalls {
    let signature = signature_hash(name.as_bytes(), descriptor.as_bytes());
    let mut sites = sites.to_vec();
    sites.sort_unstable();
    MethodCalls { signature, traits, sites }
}

/// Calls of methods of the manifest, inherited ones, methods without probes and others.
fn calls_of_b() -> ClassCalls {
    let mut handles = vec![named("a/B", "run", "(I)V"), named("x/Other", "apply", "()V")];
    handles.sort_unstable();
    ClassCalls {
        super_class: Some("a/C".to_owned()),
        interfaces: vec!["java/lang/Runnable".to_owned(), "x/Other".to_owned()],
        methods: vec![
            code("hidden", "()V", CallTraits::FIXED, &[named("a/C", "<init>", "(I)V")]),
            code(
                "run",
                "(I)V",
                CallTraits::OUTSIDE,
                &[
                    named("a/B", "run", "(I)V"),
                    named("a/B", "<init>", "(I)V"),
                    named("a/B", "hidden", "()V"),
                    named("y/Nowhere", "run", "(I)V"),
                    named("y/Nowhere", "unknown", "(J)V"),
                    named("java/lang/Runnable", "run", "()V"),
                ],
            ),
            code("“odd\" name\n", "(I)V", CallTraits::default(), &[]),
            code("last", "()V", CallTraits::REFLECTS, &[]),
        ],
        handles,
    }
}

fn calls_of_c() -> ClassCalls {
    ClassCalls {
        methods: vec![
            code("<init>", "(I)V", CallTraits::FIXED, &[named("a/B", "run", "(I)V")]),
            code("hidden", "()V", CallTraits::FIXED, &[named("a/B", "“odd\" name\n", "(I)V")]),
        ],
        ..ClassCalls::default()
    }
}

fn sample() -> Manifest {
    let mut unfollowed = UnfollowedCounts::default();
    unfollowed.add(Unfollowed::NativeMethod, 5);
    Manifest {
        tool: "jfathom 0.1.0".to_owned(),
        plan: Digest(77),
        placement: Placement::JavaBase,
        module: Some("java.base".to_owned()),
        ids: IdRange { start: 5, len: 10 },
        has_roots: true,
        roots: vec!["com.acme.Engine::*".to_owned()],
        scheme: Some(Scheme::Static),
        call_graph: Some(CallGraph::Rta),
        classes: vec![
            ManifestClass {
                name: "a/B".to_owned(),
                source: Some("B.java".to_owned()),
                methods: vec![method(5, "run", 3, true), method(8, "“odd\" name\n", 0, false)],
                calls: calls_of_b(),
            },
            ManifestClass {
                name: "a/C".to_owned(),
                source: None,
                methods: vec![method(14, "<init>", 65_535, false)],
                calls: calls_of_c(),
            },
        ],
        skips: vec![
            Skip {
                class: "a/D".to_owned(),
                method: None,
                reason: SkipReason::Malformed,
                detail: Some("at 3".to_owned()),
            },
            Skip {
                class: "a/E".to_owned(),
                method: Some("x()V".to_owned()),
                reason: SkipReason::HugeMethodLimit,
                detail: None,
            },
            Skip {
                class: "a/E".to_owned(),
                method: Some("y()V".to_owned()),
                reason: SkipReason::HugeMethodLimit,
                detail: None,
            },
        ],
        skip_counts: BTreeMap::from([(SkipReason::Abstract, 4), (SkipReason::Native, 1)]),
        interfaces: vec![
            KnownInterface { name: "a/I".to_owned(), above: vec!["a/J".to_owned()] },
            KnownInterface { name: "a/J".to_owned(), above: vec![] },
        ],
        unfollowed,
    }
}

#[test]
fn a_method_is_found_by_its_id() {
    let manifest = sample();
    for id in (0..20).map(|id| MethodId::new(id).unwrap()) {
        let found = manifest.methods().find(|(_, method)| method.id == id);
        assert_eq!(manifest.method(id), found);
    }
}

#[test]
fn what_is_not_followed_has_names_that_last() {
    let all: Vec<_> =
        Unfollowed::ALL.iter().map(|kind| serde_json::to_value(kind).unwrap()).collect();
    assert_eq!(all, Unfollowed::ALL.map(|kind| serde_json::Value::from(kind.name())));
    // A manifest without the counts is read.
    let older = Manifest { unfollowed: UnfollowedCounts::default(), ..sample() };
    let json = String::from_utf8(older.to_json()).unwrap();
    assert!(!json.contains("unfollowed"));
    assert_eq!(Manifest::from_json(json.as_bytes()).unwrap(), older);
}

#[test]
fn what_is_written_is_read() {
    let manifest = sample();
    assert_eq!(Manifest::from_json(&manifest.to_json()).unwrap(), manifest);
    let empty = Manifest {
        classes: vec![],
        skips: vec![],
        skip_counts: BTreeMap::new(),
        interfaces: vec![],
        module: None,
        ..sample()
    };
    assert_eq!(Manifest::from_json(&empty.to_json()).unwrap(), empty);
}

#[test]
fn scheme_and_call_graph_have_the_command_lines_names() {
    let json = String::from_utf8(sample().to_json()).unwrap();
    assert!(json.contains(r#""scheme":"static","call_graph":"rta""#), "{json}");
    let total = Manifest { scheme: Some(Scheme::Total), call_graph: None, ..sample() };
    let json = String::from_utf8(total.to_json()).unwrap();
    assert!(json.contains(r#""scheme":"total""#) && !json.contains("call_graph"), "{json}");
    assert_eq!(Manifest::from_json(json.as_bytes()).unwrap(), total);
}

#[test]
fn an_older_name_of_a_skip_reason_is_read() {
    let reason = |json: &str| serde_json::from_str::<SkipReason>(json).unwrap();
    assert_eq!(reason(r#""redefinition""#), SkipReason::Retransformation);
    assert_eq!(reason(r#""retransformation""#), SkipReason::Retransformation);
    assert_eq!(
        serde_json::to_string(&SkipReason::Retransformation).unwrap(),
        r#""retransformation""#
    );
}

#[test]
fn another_version_is_no_damage() {
    let error = Manifest::from_json(br#"{"version":5,"entirely":"different"}"#).unwrap_err();
    assert!(matches!(error, ManifestError::Version(5)), "{error}");
    assert!(error.to_string().contains("rewrite the original again"));
    let error = Manifest::from_json(br#"{"version":2,"policy":"static"}"#).unwrap_err();
    assert!(matches!(error, ManifestError::Version(2)), "{error}");
}

#[test]
fn damage_is_an_error() {
    let json = String::from_utf8(sample().to_json()).unwrap();
    for (old, new) in [
        ("\"ids\":[5,10]", "\"ids\":[5,9]"),
        ("\"ids\":[5,10]", "\"ids\":[4294967295,10]"),
        ("\"ids\":[5,10]", "\"ids\":[4194300,10]"),
        ("\"unused\":[[6,2]", "\"unused\":[[6,4294967295]"),
        ("\"root_ids\":[5]", "\"root_ids\":[6]"),
        ("\"root_ids\":[5]", "\"root_ids\":[5,5]"),
        ("\"lines\":[3,", "\"lines\":[2,"),
        ("\"lines\":[3,", "\"lines\":[3,3,"),
        ("65535]", "65536]"),
        ("65535]", "2147483648]"),
        ("\"B.java\",2]", "\"B.java\",1]"),
        ("\"B.java\",2]", "\"B.java\",4294967295]"),
        ("\"run\",", ""),
        ("0000000abc", "00000000abc"),
        ("0000000abc", "000000abc"),
        ("0000000abc", "00000000éa"),
        ("0000000abc", "000000gabc"),
        ("0000000abc", "000000+abc"),
        ("\"has_roots\":true,", ""),
        ("java-base", "nowhere"),
        ("malformed", "whim"),
    ] {
        let damaged = json.replacen(old, new, 1);
        assert_ne!(damaged, json, "{old} stands nowhere in {json}");
        assert!(Manifest::from_json(damaged.as_bytes()).is_err(), "{old} → {new}");
    }
    for end in 0..json.len() {
        assert!(Manifest::from_json(&json.as_bytes()[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn the_runtime_finds_what_it_looks_for_at_the_beginning() {
    let json = String::from_utf8(sample().to_json()).unwrap();
    for text in ["\"plan\":\"000000000000004d\"", "\"ids\":[5,10]", "\"has_roots\":true"] {
        assert!(json.find(text).is_some_and(|at| at < 300), "{text} in {json}");
    }
}

#[test]
fn regions_are_read_back_with_their_lines() {
    let mut manifest = sample();
    let region = InstrumentedMethod {
        name: "run:12-20".to_owned(),
        region: LineRange::new(12, 20),
        ..method(6, "", 12, true)
    };
    manifest.classes[0].methods.insert(1, region);
    let json = manifest.to_json();
    let read = Manifest::from_json(&json).unwrap();
    assert_eq!(read, manifest);
    let names: Vec<&str> = read.methods().map(|(_, method)| method.method_name()).collect();
    assert_eq!(names, ["run", "run", "“odd\" name\n", "<init>"]);
    let text = String::from_utf8(json).unwrap();
    for damage in ["[6,12,21]", "[6,20,12]", "[6,0,20]", "[7,12,20]"] {
        let damaged = text.replace("[6,12,20]", damage);
        assert!(damaged != text && Manifest::from_json(damaged.as_bytes()).is_err(), "{damage}");
    }
}
