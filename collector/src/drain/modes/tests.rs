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
        resumes: false,
        counted: false,
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
        tool: "test".into(),
        plan: Digest(u64::from(start) + 1),
        placement: Placement::Main,
        module: None,
        ids: IdRange { start, len: 4 },
        has_roots: true,
        classes: vec![ManifestClass {
            name: "com/acme/Engine".into(),
            source: None,
            methods,
            calls: Default::default(),
        }],
        skips: Vec::new(),
        skip_counts: Default::default(),
        interfaces: Vec::new(),
        unfollowed: Default::default(),
    }
}

fn rule(trivial: bool, rules: &[&str]) -> CountRule {
    let list = rules.iter().map(|text| text.parse().unwrap()).collect();
    CountRule { trivial, rules: jfathom_plan::ProbeRules { list } }
}

fn with_probes(rules: &[&str]) -> CountRule {
    rule(true, &[&["com.acme.Engine::step=count"], rules].concat())
}

fn counted(rule: &CountRule) -> Vec<u32> {
    rule.choose(&manifest(10)).count.iter().map(|id| id.get()).collect()
}

#[test]
fn roots_are_never_counted() {
    assert_eq!(counted(&rule(true, &[])), [11]);
    assert_eq!(counted(&rule(false, &["com.acme.**=count"])), [11, 12]);
    assert!(counted(&rule(false, &["com.acme.Engine::run=count"])).is_empty());
}

#[test]
fn selectors_choose_and_leave_out() {
    assert!(counted(&CountRule::default()).is_empty());
    assert_eq!(counted(&rule(false, &["com.acme.Engine.step=count"])), [12]);
    let rules = ["com.acme.Engine=count", "com.acme.Engine::get*=time"];
    assert_eq!(counted(&rule(false, &rules)), [12]);
    assert_eq!(counted(&rule(true, &["com.acme.Engine::step()I=count"])), [11, 12]);
    assert!(counted(&rule(false, &["org.other.*=count"])).is_empty());
}

#[test]
fn rules_of_probes_have_precedence() {
    let chosen = |rules: &[&str]| {
        let chosen = with_probes(rules).choose(&manifest(10));
        [chosen.count, chosen.timed, chosen.off]
            .map(|ids| ids.iter().map(|id| id.get()).collect::<Vec<_>>())
    };
    assert_eq!(chosen(&[]), [vec![11, 12], vec![], vec![]]);
    assert_eq!(chosen(&["com.acme.**=off"]), [vec![], vec![], vec![11, 12]]);
    let rules = ["com.acme.**=off", "com.acme.Engine::getSpeed=time"];
    assert_eq!(chosen(&rules), [vec![], vec![11], vec![12]]);
    assert_eq!(chosen(&["com.acme.Engine::step=time"]), [vec![11], vec![12], vec![]]);
}

#[test]
fn what_is_off_before_the_jvm_starts_is_counted_if_it_is_known_late() {
    let rule = with_probes(&["com.acme.Engine::getSpeed=off"]);
    let late = InitialModes::from_manifest(&manifest(10), &rule);
    let ids = |ids: &[MethodId]| ids.iter().map(|id| id.get()).collect::<Vec<_>>();
    assert_eq!(ids(&late.count), [12, 11]);
}

/// Of a root as well, though roots have them in any case.
#[test]
fn methods_whose_latency_is_kept_are_watched() {
    let rules = ["com.acme.Engine::*=time+latency", "com.acme.Engine::step=time"];
    let modes = InitialModes::from_manifest(&manifest(10), &rule(true, &rules));
    let ids: Vec<u32> = modes.watched.iter().map(|id| id.get()).collect();
    assert_eq!(ids, [10, 11, 13]);
}

/// Intervals have places in the order of the rules. Roots are walked and stay timed.
#[test]
fn walks_have_places_in_the_table_of_intervals() {
    let rules = ["com.acme.Engine::getSpeed=count+stack/7", "com.acme.Engine::run=time+stack/300"];
    let chosen = with_probes(&rules).choose(&manifest(10));
    let place = |at| StackIntervalIx::new(at).unwrap();
    let walked: Vec<_> = chosen.walked.iter().map(|(id, place)| (id.get(), *place)).collect();
    assert_eq!(walked, [(10, place(1)), (11, place(0))]);
    assert!(chosen.timed.is_empty());
    let temp = tempfile::tempdir().unwrap();
    let source = |seen: &ManifestRef| Ok(manifest(seen.ids.start).to_json());
    let library = ManifestLibrary::new(temp.path(), &source, false);
    let seen = ManifestRef {
        ids: IdRange { start: 0, len: 4 },
        plan: manifest(0).plan.to_string(),
        place: "0".to_owned(),
    };
    let options = RecordOptions {
        manifests: vec![seen],
        count: with_probes(&rules),
        ..RecordOptions::default()
    };
    write(temp.path(), &options, &library).unwrap();
    let read = |name: &str| std::fs::read(temp.path().join(name));
    // A root at the second place, a counted method at the first one, and one that is counted alone.
    assert_eq!(read(MODES_FILE).unwrap(), [0x88, 0x81, 1]);
    assert_eq!(read(STACK_INTERVALS_FILE).unwrap(), [7, 0, 0, 0, 44, 1, 0, 0]);
    let options = RecordOptions { roots_only: true, ..options };
    std::fs::remove_file(temp.path().join(STACK_INTERVALS_FILE)).unwrap();
    write(temp.path(), &options, &library).unwrap();
    assert_eq!(read(MODES_FILE).unwrap(), [0, 2, 2]);
    assert!(read(STACK_INTERVALS_FILE).is_err());
}

/// Of a root as well, though roots read in any case.
#[test]
fn methods_that_read_have_a_file() {
    let temp = tempfile::tempdir().unwrap();
    let source = |seen: &ManifestRef| Ok(manifest(seen.ids.start).to_json());
    let library = ManifestLibrary::new(temp.path(), &source, false);
    let seen = ManifestRef {
        ids: IdRange { start: 6, len: 4 },
        plan: manifest(6).plan.to_string(),
        place: "6".to_owned(),
    };
    let rules = ["com.acme.Engine::*=time+alloc", "com.acme.Engine::step=time"];
    let options = RecordOptions {
        manifests: vec![seen],
        count: with_probes(&rules),
        ..RecordOptions::default()
    };
    write(temp.path(), &options, &library).unwrap();
    // 6, 7 and 9.
    assert_eq!(std::fs::read(temp.path().join(READING_FILE)).unwrap(), [0b1100_0000, 0b10]);
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
    assert!(!temp.path().join(ROOTS_ONLY_FILE).exists());
    let off = with_probes(&["com.acme.Engine::step=off"]);
    write(temp.path(), &options(&[seen(0, &plan(0))], off), &library).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), [0, 1, 2]);
    assert!(!temp.path().join(ROOTS_ONLY_FILE).exists(), "some are off, the others are recorded");
    let roots_only =
        RecordOptions { roots_only: true, ..options(&[seen(0, &plan(0))], CountRule::default()) };
    write(temp.path(), &roots_only, &library).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), [0, 2, 2]);
    assert!(temp.path().join(ROOTS_ONLY_FILE).exists());
}
