use super::*;
use jfathom_plan::{Digest, Placement};

fn manifest(plan: u64, start: u32, len: u32) -> Vec<u8> {
    Manifest {
        tool: "test".into(),
        plan: Digest(plan),
        placement: Placement::Main,
        module: None,
        ids: IdRange { start, len },
        has_roots: false,
        roots: vec![],
        scheme: None,
        call_graph: None,
        classes: vec![],
        skips: vec![],
        skip_counts: Default::default(),
        interfaces: Vec::new(),
        unfollowed: Default::default(),
    }
    .to_json()
}

fn seen(place: &str, plan: u64, start: u32, len: u32) -> ManifestRef {
    ManifestRef { ids: IdRange { start, len }, plan: Digest(plan).to_string(), place: place.into() }
}

#[test]
fn a_jar_that_is_seen_twice_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let source = |_: &ManifestRef| Ok(manifest(7, 0, 10));
    let mut library = ManifestLibrary::new(dir.path(), &source, true);
    let mut jvm = JvmManifests::default();
    let mut notes = Vec::new();
    for place in ["a.jar", "a.jar", "copy/a.jar"] {
        jvm.add(seen(place, 7, 0, 10), &mut library, &mut |note| notes.push(note)).unwrap();
    }
    assert_eq!((jvm.manifests().count(), jvm.seen().len(), notes.len()), (1, 2, 0));
    // The copy serves when the jar is gone.
    let gone = |_: &ManifestRef| Err::<Vec<u8>, _>("gone".into());
    let mut library = ManifestLibrary::new(dir.path(), &gone, false);
    let mut jvm = JvmManifests::default();
    jvm.add(seen("a.jar", 7, 0, 10), &mut library, &mut |note| notes.push(note)).unwrap();
    assert_eq!((jvm.manifests().count(), notes.len()), (1, 0));
}

#[test]
fn a_manifest_is_parsed_once() {
    let dir = tempfile::tempdir().unwrap();
    let source = |_: &ManifestRef| Ok(manifest(7, 0, 10));
    let mut library = ManifestLibrary::new(dir.path(), &source, true);
    let before = library.peek(&seen("a.jar", 7, 0, 10)).unwrap();
    let mut jvm = JvmManifests::default();
    jvm.add(seen("/x/a.jar", 7, 0, 10), &mut library, &mut drop).unwrap();
    assert!(Arc::ptr_eq(&before, &jvm.shared()[0]));
}

#[test]
fn overlapping_ids_name_both_jars() {
    let dir = tempfile::tempdir().unwrap();
    let source = |seen: &ManifestRef| {
        Ok(if seen.place.contains("a.jar") { manifest(7, 0, 10) } else { manifest(8, 9, 5) })
    };
    let mut library = ManifestLibrary::new(dir.path(), &source, true);
    let mut jvm = JvmManifests::default();
    jvm.add(
        seen("jar:file:/x/a.jar!/META-INF/jfathom/manifest.json", 7, 0, 10),
        &mut library,
        &mut drop,
    )
    .unwrap();
    let overlap = jvm
        .add(seen("file:/x/b/META-INF/jfathom/manifest.json", 8, 9, 5), &mut library, &mut drop)
        .unwrap_err();
    assert_eq!(
        overlap,
        Overlap { first: "/x/a.jar (ids 0 to 9)".into(), second: "/x/b (ids 9 to 13)".into() }
    );
}

#[test]
fn an_unreadable_manifest_is_said_once() {
    let dir = tempfile::tempdir().unwrap();
    let source = |_: &ManifestRef| Ok(manifest(8, 0, 10));
    let mut library = ManifestLibrary::new(dir.path(), &source, true);
    let mut notes = Vec::new();
    for _jvm in 0..2 {
        let mut jvm = JvmManifests::default();
        jvm.add(seen("a.jar", 7, 0, 10), &mut library, &mut |note| notes.push(note)).unwrap();
        assert_eq!(jvm.manifests().count(), 0);
    }
    assert_eq!(notes.len(), 1);
    assert!(notes[0].contains("a.jar") && notes[0].contains("rewritten again"), "{}", notes[0]);
}

#[test]
fn manifests_are_as_long_as_their_ids_allow_and_no_more_than_a_program_has() {
    assert!(manifest_limit(&seen("a.jar", 7, 0, 1)) < 65 << 20);
    assert!(manifest_limit(&seen("a.jar", 7, 0, 600_000)) > 1000 << 20);
    assert_eq!(manifest_limit(&seen("a.jar", 7, 0, u32::MAX)), MANIFEST_LIMIT as u64);
    let dir = tempfile::tempdir().unwrap();
    let source = |seen: &ManifestRef| Ok(manifest(7, seen.ids.start, 1));
    let mut library = ManifestLibrary::new(dir.path(), &source, false);
    let (mut jvm, mut notes) = (JvmManifests::default(), Vec::new());
    for id in 0..MANIFESTS as u32 + 3 {
        jvm.add(seen("a.jar", 7, id, 1), &mut library, &mut |note| notes.push(note)).unwrap();
    }
    assert_eq!((jvm.manifests().count(), notes.len()), (MANIFESTS, 1));
}

/// Jars named `old…` have a runtime without `handleAny`, those named `bare…` have none.
struct Runtimes;

impl ManifestSource for Runtimes {
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, jfathom_plan::Problem> {
        Ok(manifest(u64::from(seen.ids.start), seen.ids.start, 1))
    }

    fn probes(&self, seen: &ManifestRef) -> Option<BTreeSet<String>> {
        let probes = ["handleAny(I)V", "methodEntry(I)V"].map(str::to_owned);
        let has = |probe: &String| !seen.place.starts_with("old") || !probe.starts_with("handle");
        (!seen.place.starts_with("bare")).then(|| probes.into_iter().filter(has).collect())
    }
}

#[test]
fn a_runtime_that_lacks_probes_is_said_with_both_jars() {
    let dir = tempfile::tempdir().unwrap();
    let notes = |places: &[&str]| {
        let mut library = ManifestLibrary::new(dir.path(), &Runtimes, false);
        let (mut jvm, mut notes) = (JvmManifests::default(), Vec::new());
        for (id, place) in (0..).zip(places) {
            let seen = seen(place, u64::from(id), id, 1);
            jvm.add(seen, &mut library, &mut |note| notes.push(note)).unwrap();
        }
        notes
    };
    let said = notes(&["bare.jar", "old.jar", "new.jar"]);
    assert_eq!(said.len(), 1, "{said:?}");
    for word in ["old.jar has an older runtime than new.jar", "(handleAny(I)V)", "rewrite both"] {
        assert!(said[0].contains(word), "{}", said[0]);
    }
    assert_eq!(notes(&["new.jar", "old.jar", "bare.jar"]), Vec::<String>::new());
    assert_eq!(notes(&["old.jar", "old2.jar"]), Vec::<String>::new());
}
