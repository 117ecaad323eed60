//! Limits of a process's control groups, see cgroups(7), of both versions.

use crate::{Process, proc_files};
use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// What control groups let a process use at most. None if they do not limit it, or if that cannot
/// be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlGroupLimits {
    /// CPU time per elapsed time, in thousandths of a processor.
    pub milli_cpus: Option<u64>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
}

impl Process {
    /// The limits of its control groups, as far as this process sees them: groups above the
    /// mounted ones may limit it further.
    pub fn limits(self) -> ControlGroupLimits {
        let text = |pid, name| {
            proc_files::read(pid, name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let own = std::process::id();
        let (Some(groups), Some(mounts)) = (text(self.pid(), "cgroup"), text(own, "mountinfo"))
        else {
            return ControlGroupLimits::default();
        };
        // Another process may have got its pid.
        if !self.is_alive() {
            return ControlGroupLimits::default();
        }
        limits(&groups, &mounts, &|path| fs::read_to_string(path).ok())
    }
}

/// Reads a file as text; none if there is none.
type ReadText<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// The limits by the texts of `/proc/PID/cgroup` and `/proc/self/mountinfo`.
fn limits(groups: &str, mounts: &str, read: ReadText) -> ControlGroupLimits {
    let smallest = |controller: &str, limit: &dyn Fn(&Path, Version) -> Option<u64>| {
        let (version, path) = group(groups, controller)?;
        let (mount, inner) = mount(mounts, version, controller, Path::new(path))?;
        inner.ancestors().filter_map(|inner| limit(&mount.join(inner), version)).min()
    };
    ControlGroupLimits {
        milli_cpus: smallest("cpu", &|folder, version| milli_cpus(folder, version, read)),
        memory_bytes: smallest("memory", &|folder, version| memory_bytes(folder, version, read)),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// A hierarchy for some of the controllers.
    V1,
    /// One hierarchy.
    V2,
}

/// The group of a controller: a hierarchy of the first version that has it, or else the one of the
/// second. A line is `ID:CONTROLLER,CONTROLLER:PATH`.
fn group<'a>(groups: &'a str, controller: &str) -> Option<(Version, &'a str)> {
    let of = |wanted: &dyn Fn(&str) -> bool| {
        groups.lines().find_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            wanted(controllers).then_some(path)
        })
    };
    let first = of(&|controllers| controllers.split(',').any(|name| name == controller));
    let second = || of(&str::is_empty).map(|path| (Version::V2, path));
    first.map(|path| (Version::V1, path)).or_else(second)
}

/// Where a hierarchy is mounted, and the path of a group below. None if the group is not below any
/// mount. A line is `ID PARENT DEVICE ROOT POINT OPTIONS FIELDS - TYPE SOURCE OPTIONS`.
fn mount<'a>(
    mounts: &'a str,
    version: Version,
    controller: &str,
    group: &'a Path,
) -> Option<(&'a Path, PathBuf)> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, point) = (place.next()?, place.next()?);
        let mut kind = kind.split(' ');
        let is_of = match (version, kind.next()?) {
            (Version::V1, "cgroup") => kind.nth(1)?.split(',').any(|name| name == controller),
            (Version::V2, "cgroup2") => true,
            _ => false,
        };
        let inner = group.strip_prefix(root).ok().filter(|_| is_of)?;
        // A group of another namespace is `/../NAME`.
        let is_below = inner.components().all(|part| matches!(part, Component::Normal(_)));
        is_below.then(|| (Path::new(point), inner.to_owned()))
    })
}

fn milli_cpus(folder: &Path, version: Version, read: ReadText) -> Option<u64> {
    let (quota, period) = match version {
        Version::V1 => {
            (read(&folder.join("cpu.cfs_quota_us"))?, read(&folder.join("cpu.cfs_period_us"))?)
        }
        Version::V2 => {
            let text = read(&folder.join("cpu.max"))?;
            let (quota, period) = text.trim().split_once(' ')?;
            (quota.to_owned(), period.to_owned())
        }
    };
    // `-1` and `max` are no limit.
    let [quota, period]: [u64; 2] = [quota.trim().parse().ok()?, period.trim().parse().ok()?];
    Some(quota.checked_mul(1000)?.checked_div(period)?.max(1))
}

