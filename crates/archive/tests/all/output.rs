//! Where output goes, where it must not go, and what is left when something stops a rewrite.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::raw::{Shape, build, stored};
use crate::common::*;
use jfathom_archive::{
    Additions, Destination, Error, ErrorKind, Input, Limits, ManifestEdit, NewEntry, Notice,
    Outcome, destinations, open_all, prepare, rewrite,
};

fn jar() -> Vec<u8> {
    make_zip(&[("A.class", DEFLATED, b"a")])
}

fn change(input: &Input, to: &Destination) -> Result<Outcome, Error> {
    rewrite(input, to, &threads(2), change_all, |_| Additions::none())
}

#[test]
fn the_input_is_never_the_output() {
    let dir = Dir::new();
    let path = dir.file("a.jar", &jar());
    symlink(&path, dir.path("link.jar")).unwrap();
    fs::hard_link(&path, dir.path("hard.jar")).unwrap();
    symlink(dir.dir.path(), dir.path("loop")).unwrap();
    let input = Input::open(&path).unwrap();
    for output in ["a.jar", "link.jar", "hard.jar", "loop/a.jar", "./x/../a.jar"] {
        if output.contains("..") {
            fs::create_dir(dir.path("x")).unwrap();
        }
        let e = change(&input, &Destination::whole(dir.path(output)).force(true)).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::OutputIsInput { .. }), "{output}: {e}");
        assert!(e.is_usage());
    }
    assert!(fs::read(&path).unwrap() == jar());
}

#[test]
fn an_output_is_replaced_only_by_force() {
    let dir = Dir::new();
    let input = Input::open(dir.file("a.jar", &jar())).unwrap();
    let to = Destination::whole(dir.file("out/a.jar", b"old"));
    let e = change(&input, &to).unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::OutputExists { .. }) && e.to_string().contains("--force"),
        "{e}"
    );
    assert_eq!(fs::read(&to.path).unwrap(), b"old");
    change(&input, &to.clone().force(true)).unwrap();
    assert_eq!(content(&read_zip(&fs::read(&to.path).unwrap()), "A.class"), changed(b"a"));
    fs::create_dir(dir.path("folder")).unwrap();
    let e = change(&input, &Destination::whole(dir.path("folder")).force(true)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::OutputHoldsOther { .. }), "{e}");
}

/// What is prepared can be read, and dropped as if nothing had been done: jars and directories
/// alike.
#[test]
fn what_is_prepared_takes_no_place_before_it_is_committed() {
    let dir = Dir::new();
    dir.file("classes/A.class", b"a");
    let jar_to = Destination::whole(dir.file("out/a.jar", b"old")).force(true);
    dir.file("out/classes/A.class", b"old");
    let classes_to = Destination::whole(dir.path("out/classes")).force(true);
    let inputs =
        [dir.file("a.jar", &jar()), dir.path("classes")].map(|path| Input::open(path).unwrap());
    let both = || {
        let pairs = inputs.iter().zip([&jar_to, &classes_to]);
        let all = pairs.map(|(input, to)| {
            prepare(input, to, &threads(2), change_all, |_| Additions::none()).unwrap()
        });
        all.collect::<Vec<_>>()
    };
    let prepared = both();
    assert_eq!(
        content(&read_zip(&fs::read(prepared[0].path()).unwrap()), "A.class"),
        changed(b"a")
    );
    assert_eq!(fs::read(prepared[1].path().join("A.class")).unwrap(), changed(b"a"));
    assert_eq!(
        prepared.iter().map(|ready| ready.outcome().counts.changed).collect::<Vec<_>>(),
        [1, 1]
    );
    let old = || {
        [dir.path("out/a.jar"), dir.path("out/classes/A.class")].map(|path| fs::read(path).unwrap())
    };
    assert_eq!(old(), [b"old", b"old"]);
    drop(prepared);
    assert_eq!(old(), [b"old", b"old"]);
    assert_eq!(fs::read_dir(dir.path("out")).unwrap().count(), 2, "nothing temporary is left");
    for ready in both() {
        ready.commit().unwrap();
    }
    assert_ne!(old()[0], b"old");
    assert_eq!(old()[1], changed(b"a"));
}

#[test]
fn permissions_are_taken_over() {
    let dir = Dir::new();
    let path = dir.file("run.jar", &jar());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    let to = Destination::whole(dir.path("out.jar"));
    change(&Input::open(&path).unwrap(), &to).unwrap();
    assert_eq!(fs::metadata(&to.path).unwrap().permissions().mode() & 0o777, 0o750);
}

