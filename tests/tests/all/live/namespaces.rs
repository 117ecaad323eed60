//! JVMs in namespaces of their own, as in a container without a shell: a root that nobody may write
//! to, of the JVM and the system's libraries alone, 64 MB of `/dev/shm`, and less of `/tmp`.

use super::assert_work;
use crate::JFATHOM;
use jfathom_tests::{
    jdk::{self, Jdk},
    live::{Desk, Lines, Watched, classes, signal},
};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Makes such a root in the directory `$3` from the JVM `$1` and the classes `$2`, and runs the JVM
/// there. As Docker mounts `/dev/shm`.
const CONTAINER: &str = r#"
set -e
mount -t tmpfs -o mode=755 tmpfs "$3"
cd "$3"
mkdir -p old proc tmp etc dev/shm jdk app usr/lib usr/lib64
bind() { if [ -e "$1" ]; then mkdir -p "./$2"; mount --rbind "$1" "./$2"; fi; }
bind "$1" jdk
bind "$2" app
for libraries in /usr/lib/*-linux-gnu /usr/lib64; do bind "$libraries" "$libraries"; done
for links in /lib /lib64; do [ ! -L $links ] || ln -s "$(readlink $links)" ".$links"; done
[ -L /lib64 ] || bind /lib64 lib64
[ -L /lib ] || bind /lib lib
for settings in /etc/java-*; do bind "$settings" "$settings"; done
for device in null urandom random; do : > dev/$device; mount --bind /dev/$device dev/$device; done
mount -t tmpfs -o size=64m,noexec,nosuid,nodev tmpfs dev/shm
mount -t tmpfs -o size=48m tmpfs tmp
mount -t proc proc proc
mount -o remount,ro tmpfs .
pivot_root . old
cd /
/old/bin/umount -l /old
exec /jdk/bin/java -cp /app live.Desk
"#;

/// A JVM in a container of its own.
struct Container {
    desk: Desk,
    _place: tempfile::TempDir,
}

impl Container {
    /// None if such namespaces cannot be made here.
    fn start(jdk: &Jdk, namespaces: &[&str]) -> Option<Self> {
        let unshare = || {
            let mut command = Command::new("unshare");
            command.args(namespaces).args(["--mount", "--pid", "--fork", "--kill-child"]);
            command
        };
        let mut tried = unshare();
        tried.args(["--mount-proc", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
        let output = tried.stdin(Stdio::null()).output();
        if !output.as_ref().is_ok_and(|output| output.status.success()) {
            println!("skipped: no container can be made here with {namespaces:?}: {output:?}");
            return None;
        }
        let place = tempfile::tempdir().unwrap();
        let mut command = unshare();
        command.args(["sh", "-c", CONTAINER, "sh"]).arg(&jdk.home).arg(classes());
        command.arg(place.path()).env_remove("JAVA_TOOL_OPTIONS");
        let mut desk = Desk::of(command);
        assert_eq!(desk.pid, 1, "the JVM is its container's first process");
        let children = format!("/proc/{0}/task/{0}/children", desk.process());
        desk.pid = fs::read_to_string(children).unwrap().trim().parse().unwrap();
        Some(Self { desk, _place: place })
    }

    fn root(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root", self.desk.pid))
    }

    /// Holds that the container has no file that is not its own or its JVM's.
    #[track_caller]
    fn assert_is_as_before(&self) {
        let names = |place: &str| -> Vec<String> {
            let entries = fs::read_dir(self.root().join(place)).unwrap();
            let mut names: Vec<String> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| !name.starts_with("hsperfdata_"))
                .collect();
            names.sort();
            names
        };
        // The socket is the JVM's: it opens one, and keeps it.
        assert_eq!(names("tmp"), [".java_pid1"]);
        assert_eq!(names("dev/shm"), [""; 0]);
        assert_eq!(
            names(""),
            ["app", "dev", "etc", "jdk", "lib", "lib64", "old", "proc", "tmp", "usr"]
        );
    }
}

#[test]
fn a_container_without_a_shell() {
    for jdk in jdk::all("a container without a shell") {
        for namespaces in [&[][..], &["--user", "--map-root-user"]] {
            let Some(mut container) = Container::start(jdk, namespaces) else { continue };
            container.desk.expect("Work 10", "327");
            // The second recording finds the agent in the JVM, and its file gone.
            for _ in 0..2 {
                let options = ["--root", "live.Work::root"];
                let mut recording = Watched::attach(JFATHOM, container.desk.pid, &options);
                let session = recording.until_live();
                let shm = container.root().join("dev/shm");
                assert!(session.starts_with(&shm), "{}: /tmp has less space", session.display());
                container.desk.expect("Work 10", "327");
                let lines = Lines::of(&session);
                let (done, profile) = recording.end();
                assert!(profile.quality.is_clean(), "{jdk}: {:?}\n{done}", profile.quality);
                assert_work(&profile, &lines, 10);
                assert_eq!(profile.meta.jvms[0].pid, 1);
                container.assert_is_as_before();
            }
            container.desk.expect("Work 10", "327");
            container.desk.finish().fine();
        }
    }
}

/// Fills a file system to its last byte.
fn fill(directory: &Path) -> PathBuf {
    let path = directory.join("filler");
    let mut file = fs::File::create(&path).unwrap();
    for size in [1 << 20, 4096] {
        while file.write_all(&vec![1; size]).is_ok() {}
    }
    path
}

/// A thread that begins to record when the container's memory is full is not recorded. That is
/// said, and the program goes on as it was.
#[test]
fn what_does_not_fit_is_said() {
    let Some(mut container) = Container::start(jdk::main(), &[]) else { return };
    container.desk.expect("Work 10", "327");
    let options = ["--root", "live.Work::root"];
    let mut recording = Watched::attach(JFATHOM, container.desk.pid, &options);
    recording.until_live();
    let filler = fill(&container.root().join("dev/shm"));
    container.desk.expect("Work 10", "327");
    fs::remove_file(filler).unwrap();
    signal(recording.pid(), "INT");
    recording.done().code(1).says(&["there was no room for the threads' rings"]);
    container.assert_is_as_before();
    // With room it is recorded.
    let mut recording = Watched::attach(JFATHOM, container.desk.pid, &options);
    let session = recording.until_live();
    container.desk.expect("Work 10", "327");
    let lines = Lines::of(&session);
    assert_work(&recording.end().1, &lines, 10);
    container.desk.finish().fine();
}
