//! Faults in what was rewritten, planted between the rewriter and the file.

use super::{
    RewriteOutcome, RewriteRequest, RootsOnlyOptions, RootsOnlyUnavailable,
    input::{Change, as_rewritten},
    rewrite_with,
    roots_only::rewrite_roots_only_with,
};
use crate::{
    fixture::{ICONST_3, POP, jar},
    progress::Silent,
    reach::Reach,
    runtimes::{class_file, our_class},
    selection::Selection,
    sidecar::Sidecar,
};
use jfathom_archive::{Input, NewEntry, create_jar};
use jfathom_testkit::without_methods;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

const ICONST_4: u8 = 0x07;

/// In `b.B` the method pushes another number than its original.
fn change_b(name: &str, mut class: Vec<u8>) -> Vec<u8> {
    if name == "b/B" {
        let at = class
            .windows(2)
            .position(|code| code == [ICONST_3, POP])
            .expect("the original's code is there");
        class[at] = ICONST_4;
    }
    class
}

/// Two jars, and the directory for their outputs.
struct World {
    folder: TempDir,
    jars: Vec<PathBuf>,
    out: PathBuf,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let jars = ["a/A", "b/B"].map(|name| jar(folder.path(), name)).into();
        let out = folder.path().join("out");
        Self { folder, jars, out }
    }

    fn rewrite(&self, options: Options, change: Change) -> Option<String> {
        let Options { check, force, root } = options;
        let selection = Selection {
            inputs: self.jars.clone(),
            roots: root.iter().map(|root| root.parse().unwrap()).collect(),
            reach: if root.is_some() { Reach::Total } else { Reach::Rta },
            ..Selection::default()
        };
        let (selection, output) = (&selection, &*self.out);
        let request = RewriteRequest { selection, output, id_base: None, force, check };
        match rewrite_with(&request, &Silent, change).unwrap() {
            RewriteOutcome::Written(_) => None,
            RewriteOutcome::Faults(faults) => Some(faults.to_string()),
        }
    }
}

#[derive(Default)]
struct Options {
    check: bool,
    force: bool,
    root: Option<&'static str>,
}

/// All files below a folder with their contents, by path.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

#[track_caller]
fn assert_named(message: &str, jar: &Path, method: &str) {
    assert!(message.starts_with("the check found 1 fault in what was rewritten\n"), "{message}");
    let place = format!("{}!b/B.class: method {method}: bci ", jar.display());
    assert!(message.contains(&place) && message.contains("iconst_3"), "{message}");
}

#[test]
fn a_fault_in_one_output_leaves_all_as_they_were() {
    let world = World::new();
    let check = || Options { check: true, ..Options::default() };
    let faults = world.rewrite(check(), change_b).expect("the fault is found");
    assert_named(&faults, &world.out.join("b.jar"), "run()V");
    assert_eq!(files(&world.out), [], "nothing is written where nothing was");

    assert_eq!(world.rewrite(check(), as_rewritten), None);
    let right = files(&world.out);
    assert!(right.iter().any(|(path, _)| path.ends_with("b.jar")), "{right:?}");
    let forced = Options { force: true, ..check() };
    let faults = world.rewrite(forced, change_b).expect("the fault is found");
    assert_named(&faults, &world.out.join("b.jar"), "run()V");
    assert!(files(&world.out) == right, "something was replaced, or left behind");

    let unchecked = Options { force: true, ..Options::default() };
    assert_eq!(world.rewrite(unchecked, change_b), None);
    assert!(files(&world.out) != right, "the fault was not planted");
}