#[test]
fn destinations_are_checked_against_all_inputs() {
    let dir = Dir::new();
    let open = |name: &str| Input::open(dir.path(name)).unwrap();
    for name in ["a/x.jar", "b/x.jar", "c/y.jar"] {
        dir.file(name, &jar());
    }
    dir.file("classes/A.class", b"a");
    let made = destinations(
        &[open("a/x.jar"), open("c/y.jar"), open("classes")],
        &dir.path("out"),
        |_| false,
    )
    .unwrap();
    let paths: Vec<_> = made.iter().map(|d| d.path.clone()).collect();
    assert_eq!(paths, ["out/x.jar", "out/y.jar", "out/classes"].map(|p| dir.path(p)));

    let e =
        destinations(&[open("a/x.jar"), open("b/x.jar")], &dir.path("out"), |_| false).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::SameOutput { .. }), "{e}");
    assert!(e.to_string().contains("a/x.jar") && e.to_string().contains("b/x.jar"), "{e}");
    let e =
        destinations(&[open("a/x.jar"), open("c/y.jar")], &dir.path("c"), |_| true).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::OutputIsInput { .. }), "{e}");
    let e = destinations(&[open("a/x.jar"), open("classes")], &dir.path("classes/out"), |_| false)
        .unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::OutputOverlapsInput { .. }), "{e}");
}

#[test]
fn links_lead_to_the_output_and_never_out_of_it() {
    let dir = Dir::new();
    dir.file(
        "app.jar",
        &make_zip(&[("META-INF/MANIFEST.MF", STORED, b"Class-Path: lib/x.jar\n\n")]),
    );
    dir.file("lib/x.jar", &jar());
    let paths = [dir.path("app.jar"), dir.path("lib/x.jar")];
    let write = |force| -> Result<(), Error> {
        let inputs = open_all(&paths, true, &Limits::default())?.inputs;
        let made = destinations(&inputs, &dir.path("out"), |_| force)?;
        inputs.iter().zip(&made).try_for_each(|(input, to)| change(input, to).map(drop))
    };
    write(false).unwrap();
    assert_eq!(fs::read_link(dir.path("out/x.jar")).unwrap(), Path::new("lib/x.jar"));
    assert_eq!(
        content(&read_zip(&fs::read(dir.path("out/x.jar")).unwrap()), "A.class"),
        changed(b"a")
    );

    // What an earlier run left is replaced, be it a link or a file; a directory is not.
    assert!(matches!(write(false).unwrap_err().kind(), ErrorKind::OutputExists { .. }));
    write(true).unwrap();
    fs::remove_file(dir.path("out/x.jar")).unwrap();
    fs::write(dir.path("out/x.jar"), "old").unwrap();
    write(true).unwrap();
    assert_eq!(list(&dir.path("out")).len(), 3);
    fs::remove_file(dir.path("out/x.jar")).unwrap();
    fs::create_dir(dir.path("out/x.jar")).unwrap();
    assert!(matches!(write(true).unwrap_err().kind(), ErrorKind::OutputHoldsOther { .. }));
    fs::remove_dir(dir.path("out/x.jar")).unwrap();

    fs::rename(dir.path("out/lib"), dir.path("elsewhere")).unwrap();
    symlink(dir.path("elsewhere"), dir.path("out/lib")).unwrap();
    let e = write(true).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::OutputLeadsOut { .. }) && e.is_usage(), "{e}");
}

#[test]
fn of_a_directory_plain_files_alone_are_taken() {
    let dir = Dir::new();
    dir.file("classes/A.class", b"a");
    for pipe in ["a.class", "pipe"] {
        let made =
            std::process::Command::new("mkfifo").arg(dir.path("classes").join(pipe)).status();
        assert!(made.expect("mkfifo").success());
    }
    for (link, target) in [("zero", "/dev/zero"), ("proc", "/proc/self"), ("self", ".")] {
        symlink(target, dir.path("classes").join(link)).unwrap();
    }
    let input = Input::open(dir.path("classes")).unwrap();
    let names: Vec<_> = input.names().map(|n| n.to_string()).collect();
    assert_eq!(names, ["A.class"]);
    let left_out: Vec<_> =
        input.notices().iter().map(|n| n.location().inside()[0].to_string()).collect();
    assert!(input.notices().iter().all(|n| matches!(n, Notice::LeftOut { .. })));
    assert_eq!(left_out, ["a.class", "pipe", "proc", "self", "zero"]);
    let to = Destination::whole(dir.path("out/classes"));
    rewrite(&input, &to, &threads(1), keep_all, |_| Additions::default()).unwrap();
    let written: Vec<_> = fs::read_dir(dir.path("out/classes")).unwrap().collect();
    assert_eq!(written.len(), 1);
}

