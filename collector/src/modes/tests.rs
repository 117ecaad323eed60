use super::*;
use jfathom_plan::{Digest, InstrumentedMethod, ManifestClass, Placement};

fn manifest(start: u32) -> Manifest {
    let method = |at: u32, name: &str, root, trivial| InstrumentedMethod {
        id: MethodId::new(start + at).unwrap(),
        name: name.into(),
        descriptor: "()I".into(),
        line: None,
        digest: Digest(1),
        root,
        trivial,
        waits: false,
        pinned: false,
        region: None,
    };
    let methods = vec![
        method(0, "run", true, false),
        method(1, "getSpeed", false, true),
        method(2, "step", false, false),
        method(3, "getRoot", true, true),
    ];
    Manifest {
        roots: Vec::new(),
        scheme: None,
        call_graph: None,
        pinned: false,
        tool: "test".into(),
        plan: Digest(u64::from(start) + 1),
        placement: Placement::Main,
        module: None,
        ids: IdRange { start, len: 4 },
        has_roots: true,
        classes: vec![ManifestClass { name: "com/acme/Engine".into(), source: None, methods }],
        skips: Vec::new(),
        skip_counts: Default::default(),
        unfollowed: Default::default(),
    }
}

fn rule(trivial: bool, selectors: &[&str]) -> CountRule {
    CountRule { trivial, selectors: selectors.iter().map(|text| text.parse().unwrap()).collect() }
}

fn counted(rule: &CountRule) -> Vec<u32> {
    rule.methods(&manifest(10)).iter().map(|id| id.get()).collect()
}

#[test]
fn roots_are_never_counted() {
    assert_eq!(counted(&rule(true, &[])), [11]);
    assert_eq!(counted(&rule(false, &["com.acme.**"])), [11, 12]);
    assert!(counted(&rule(false, &["com.acme.Engine::run"])).is_empty());
}

#[test]
fn selectors_choose_and_leave_out() {
    assert!(counted(&CountRule::default()).is_empty());
    assert_eq!(counted(&rule(false, &["com.acme.Engine.step"])), [12]);
    assert_eq!(counted(&rule(false, &["com.acme.Engine", "!com.acme.Engine::get*"])), [12]);
    assert_eq!(counted(&rule(true, &["com.acme.Engine::step()I"])), [11, 12]);
    assert!(counted(&rule(false, &["org.other.*", "@Timed"])).is_empty());
}

#[test]
fn the_file_has_one_byte_an_id_and_leaves_doubtful_ids_alone() {
    let temp = tempfile::tempdir().unwrap();
    let seen = |start: u32, plan: &str| ManifestRef {
        ids: IdRange { start, len: 4 },
        plan: plan.to_owned(),
        place: start.to_string(),
    };
    let plan = |start| manifest(start).plan.to_string();
    let source = |seen: &ManifestRef| Ok(manifest(seen.ids.start).to_json());
    let library = ManifestLibrary::new(temp.path(), &source, false);
    let file = temp.path().join(MODES_FILE);
    let options = |manifests: &[ManifestRef], count| RecordOptions {
        manifests: manifests.to_vec(),
        count,
        ..RecordOptions::default()
    };
    write(temp.path(), &options(&[seen(0, &plan(0))], CountRule::default()), &library).unwrap();
    assert!(!file.exists());
    let all = [
        seen(0, &plan(0)),
        seen(0, &plan(0)),
        seen(10, &plan(10)),
        seen(20, &plan(20)),
        seen(22, &plan(22)),
    ];
    write(temp.path(), &options(&all, rule(true, &[])), &library).unwrap();
    let modes = std::fs::read(&file).unwrap();
    let counted: Vec<usize> =
        (0..modes.len()).filter(|id| modes[*id] == layout::MODE_COUNT as u8).collect();
    assert_eq!((modes.len(), counted), (12, vec![1, 11]));
}