#[test]
fn a_fault_in_roots_only_files_is_found() {
    let world = World::new();
    let rooted = Options { check: true, root: Some("*.*::run"), ..Options::default() };
    assert_eq!(world.rewrite(rooted, as_rewritten), None);
    let sidecar = Sidecar::read(&world.out).unwrap();
    let roots_only = |to: &str, check, hand_offs, change| {
        let to = world.folder.path().join(to);
        fs::create_dir(&to).unwrap();
        let options = RootsOnlyOptions { hand_offs, check };
        (rewrite_roots_only_with(&world.out, &sidecar, &to, options, change).unwrap(), to)
    };
    for (number, hand_offs) in [false, true].into_iter().enumerate() {
        let (made, _) = roots_only(&format!("right{number}"), true, hand_offs, as_rewritten);
        assert_eq!(made.expect("nothing is wrong").files.len(), 2);
        let (made, to) = roots_only(&format!("wrong{number}"), true, hand_offs, change_b);
        let Err(RootsOnlyUnavailable::Faults(faults)) = made else {
            panic!("the fault is not found")
        };
        assert_named(&faults.to_string(), &to.join("b.jar"), "run()V");
    }
    let (made, _) = roots_only("unchecked", false, false, change_b);
    assert!(made.is_ok(), "no check was requested");
}

#[test]
fn files_with_an_older_runtime_beside_new_ones_are_named() {
    let world = World::new();
    let remarks = |jar: &PathBuf, force| {
        let selection = Selection { inputs: vec![jar.clone()], ..Selection::default() };
        let (selection, output) = (&selection, &*world.out);
        let request = RewriteRequest { selection, output, id_base: None, force, check: false };
        match rewrite_with(&request, &Silent, as_rewritten).unwrap() {
            RewriteOutcome::Written(done) => done.remarks,
            RewriteOutcome::Faults(faults) => panic!("{faults}"),
        }
    };
    assert_eq!(remarks(&world.jars[0], false), Vec::<String>::new());
    assert_eq!(remarks(&world.jars[1], false), Vec::<String>::new());
    let class = without_methods(our_class().unwrap(), "handleAny");
    let older = create_jar(&[NewEntry::new(class_file(), class)]).unwrap();
    fs::write(world.out.join("a.jar"), older).unwrap();
    let said = remarks(&world.jars[1], true);
    assert!(
        said.len() == 1 && said[0].contains("a.jar: has the runtime of an earlier"),
        "{said:?}"
    );
    assert_eq!(remarks(&world.jars[0], true), Vec::<String>::new(), "it is written again");
}

/// Jars that are rewritten one by one into one directory, and name each other.
#[test]
fn what_an_earlier_run_has_written_is_kept() {
    let world = World::new();
    let [a, b] = &world.jars[..] else { panic!("two jars") };
    let class = Input::open(a).unwrap().read("a/A.class").unwrap().unwrap();
    let manifest = "Manifest-Version: 1.0\r\nClass-Path: b.jar\r\n\r\n";
    let entries =
        [NewEntry::new("META-INF/MANIFEST.MF", manifest), NewEntry::new("a/A.class", class)];
    fs::write(a, create_jar(&entries).unwrap()).unwrap();
    let written = |input: &PathBuf, skip_trivial: bool| {
        let selection =
            Selection { inputs: vec![input.clone()], skip_trivial, ..Default::default() };
        let (output, id_base) = (&*world.out, None);
        let request =
            RewriteRequest { selection: &selection, output, id_base, force: false, check: true };
        match rewrite_with(&request, &Silent, as_rewritten).map_err(|error| error.to_string())? {
            RewriteOutcome::Written(done) => Ok((done.files.len(), done.kept)),
            RewriteOutcome::Faults(faults) => Err(faults.to_string()),
        }
    };
    let out = |name: &str| world.out.join(name);
    assert_eq!(written(a, false), Ok((2, vec![])));
    assert_eq!(written(b, false), Ok((1, vec![])), "it lacks the runtime, and is named now");
    assert_eq!(written(b, false), Ok((0, vec![out("b.jar")])));
    fs::remove_file(out("a.jar")).unwrap();
    assert_eq!(written(a, false), Ok((1, vec![out("b.jar")])));
    let ids: Vec<_> =
        Sidecar::read(&world.out).unwrap().files.iter().map(|f| f.ids.start).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");

    let refused = |written: Result<_, String>| written.is_err_and(|text| text.contains("--force"));
    assert!(refused(written(b, true)), "other options");
    fs::copy(out("a.jar"), out("b.jar")).unwrap();
    assert!(refused(written(b, false)), "another output");
    fs::remove_file(out("b.jar")).unwrap();
    assert_eq!(written(b, false), Ok((1, vec![])));
    fs::copy(a, b).unwrap();
    assert!(refused(written(b, false)), "another source");
}