#[test]
fn links_between_folders_end_at_the_limit() {
    let dir = Dir::new();
    let folders = ["a", "b", "c", "d", "e", "f"];
    for folder in folders {
        fs::create_dir_all(dir.path("classes").join(folder)).unwrap();
        for other in folders.iter().filter(|other| **other != folder) {
            let link = dir.path("classes").join(folder).join(other);
            symlink(format!("../{other}"), link).unwrap();
        }
    }
    let limits = jfathom_archive::Limits { entries: 100, ..Default::default() };
    let error = Input::open_with(dir.path("classes"), &limits).map(drop).unwrap_err();
    assert!(matches!(error.kind(), jfathom_archive::ErrorKind::Limit { .. }), "{error}");
}

#[test]
fn a_class_directory_is_written_again() {
    let dir = Dir::new();
    let inner = jar();
    dir.file("classes/a/A.class", b"a");
    dir.file("classes/a/b/readme", b"text");
    dir.file("classes/lib/i.jar", &inner);
    dir.file("classes/META-INF/MANIFEST.MF", b"A: b\n\n");
    fs::create_dir_all(dir.path("classes/empty/folder")).unwrap();
    symlink(dir.path("classes/a"), dir.path("classes/linked")).unwrap();
    symlink(dir.path("nowhere"), dir.path("classes/dangling")).unwrap();
    let input = Input::open(dir.path("classes")).unwrap();
    assert!(matches!(input.notices(), [Notice::LeftOut { .. }]), "{:?}", input.notices());
    let names: Vec<_> = input.names().map(|n| n.to_string()).collect();
    let files = [
        "META-INF/MANIFEST.MF",
        "a/A.class",
        "a/b/readme",
        "lib/i.jar",
        "linked/A.class",
        "linked/b/readme",
    ];
    assert_eq!(names, files);

    let to = Destination::whole(dir.path("out/classes"));
    let additions = || Additions {
        entries: vec![NewEntry::new("r/R.class", "r")],
        manifest: vec![ManifestEdit::set("C", "d")],
    };
    let outcome = rewrite(&input, &to, &threads(2), change_all, |_| additions()).unwrap();
    assert_eq!(outcome.counts.changed, 3);
    let read = |name: &str| fs::read(to.path.join(name)).unwrap();
    assert_eq!(read("a/A.class"), changed(b"a"));
    assert_eq!(read("linked/A.class"), changed(b"a"));
    assert_eq!(read("a/b/readme"), b"text");
    assert_eq!(read("r/R.class"), b"r");
    assert_eq!(read("META-INF/MANIFEST.MF"), b"A: b\nC: d\r\n\n");
    assert_eq!(content(&read_zip(&read("lib/i.jar")), "A.class"), changed(b"a"));
    assert!(to.path.join("empty/folder").is_dir());
    assert_eq!(list(&dir.path("out")).len(), files.len() + 1);
    let times = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(times(&dir.path("classes/a/b/readme")), times(&to.path.join("a/b/readme")));

    // An output of an earlier run is replaced, with the files that only it had.
    assert!(rewrite(&input, &to, &threads(1), keep_all, |_| additions()).is_err());
    fs::write(to.path.join("a/Old.class"), b"old").unwrap();
    rewrite(&input, &to.clone().force(true), &threads(1), keep_all, |_| additions()).unwrap();
    assert_eq!(read("a/A.class"), b"a");
    assert_eq!(list(&dir.path("out")).len(), files.len() + 1);
}

#[test]
fn a_directory_with_other_files_is_not_replaced() {
    let dir = Dir::new();
    dir.file("classes/A.class", b"a");
    let input = Input::open(dir.path("classes")).unwrap();
    dir.file("home/A.class", b"old");
    let to = Destination::whole(dir.path("home")).force(true);
    change(&input, &to).unwrap();
    dir.file("home/diary.txt", b"dear diary");
    let additions = || Additions { entries: vec![NewEntry::new("ours", "")], manifest: vec![] };
    for add in [false, true] {
        let finish = |_: &jfathom_archive::ContainerCounts| {
            if add { additions() } else { Additions::none() }
        };
        let e = rewrite(&input, &to, &threads(1), change_all, finish).unwrap_err();
        assert!(e.to_string().contains("diary.txt"), "{e}");
    }
    assert_eq!(list(dir.dir.path()), ["classes/A.class", "home/A.class", "home/diary.txt"]);
}