/// What the first version has for no limit, rounded down to pages of 64 KiB.
const NO_LIMIT: u64 = i64::MAX as u64 & !0xffff;

fn memory_bytes(folder: &Path, version: Version, read: ReadText) -> Option<u64> {
    let name = match version {
        Version::V1 => "memory.limit_in_bytes",
        Version::V2 => "memory.max",
    };
    // `max` is no limit.
    let bytes = read(&folder.join(name))?.trim().parse().ok()?;
    (bytes < NO_LIMIT).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const V2: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
    const V1: &str = "32 31 0:29 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
                      33 31 0:30 /docker/a1 /cg/memory rw - cgroup cgroup rw,memory\n";

    fn found(groups: &str, mounts: &str, files: &[(&str, &str)]) -> [Option<u64>; 2] {
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path)?;
            Some(format!("{}\n", file.1))
        };
        let ControlGroupLimits { milli_cpus, memory_bytes } = limits(groups, mounts, &read);
        [milli_cpus, memory_bytes]
    }

    #[test]
    fn the_smallest_limit_of_a_group_and_those_above_holds() {
        let files = [
            ("/sys/fs/cgroup/pod/app/cpu.max", "150000 100000"),
            ("/sys/fs/cgroup/pod/app/memory.max", "max"),
            ("/sys/fs/cgroup/pod/cpu.max", "200000 100000"),
            ("/sys/fs/cgroup/pod/memory.max", "536870912"),
        ];
        assert_eq!(found("0::/pod/app\n", V2, &files), [Some(1500), Some(512 << 20)]);
        assert_eq!(found("0::/pod\n", V2, &files), [Some(2000), Some(512 << 20)]);
        assert_eq!(found("0::/\n", V2, &files), [None, None]);
    }

    #[test]
    fn a_namespace_has_its_limits_at_its_root() {
        let files = [("/sys/fs/cgroup/cpu.max", "1 100000"), ("/sys/fs/cgroup/memory.max", "4096")];
        assert_eq!(found("0::/\n", V2, &files), [Some(1), Some(4096)]);
        // The group of another container, which is not mounted here.
        assert_eq!(found("0::/../b2\n", V2, &files), [None, None]);
    }

    #[test]
    fn hierarchies_of_the_first_version() {
        let groups = "4:memory:/docker/a1\n3:cpu,cpuacct:/docker/a1\n0::/docker/a1\n";
        let mut files = vec![
            ("/cg/cpu,cpuacct/docker/a1/cpu.cfs_quota_us", "50000"),
            ("/cg/cpu,cpuacct/docker/a1/cpu.cfs_period_us", "100000"),
            ("/cg/memory/memory.limit_in_bytes", "1073741824"),
            // Another hierarchy, which does not have the controllers.
            ("/sys/fs/cgroup/docker/a1/cpu.max", "7 1000"),
        ];
        let mounts = format!("{V2}{V1}");
        assert_eq!(found(groups, &mounts, &files), [Some(500), Some(1 << 30)]);
        files[0].1 = "-1";
        files[2].1 = "9223372036854771712";
        assert_eq!(found(groups, &mounts, &files), [None, None]);
    }

    #[test]
    fn texts_that_say_nothing_are_no_limits() {
        let files = [
            ("/sys/fs/cgroup/a/cpu.max", "100000 0"),
            ("/sys/fs/cgroup/a/memory.max", "-4"),
            ("/sys/fs/cgroup/b/cpu.max", "18446744073709551615 1"),
        ];
        for groups in ["", "0", "0:", "0::", "::", "0::/a", "0::/b", "0::/c", "0::a/../b"] {
            for mounts in ["", " - ", "1 2 3 / - cgroup2", V2, V1] {
                assert_eq!(found(groups, mounts, &files), [None, None], "{groups} {mounts}");
            }
        }
    }

    #[test]
    fn limits_of_this_process_can_be_asked_for() {
        let own = Process::find(std::process::id()).unwrap();
        let limits = own.limits();
        assert!(limits.milli_cpus != Some(0) && limits.memory_bytes != Some(0), "{limits:?}");
    }
}
