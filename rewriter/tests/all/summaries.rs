//! What summaries say of classes that javac made, and which methods digests take for the same.

use crate::support::asm::{Body, Class, PUBLIC_STATIC};
use crate::support::java;
use jfathom_plan::{ClassSummary, Digest, MethodSummary};
use jfathom_rewriter::{Digests, SkipReason, module_name, summarize};
use jfathom_testkit::{class_files, java_files};

fn summaries(build: &str, rename: Option<&str>) -> Vec<ClassSummary> {
    let temp = tempfile::tempdir().expect("a folder");
    let mut sources = java_files(&java::sources("digest").join(build));
    if let Some(name) = rename {
        let text = std::fs::read_to_string(&sources[0]).expect("a source").replace("Builds", name);
        java::write(temp.path(), &format!("{name}.java"), text.as_bytes());
        sources = vec![temp.path().join(format!("{name}.java"))];
    }
    let out = temp.path().join("classes");
    java::javac(17, &sources, &out);
    class_files(&out)
        .iter()
        .map(|(_, bytes)| summarize(bytes, Digests::Compute).expect("a sound class"))
        .collect()
}

fn class<'s>(summaries: &'s [ClassSummary], name: &str) -> &'s ClassSummary {
    summaries.iter().find(|class| class.name == name).expect("a class of that name")
}

fn method<'s>(class: &'s ClassSummary, name: &str) -> &'s MethodSummary {
    class.methods.iter().find(|method| method.name == name).expect("a method of that name")
}

#[test]
fn digests_see_what_a_method_does_and_nothing_else() {
    let (before, after) = (summaries("before", None), summaries("after", None));
    let renamed = summaries("after", Some("Renamed"));
    let digest = |summaries: &[ClassSummary], of: &str, name: &str| {
        method(class(summaries, of), name).digest
    };
    for name in [
        "constant", "branches", "strings", "lambda", "caught", "self", "getField", "setField",
        "nothing",
    ] {
        assert_eq!(digest(&before, "Builds", name), digest(&after, "Builds", name), "{name}");
        assert_eq!(
            digest(&before, "Builds", name),
            digest(&renamed, "Renamed", name),
            "{name} of a renamed class"
        );
    }
    assert_eq!(
        digest(&before, "Builds", "lambda$lambda$0"),
        digest(&after, "Builds", "lambda$lambda$1")
    );
    for name in ["changed", "caughtOther", "longJump", "literal"] {
        assert_ne!(digest(&before, "Builds", name), digest(&after, "Builds", name), "{name}");
    }
    let all: std::collections::BTreeSet<Digest> =
        class(&before, "Builds").methods.iter().map(|method| method.digest).collect();
    let twins = 1;
    assert_eq!(digest(&before, "Builds", "caught"), digest(&before, "Builds", "caughtOther"));
    assert_eq!(
        all.len() + twins,
        class(&before, "Builds").methods.len(),
        "other bodies have other digests"
    );
}

#[test]
fn a_survey_says_what_choosers_ask() {
    let summaries = summaries("before", None);
    let builds = class(&summaries, "Builds");
    assert_eq!((builds.major, builds.super_class.as_deref()), (61, Some("java/lang/Object")));
    assert_eq!(builds.source.as_deref(), Some("Builds.java"));
    assert_eq!(
        class(&summaries, "Marked").annotations,
        ["java/lang/Deprecated", "java/lang/FunctionalInterface"]
    );
    assert_eq!(method(builds, "getField").annotations, ["java/lang/Deprecated"]);
    let trivial: Vec<_> =
        builds.methods.iter().filter(|m| m.trivial).map(|m| m.name.as_str()).collect();
    assert_eq!(trivial, ["getField", "setField", "nothing"]);
    assert_eq!(method(builds, "constant").first_line, Some(14));
    assert_eq!(method(class(&summaries, "Builds$Without"), "code").code_length, None);
    assert_eq!(method(builds, "constant").code_length, Some(3));
}

#[test]
fn a_survey_tells_methods_that_wait_for_threads() {
    let temp = tempfile::tempdir().expect("a folder");
    java::javac(17, &java_files(&java::sources("waits")), temp.path());
    let classes = class_files(temp.path());
    assert_eq!(classes.len(), 2);
    for (_, bytes) in &classes {
        let without = summarize(bytes, Digests::Omit).expect("a sound class");
        let with = summarize(bytes, Digests::Compute).expect("a sound class");
        for method in without.methods.into_iter().chain(with.methods) {
            assert_eq!(method.waits, method.name.starts_with("waits"), "{}", method.name);
        }
    }
}