#[test]
fn a_patch_directory_holds_only_what_changed_and_stays_inside() {
    let names = [
        "a/A.class",
        "../up.class",
        "/abs.class",
        "a/../../up.class",
        "a\\b.class",
        "b/Keep.class",
        "c",
    ];
    let entries: Vec<_> = names.iter().map(|n| stored(*n, n.as_bytes())).collect();
    let dir = Dir::new();
    let input = Input::open(dir.file("a.jar", &build(&entries, &Shape::default()))).unwrap();
    let change =
        |e: &jfathom_archive::Entry<'_>, b: &[u8]| match e.name().to_string().contains("Keep") {
            true => keep_all(e, b),
            false => change_all(e, b),
        };
    let to = Destination::patch(dir.path("deep/er/out"));
    let additions = Additions { entries: vec![NewEntry::new("r/R.class", "r")], manifest: vec![] };
    let outcome = rewrite(&input, &to, &threads(2), change, |_| additions).unwrap();
    assert_eq!(list(dir.dir.path()), ["a.jar", "deep/er/out/a/A.class", "deep/er/out/r/R.class"]);
    let places: Vec<_> = outcome
        .notices
        .iter()
        .map(|n| (matches!(n, Notice::UnsafeName { .. }), n.to_string()))
        .collect();
    assert_eq!(places.len(), 4);
    assert!(places.iter().all(|(is_unsafe, _)| *is_unsafe), "{places:?}");

    let escape = Additions { entries: vec![NewEntry::new("../x", "r")], manifest: vec![] };
    let e = rewrite(&input, &Destination::patch(dir.path("o")), &threads(2), change, |_| escape)
        .unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::UnsafeName(_)), "{e}");
    assert!(!dir.path("o").exists() && !dir.path("x").exists());
}

#[test]
fn a_place_that_cannot_be_written_is_an_error() {
    let dir = Dir::new();
    let input = Input::open(dir.file("a.jar", &jar())).unwrap();
    let e = change(&input, &Destination::whole(dir.path("a.jar/b.jar"))).unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::Io { .. })
            && e.to_string().contains("a.jar/b.jar: cannot write"),
        "{e}"
    );
    assert!(change(&input, &Destination::whole("")).is_err());
    assert!(change(&input, &Destination::whole("/")).is_err());
    assert!(change(&input, &Destination::whole(dir.path("x/.."))).is_err());
}

#[test]
fn a_callback_that_panics_leaves_nothing() {
    let dir = Dir::new();
    let input = Input::open(dir.file("a.jar", &jar())).unwrap();
    let to = Destination::whole(dir.path("out.jar"));
    let run =
        || rewrite(&input, &to, &threads(2), |_, _| panic!("on purpose"), |_| Additions::none());
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    assert_eq!(list(dir.dir.path()), ["a.jar"]);
}

const CHILD: &str = "JFATHOM_TEST_STOPS_IN";

/// Not a test of its own: the process that `a_killed_rewrite_leaves_no_half_output` kills.
#[test]
fn stops_in_the_middle() {
    let Some(dir) = std::env::var_os(CHILD) else { return };
    let dir = Path::new(&dir);
    for (from, to) in [("a.jar", "out/a.jar"), ("classes", "out/classes")] {
        let input = Input::open(dir.join(from)).unwrap();
        let stop = |_: &jfathom_archive::Entry<'_>, _: &[u8]| -> jfathom_archive::Replace {
            println!("\nstopped");
            // The parent kills this process; should the parent die first, this input ends.
            std::io::stdin().lines().for_each(drop);
            std::process::exit(3);
        };
        if std::env::var_os(format!("{CHILD}_{from}")).is_some() {
            let _ = rewrite(&input, &Destination::whole(dir.join(to)), &threads(1), stop, |_| {
                Additions::none()
            });
        }
    }
}

#[test]
fn a_killed_rewrite_leaves_no_half_output() {
    for (from, output) in [("a.jar", "out/a.jar"), ("classes", "out/classes")] {
        let dir = Dir::new();
        dir.file("a.jar", &jar());
        dir.file("classes/A.class", b"a");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "output::stops_in_the_middle", "--nocapture"])
            .env(CHILD, dir.dir.path())
            .env(format!("{CHILD}_{from}"), "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "stopped"), "the child stops in its callback");
        let hidden = || -> Vec<_> {
            let names = fs::read_dir(dir.path("out"))
                .unwrap()
                .map(|e| e.unwrap().file_name().into_string().unwrap());
            names.filter(|n| n.starts_with('.')).collect()
        };
        assert!(!dir.path(output).exists());
        assert_eq!(hidden().len(), 1);

        // A run at the same time does not disturb the other's file.
        let input = Input::open(dir.path(from)).unwrap();
        let to = Destination::whole(dir.path(output)).force(true);
        change(&input, &to).unwrap();
        assert_eq!(hidden().len(), 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(hidden().len(), 1);
        change(&input, &to).unwrap();
        assert_eq!(hidden(), [""; 0]);
        assert!(dir.path(output).exists());
    }
}
