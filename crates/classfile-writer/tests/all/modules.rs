//! The JDK's own classes, spliced in every way. `CLASSFILE_MODULES=java.xml,jdk.compiler,…` takes
//! others than the default, `CLASSFILE_STREAM=FILE` classes from a stream as the Java helper makes
//! them.

use crate::support::stress::{Mode, Outcome, splice_all};
use crate::support::{Jvm, Named};
use classfile_writer::{Assembly, ClassFile, PoolTail};
use jfathom_testkit::jdk;

#[test]
fn java_base_comes_out_as_it_went_in() {
    let classes = Jvm::new().dump("java.base");
    assert!(classes.len() > 5000, "{}", classes.len());
    let (mut storage, mut pool_storage) = (Default::default(), Default::default());
    let mut out = Vec::new();
    for (name, bytes) in &classes {
        let class =
            ClassFile::parse_with(bytes, storage).unwrap_or_else(|error| panic!("{name}: {error}"));
        let tail = PoolTail::with(class.pool(), pool_storage);
        out.clear();
        Assembly::new()
            .finish(&class, &tail, &mut out)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(out == *bytes, "{name} changed without an edit");
        pool_storage = tail.into_storage();
        storage = class.into_storage();
        assert!(
            splice_all(bytes, Mode::Rewrite, &mut Outcome::default()) == *bytes,
            "{name} changed when written anew"
        );
    }
}

#[test]
fn spliced_modules_link_as_before() {
    let modules = std::env::var("CLASSFILE_MODULES")
        .unwrap_or_else(|_| "jdk.jshell,jdk.jdeps,jdk.jartool".into());
    let mut jvm = Jvm::new();
    let mut classes = match std::env::var("CLASSFILE_STREAM") {
        Ok(file) => crate::support::read(&file),
        Err(_) => jvm.dump(&modules),
    };
    // Only the boot loader may define these.
    classes.retain(|(name, _)| !name.starts_with("java/") && !name.ends_with("module-info"));
    let modes = [Mode::Nops, Mode::Probes, Mode::Grow { rarity: 4 }];
    let sets: Vec<Vec<Named>> = modes
        .iter()
        .map(|&mode| {
            let mut outcome = Outcome::default();
            let set = classes
                .iter()
                .map(|(name, class)| (name.clone(), splice_all(class, mode, &mut outcome)))
                .collect();
            eprintln!("{mode:?}: {outcome:?}");
            assert!(
                outcome.spliced > 50 && outcome.refused * 5 < outcome.spliced,
                "{mode:?}: {outcome:?}"
            );
            if matches!(mode, Mode::Grow { .. }) {
                // Which methods grow depends on their bytes, and so on the JDK at hand.
                assert!(outcome.widened > 10, "{outcome:?}");
            }
            set
        })
        .collect();
    let mut all: Vec<&[Named]> = vec![&classes];
    all.extend(sets.iter().map(|set| &set[..]));
    let linked = jvm.link(&all);
    eprintln!("{linked} of {} classes link", classes.len());
    assert!(linked * 2 > classes.len());
    if let Some(jdk) = jdk::jdk25("spliced modules") {
        jvm = jvm.with_java(jdk.java());
        jvm.link(&all);
    }
}
