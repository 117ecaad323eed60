//! Programs found by their class paths, and what they run with.

use super::*;
use crate::{
    fixture::jar,
    progress::Silent,
    reach::Reach,
    rewrite::{RewriteRequest, RootsOnlyOptions, RootsOnlyUnavailable, rewrite},
    selection::Selection,
};
use jfathom_plan::Selector;
use std::fs;
use tempfile::TempDir;

/// `a.jar` and `b.jar`, both rewritten into `out`.
struct Outputs {
    folder: TempDir,
}

impl Outputs {
    fn new(placement: Option<Placement>, root: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let selection = Selection {
            inputs: ["a/A", "b/B"].map(|name| jar(folder.path(), name)).into(),
            roots: root.iter().map(|root| root.parse().unwrap()).collect(),
            reach: Reach::Total,
            placement,
            ..Selection::default()
        };
        let (selection, output) = (&selection, folder.path().join("out"));
        let (id_base, force, check) = (None, false, false);
        let request = RewriteRequest { selection, output: &output, id_base, force, check };
        rewrite(&request, &Silent).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// The program with this class path.
    fn program(&self, entries: &[&str]) -> RewrittenProgram {
        let entries: Vec<PathBuf> = entries.iter().map(|entry| self.path(entry)).collect();
        RewrittenProgram::find(&[], entries.iter().map(PathBuf::as_path)).unwrap()
    }
}

fn selectors(texts: &[&str]) -> Vec<Selector> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn outputs_are_found_by_entries_and_by_name() {
    let outputs = Outputs::new(None, None);
    for entries in [&["out/a.jar"][..], &["out/*"], &["out"], &["out/a.jar", "out/b.jar", "none"]] {
        let files: Vec<PathBuf> = outputs.program(entries).files().map(|(path, _)| path).collect();
        assert_eq!(files, [outputs.path("out/a.jar"), outputs.path("out/b.jar")], "{entries:?}");
    }
    assert_eq!(outputs.program(&["a.jar", "no/such.jar"]).files().count(), 0);
    let named = |name: &str| RewrittenProgram::find(&[outputs.path(name)], []);
    assert_eq!(named("out").unwrap().files().count(), 2);
    let error = named("none").unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("nothing was rewritten"), "{error}");
}

#[test]
fn manifests_outside_the_main_jar_are_hidden_from_the_runtime() {
    let main = Outputs::new(None, None);
    assert_eq!(main.program(&["out/a.jar"]).hidden_manifests().unwrap(), None);
    for root in [None, Some("a.A::run")] {
        let boot = Outputs::new(Some(Placement::Boot), root);
        let program = boot.program(&["out/a.jar"]);
        let hidden = program.hidden_manifests().unwrap().unwrap();
        assert_eq!((hidden.ids_end, hidden.has_roots), (2, root.is_some()));
        assert_eq!(program.has_roots().unwrap(), root.is_some());
        assert_eq!(hidden.files.len(), 2);
        let (_, file) = &hidden.files[1];
        let read = |plan: &str| program.read_manifest(file.ids, plan, 1 << 20);
        let bytes = read(&file.plan.to_string()).unwrap();
        assert!(String::from_utf8(bytes).unwrap().contains("b/B"));
        assert_eq!(read("another plan"), None);
    }
}

#[test]
fn flags_depend_on_placement_and_jvm() {
    let flags = |placement, run: &Run| {
        Outputs::new(placement, None).program(&["out/a.jar"]).flags(run).unwrap()
    };
    let modern = Run { java: Some(25), ..Run::default() };
    assert!(flags(None, &Run::default()).is_empty());
    let native = "--enable-native-access=ALL-UNNAMED".to_owned();
    assert!(flags(None, &modern).contains(&native));
    let granted = Run { native_access: true, ..modern };
    assert!(!flags(None, &granted).contains(&native));
    let boot = flags(Some(Placement::Boot), &Run::default());
    assert!(boot.iter().any(|flag| flag.starts_with("-Xbootclasspath/a:")), "{boot:?}");
}

#[test]
fn roots_only_files_lie_in_new_folders_until_they_are_dropped() {
    let outputs = Outputs::new(None, Some("a.A::run"));
    let program = outputs.program(&["out/*"]);
    let options = RootsOnlyOptions { hand_offs: true, check: true };
    let roots_only = program.rewrite_roots_only(options).unwrap().unwrap();
    let moved = roots_only.new_path(&outputs.path("out/a.jar")).unwrap();
    assert!(moved.is_file() && !moved.starts_with(outputs.path("out")), "{}", moved.display());
    let wildcard = roots_only.new_path(&outputs.path("out/*")).unwrap();
    assert_eq!(wildcard, moved.with_file_name("*"));
    assert_eq!(roots_only.new_path(&outputs.path("a.jar")), None);
    let (used, other) = (outputs.path("out/a.jar"), outputs.path("a.jar"));
    assert_eq!(roots_only.unused_output(&[&used]), None);
    assert_eq!(roots_only.unused_output(&[&other]), Some(&*outputs.path("out")));
    assert_eq!(roots_only.folders_in_use().count(), 0);
    drop(roots_only);
    assert!(!moved.exists());
}

#[test]
fn roots_only_files_need_their_sources() {
    let outputs = Outputs::new(None, Some("a.A::run"));
    fs::write(outputs.path("a.jar"), "changed").unwrap();
    let options = RootsOnlyOptions { hand_offs: true, check: false };
    let made = outputs.program(&["out/*"]).rewrite_roots_only(options).unwrap();
    assert!(
        matches!(&made, Err(RootsOnlyUnavailable::Source(path)) if path.ends_with("a.jar")),
        "{made:?}"
    );
}

#[test]
fn selectors_must_match_a_method_of_the_manifests() {
    let outputs = Outputs::new(None, None);
    let program = outputs.program(&["out/*"]);
    let refused = |texts: &[&str]| {
        let error = program.require_methods("--probe", &selectors(texts)).unwrap_err();
        assert!(error.is_usage());
        error.to_string()
    };
    program.require_methods("--probe", &selectors(&["a.A", "b.B::run"])).unwrap();
    assert!(refused(&["a.A::runs"]).contains("--probe a.A::runs"));
    assert!(refused(&["a.A", "!a.A"]).contains("--probe a.A matches only excluded methods"));
    let nothing = RewrittenProgram::default();
    let error = nothing.require_methods("--probe", &selectors(&["a.A"])).unwrap_err();
    assert!(error.to_string().contains("--rewritten"), "{error}");
}
