//! Root records the JVM of another user, by a child that has that user's rights and no other.

use super::assert_work;
use crate::JFATHOM;
use jfathom_tests::{
    jdk::{self, Jdk},
    live::{Desk, Lines, Watched, classes, signal},
    run::HANG,
};
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A user whom no one else is, and groups of that one.
const USER: u32 = 54_321;
const GROUP: u32 = 54_322;
const GROUPS: &str = "54323,54324";
/// A `/tmp` for everybody, and places for the JVM and the classes `$0` and `$1`, which may lie
/// where only root comes.
const PLACE: &str = r#"mount -t tmpfs tmpfs /mnt && mkdir /mnt/jdk /mnt/app &&
mount --bind "$0" /mnt/jdk && mount --bind "$1" /mnt/app &&
mount -t tmpfs -o mode=1777 tmpfs /tmp && shift && exec "$@""#;
/// The program there.
const PROGRAM: [&str; 4] = ["/mnt/jdk/bin/java", "-cp", "/mnt/app", "live.Desk"];

/// A command with the rights of that user.
fn as_user(words: &[&str]) -> Vec<String> {
    let rights = [
        "setpriv".to_owned(),
        format!("--reuid={USER}"),
        format!("--regid={GROUP}"),
        format!("--groups={GROUPS}"),
        "--inh-caps=-all".to_owned(),
    ];
    rights.into_iter().chain(words.iter().map(|word| (*word).to_owned())).collect()
}

