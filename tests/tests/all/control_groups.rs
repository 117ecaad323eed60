//! The limits that control groups set to a JVM.

use crate::{JFATHOM, jar};
use jfathom_profile::{Limits, Profile};
use jfathom_tests::{jdk, run, samples};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A group with limits, which is removed when it is dropped.
struct Group(PathBuf);

impl Group {
    /// Makes a group in a mounted hierarchy, with files that set limits. None if that cannot be
    /// done here.
    fn new(hierarchy: &str, limits: &[(&str, &str)]) -> Option<Self> {
        let folder = Path::new(hierarchy).join(format!("jfathom-test-{}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let group = Self(folder);
        // A file that is not there must not become one.
        let set = |(name, value): &(&str, &str)| {
            let mut options = fs::OpenOptions::new();
            let file = options.write(true).open(group.0.join(name));
            file.and_then(|mut file| std::io::Write::write_all(&mut file, value.as_bytes())).is_ok()
        };
        limits.iter().all(set).then_some(group)
    }

    fn members(&self) -> PathBuf {
        self.0.join("cgroup.procs")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// Groups with a limit of 1.5 processors and one of 4 GiB: one group for both in version 2.
fn groups() -> Option<Vec<Group>> {
    let both = [("cpu.max", "150000 100000"), ("memory.max", "4294967296")];
    let cpu = [("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "150000")];
    let second = || Group::new("/sys/fs/cgroup", &both).map(|group| vec![group]);
    second().or_else(|| {
        let cpu = Group::new("/sys/fs/cgroup/cpu", &cpu)?;
        let memory =
            Group::new("/sys/fs/cgroup/memory", &[("memory.limit_in_bytes", "4294967296")])?;
        Some(vec![cpu, memory])
    })
}

/// Moves the shell that runs it into the groups before `--`, and runs what is behind.
const ENTER: &str = "while [ \"$1\" != -- ]; do echo $$ > \"$1\" || exit 9; shift; done; shift; \
                     exec \"$@\"";

#[test]
fn limits_of_a_jvm_are_in_its_profile() {
    let Some(groups) = groups() else {
        println!("skipped: a control group with limits cannot be made here");
        return;
    };
    let folder = samples::temp_dir();
    let plain = jar(&samples::compiled().demo, "demo.Market", &folder.path().join("market.jar"));
    let out = JFATHOM.rewrite(&plain, &folder.path().join("out"), &[]);
    let file = folder.path().join("profile.jfp");
    let record = |groups: &[Group]| {
        let mut command = JFATHOM.command();
        command.args(["record", "-q", "--tune=calibrate=off", "-o"]).arg(&file);
        // Only the JVM is in the groups, and not who records it.
        command.args(["--", "sh", "-c", ENTER, "sh"]);
        command.args(groups.iter().map(Group::members)).arg("--");
        command.arg(jdk::main().java()).arg("-jar").arg(&out);
        let done = run::run(&mut command).fine();
        let profile = Profile::read(&mut &*fs::read(&file).unwrap()).unwrap();
        let [jvm] = &profile.meta.jvms[..] else { panic!("{done}") };
        jvm.limits
    };
    let limited = Limits { milli_cpus: Some(1500), memory_bytes: Some(4 << 30) };
    let found = record(&groups);
    assert_eq!(found, limited);
    let words = ["report", "--view=summary"].map(std::ffi::OsStr::new);
    let done = run::run(JFATHOM.command().args(words).arg(&file)).fine();
    assert!(done.stdout.contains(&format!("\nlimits    {found} (control groups)\n")), "{done}");
}