/// A pool of more than 255 constants turns `ldc` into `ldc_w`, and names the same constant.
#[test]
fn pool_positions_do_not_matter() {
    let made = |fillers: i32| {
        let mut class = Class::new(52, "Pool");
        let mut text = 0;
        for i in 0..fillers {
            class.integer(i);
        }
        for word in ["zero", "text"] {
            text = class.string(word);
        }
        let code = match u8::try_from(text) {
            Ok(index) => vec![0x12, index, 0xb0],
            Err(_) => vec![0x13, (text >> 8) as u8, text as u8, 0xb0],
        };
        let body = Body { max_stack: 1, code, ..Body::default() };
        class.method(PUBLIC_STATIC, "get", "()Ljava/lang/String;", body);
        summarize(&class.bytes(), Digests::Compute).expect("a sound class").methods[0].digest
    };
    assert_eq!(made(0), made(300));
    assert_ne!(made(0), Digest::default());
}

#[test]
fn module_names() {
    let temp = tempfile::tempdir().expect("a folder");
    java::write(
        temp.path(),
        "src/module-info.java",
        b"module com.acme.parts { requires java.logging; }",
    );
    java::javac(17, &[temp.path().join("src/module-info.java")], &temp.path().join("out"));
    let bytes =
        std::fs::read(temp.path().join("out/module-info.class")).expect("a module descriptor");
    assert_eq!(module_name(&bytes), Ok(Some("com.acme.parts".to_owned())));
    assert_eq!(module_name(&Class::new(52, "Plain").bytes()), Ok(None));
    assert_eq!(module_name(b"").unwrap_err().reason, SkipReason::Malformed);
}

#[test]
fn refusals_name_the_class_where_they_can() {
    let mut bytes = Class::new(52, "com/acme/New").bytes();
    bytes[4..8].copy_from_slice(&[0xff, 0xff, 0, 200]);
    let skip = summarize(&bytes, Digests::Omit).unwrap_err();
    assert_eq!((skip.reason, skip.class.as_str()), (SkipReason::Version, "com/acme/New"));
    let mut bytes = Class::new(52, "com/acme/Long").bytes();
    bytes.push(0);
    let skip = summarize(&bytes, Digests::Omit).unwrap_err();
    assert_eq!(skip.reason, SkipReason::Malformed);
    assert!(skip.detail.is_some_and(|detail| detail.contains("at offset 0x")));
}

/// Eight levels of a thousand arguments would take for ever.
#[test]
fn dynamic_constants_in_a_circle_have_a_digest() {
    let mut class = Class::new(55, "Circle");
    let constant = class.cyclic_dynamic(("Circle", "make", "()I"), "value", "I", 1000);
    let [high, low] = constant.to_be_bytes();
    let body = Body { max_stack: 1, code: vec![0x13, high, low, 0xac], ..Body::default() };
    class.method(PUBLIC_STATIC, "first", "()I", body);
    let nothing = Body { max_stack: 1, code: vec![0x03, 0xac], ..Body::default() };
    class.method(PUBLIC_STATIC, "second", "()I", nothing);
    let summary = summarize(&class.bytes(), Digests::Compute).expect("a sound class");
    assert_ne!(method(&summary, "first").digest, method(&summary, "second").digest);
}

/// Code that tests the sign bit of its own continuation's label is entered again to resume it.
#[test]
fn a_survey_tells_methods_that_coroutines_enter_again() {
    let temp = tempfile::tempdir().expect("a folder");
    java::javac(17, &java_files(&java::sources("resumptions")), temp.path());
    let mut names = Vec::new();
    for (_, bytes) in &class_files(temp.path()) {
        let class = summarize(bytes, Digests::Omit).expect("a sound class");
        let with = summarize(bytes, Digests::Compute).expect("a sound class");
        let resumes = class.methods.iter().map(|method| method.resumes);
        assert!(resumes.eq(with.methods.iter().map(|method| method.resumes)));
        let resumed = class.methods.iter().filter(|method| method.resumes);
        names.extend(resumed.map(|method| format!("{}.{}", class.name, method.name)));
    }
    names.sort();
    assert_eq!(
        names,
        ["Lambda.invokeSuspend", "Resumptions.resumesAsWell", "Resumptions.resumesFunction",]
    );
}