fn is_fine(words: &[String]) -> bool {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The program as that user; none if that cannot be had here.
fn desk(jdk: &Jdk) -> Option<Desk> {
    let words = |program: &[&str]| {
        let place = ["unshare", "--mount", "sh", "-c", PLACE];
        let places = [jdk.home.to_str().unwrap(), classes().to_str().unwrap()];
        let outside = place.iter().chain(&places).map(|word| (*word).to_owned());
        outside.chain(as_user(program)).collect::<Vec<String>>()
    };
    if !is_fine(&words(&["test", "-r", "/mnt/app/live/Desk.class"])) {
        println!("skipped: this process cannot be another user, or make a mount namespace");
        return None;
    }
    // The namespace has a folder of its own there.
    if Path::new(JFATHOM.0).starts_with("/tmp") {
        println!("skipped: jfathom lies in /tmp, which the namespace does not show");
        return None;
    }
    let words = words(&PROGRAM);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir("/").env_remove("JAVA_TOOL_OPTIONS");
    let mut desk = Desk::of(command);
    // The root's class is loaded.
    desk.expect("Work 10", "327");
    Some(desk)
}

/// The words of a line of `/proc/PID/status`.
fn status(pid: u32, name: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Holds that a file is that user's, with this mode.
fn assert_mode(path: &Path, mode: u32) {
    let meta = fs::symlink_metadata(path).unwrap();
    let found = (meta.uid(), meta.gid(), meta.mode() & 0o7777);
    assert_eq!(found, (USER, GROUP, mode), "{}", path.display());
}

/// Holds that a directory and its files are that user's alone.
fn assert_own(directory: &Path) {
    assert_mode(directory, 0o700);
    let files: Vec<_> = fs::read_dir(directory).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() > 1, "{files:?}");
    for file in files {
        let meta = fs::symlink_metadata(&file).unwrap();
        if meta.is_symlink() {
            assert_eq!((meta.uid(), meta.gid()), (USER, GROUP), "{}", file.display());
            continue;
        }
        // The clock's library is executed.
        let mode = if file.extension().is_some_and(|end| end == "so") { 0o500 } else { 0o600 };
        assert_mode(&file, mode);
    }
}

#[track_caller]
fn until_gone(what: &Path) {
    let begun = Instant::now();
    while what.exists() {
        assert!(begun.elapsed() < HANG, "{} is still there", what.display());
        thread::sleep(Duration::from_millis(10));
    }
}

/// The code is restored, so that it can be recorded once more.
#[track_caller]
fn records_anew(desk: &mut Desk) {
    let mut recording = Watched::attach(JFATHOM, desk.pid, &["--root", "live.Work::root"]);
    let session = recording.until_live();
    desk.expect("Work 10", "327");
    let lines = Lines::of(&session);
    assert_work(&recording.end().1, &lines, 10);
}

#[test]
fn everything_is_that_user_s() {
    for jdk in jdk::all("the JVM of another user") {
        let Some(mut desk) = desk(jdk) else { return };
        for attach in [Watched::attach, Watched::attach_beside] {
            let mut recording = attach(JFATHOM, desk.pid, &["--root", "live.Work::root"]);
            let session = recording.until_live();
            assert_own(&session);
            let child = recording.child();
            for (name, expected) in [
                ("Uid:", [USER; 4].map(|id| id.to_string()).join(" ")),
                ("Gid:", [GROUP; 4].map(|id| id.to_string()).join(" ")),
                ("Groups:", GROUPS.replace(',', " ")),
                ("CapPrm:", "0".repeat(16)),
                ("CapInh:", "0".repeat(16)),
                ("NoNewPrivs:", "1".to_owned()),
            ] {
                assert_eq!(status(child, name), expected, "{name}");
            }
            desk.expect("Work 10", "327");
            let (lines, file) = (Lines::of(&session), recording.file());
            let (done, profile) = recording.end();
            assert!(profile.quality.is_clean(), "{jdk}: {:?}\n{done}", profile.quality);
            assert_work(&profile, &lines, 10);
            assert!(done.stderr.contains(file.to_str().unwrap()), "{done}");
            until_gone(&session);
            desk.expect("Work 10", "327");
        }
        desk.finish().fine();
    }
}

/// `stop` by root ends it as well.
#[test]
fn root_stops_it() {
    let Some(mut desk) = desk(jdk::main()) else { return };
    let mut recording = Watched::attach_beside(JFATHOM, desk.pid, &["--root", "live.Work::root"]);
    let session = recording.until_live();
    desk.expect("Work 10", "327");
    let lines = Lines::of(&session);
    let stopped = JFATHOM.run(&["stop", &desk.pid.to_string()]).fine();
    let pid = desk.pid;
    assert_eq!(stopped.stdout, format!("JVM {pid} has its original code back\n"), "{stopped}");
    let done = recording.done().fine();
    assert_work(&recording.profile(&done), &lines, 10);
    desk.finish().fine();
}

/// The child is killed: what it had recorded is brought by another one, and nothing stays.
#[test]
fn the_child_is_killed() {
    for jdk in jdk::main_and_25("the child is killed") {
        let Some(mut desk) = desk(jdk) else { return };
        let mut recording =
            Watched::attach_beside(JFATHOM, desk.pid, &["--root", "live.Work::root"]);
        let session = recording.until_live();
        desk.expect("Work 10", "327");
        let lines = Lines::of(&session);
        signal(recording.child(), "KILL");
        let done = recording.done().code(137).says(&["was ended by signal 9"]);
        let profile = recording.profile(&done);
        assert_work(&profile, &lines, 10);
        assert!(!profile.quality.is_clean(), "it was killed");
        assert!(!session.exists(), "{done}");
        desk.expect("Work 10", "327");
        records_anew(&mut desk);
        desk.finish().fine();
    }
}

/// The process that the user has started is killed: the child ends the session and takes its files
/// away.
#[test]
fn the_parent_is_killed() {
    let Some(mut desk) = desk(jdk::main()) else { return };
    let mut recording = Watched::attach_beside(JFATHOM, desk.pid, &["--root", "live.Work::root"]);
    let session = recording.until_live();
    desk.expect("Work 10", "327");
    let child = recording.child();
    signal(recording.pid(), "KILL");
    assert_eq!(recording.done().code, None);
    until_gone(&session);
    until_gone(Path::new(&format!("/proc/{child}/root/")));
    assert!(!recording.file().exists());
    desk.expect("Work 10", "327");
    records_anew(&mut desk);
    desk.finish().fine();
}

/// Runs a command as user 1000 and group 1001 of a user namespace, whose ids are 100,000 larger
/// outside, with a `/tmp` and a `/dev/shm` of that namespace. The places are as in [`PLACE`].
const INSIDE: &str = r#"
exec 3<&0
unshare --user --mount sleep 600 &
pid=$!
until [ "$(readlink /proc/$pid/ns/mnt)" != "$(readlink /proc/self/ns/mnt)" ]; do
    kill -0 $pid || exit 9
done
echo 0 100000 65536 > /proc/$pid/uid_map && echo 0 100000 65536 > /proc/$pid/gid_map || exit 9
inside='kill "$0" && mount -t tmpfs tmpfs /mnt && mkdir /mnt/jdk /mnt/app &&
mount --bind "$1" /mnt/jdk && mount --bind "$2" /mnt/app && shift 2 &&
mount -t tmpfs tmpfs /tmp && mount -t tmpfs tmpfs /dev/shm &&
exec setpriv --reuid=1000 --regid=1001 --clear-groups "$@"'
exec nsenter --target $pid --user --mount --setuid 0 --setgid 0 sh -c "$inside" $pid "$@" <&3
"#;

/// A JVM whose users are other ones outside: the child enters that user namespace.
#[test]
fn users_of_another_namespace() {
    let places = [jdk::main().home.to_str().unwrap(), classes().to_str().unwrap()];
    let words = [&["sh", "-c", INSIDE, "sh"][..], &places].concat();
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    if !is_fine(&[&words[..], &["true".to_owned()]].concat()) {
        println!("skipped: a user namespace with many users cannot be made here");
        return;
    }
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(PROGRAM);
    command.current_dir("/").env_remove("JAVA_TOOL_OPTIONS");
    let mut desk = Desk::of(command);
    desk.expect("Work 10", "327");
    for _ in 0..2 {
        let mut recording = Watched::attach(JFATHOM, desk.pid, &["--root", "live.Work::root"]);
        let session = recording.until_live();
        let meta = fs::metadata(&session).unwrap();
        assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (101_000, 101_001, 0o700));
        assert_eq!(status(recording.child(), "CapPrm:"), "0".repeat(16));
        desk.expect("Work 10", "327");
        let lines = Lines::of(&session);
        let (done, profile) = recording.end();
        assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
        assert_work(&profile, &lines, 10);
        assert!(!session.exists());
    }
    desk.finish().fine();
}
