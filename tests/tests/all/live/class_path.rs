//! Class paths with things in them that the JVM passes over.

use super::{assert_work, live};
use jfathom_tests::{
    jdk,
    live::{Desk, classes},
    run, samples,
    tool::java,
};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
};

/// A class path of files that are no jars, and of a directory with a pipe and links without end.
fn odd_class_path(folder: &Path) -> String {
    let at = |name: &str| folder.join(name);
    fs::write(at("notes.txt"), "no zip\n").unwrap();
    fs::write(at("empty.jar"), "").unwrap();
    fs::write(at("cut.jar"), b"PK\x03\x04 and no end").unwrap();
    fs::create_dir(at("closed")).unwrap();
    fs::set_permissions(at("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::create_dir(at("odd")).unwrap();
    run::run(Command::new("mkfifo").arg(at("odd/a.class")).arg(at("pipe.jar"))).fine();
    for (link, target) in [("zero.class", "/dev/zero"), ("proc", "/proc/self"), ("self", ".")] {
        symlink(target, at("odd").join(link)).unwrap();
    }
    let names = ["notes.txt", "empty.jar", "none.jar", "cut.jar", "closed", "odd", "pipe.jar"];
    let mut entries: Vec<_> = names.iter().map(|name| at(name)).collect();
    entries.insert(2, classes().to_owned());
    std::env::join_paths(entries).unwrap().into_string().unwrap()
}

/// Launched and attached to: the JVM runs, and so do the recordings, which name what they could not
/// read.
#[test]
fn what_is_no_jar_is_named() {
    let folder = samples::temp_dir();
    let class_path = odd_class_path(folder.path());
    for jdk in jdk::main_and_25("odd class paths") {
        let words = ["-cp", &class_path, "live.Desk"];
        let recording = live(&["live.Work::root"]);
        let mut desk = Desk::of(recording.launching(jdk, &words));
        desk.expect("Work 10", "327");
        let passed = ["notes.txt: passed over", "empty.jar: passed over", "cut.jar: passed over"];
        let done = desk.finish().fine().says(&passed);
        assert_work(&recording.read(&done), &recording.lines(), 10);

        let mut command = java(jdk);
        command.args(words);
        let mut desk = Desk::of(command);
        // Its class is loaded, so that the root is live at once.
        desk.expect("Work 10", "327");
        let mut recording = live(&["live.Work::root"]).attach(desk.pid);
        recording.until_live();
        desk.expect("Work 10", "327");
        let lines = recording.lines();
        let (done, profile) = recording.end();
        done.says(&["notes.txt: passed over", "pipe.jar: passed over"]);
        assert_work(&profile, &lines, 10);
        desk.finish().fine();
    }
}
