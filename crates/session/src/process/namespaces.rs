//! Processes and threads in pid namespaces below this one, as in containers.

use super::{Process, TICKS_PER_SECOND, boot_seconds};
use crate::{JvmIdentity, proc_files::ProcessStatus};
use std::{collections::HashMap, fs};

/// By so much two readings of a process's start may differ, in ms: the kernel states the machine's
/// start in whole seconds, by a clock that can be set.
const START_TOLERANCE: u64 = 1500;

impl Process {
    /// The process that is this JVM. The JVM's pid is that of its own `/proc`, so a container's JVM
    /// has another one here. Then the process with that inner pid and the JVM's start is found.
    /// None if there is none, or if it has ended.
    pub fn of_jvm(jvm: JvmIdentity) -> Option<Self> {
        let pid = u32::try_from(jvm.pid).ok()?;
        let boot = boot_seconds(&fs::read_to_string("/proc/stat").ok()?)?;
        let off_by = |process: &Self| {
            let start = boot * 1000 + process.start.saturating_mul(1000 / TICKS_PER_SECOND);
            start.abs_diff(jvm.start_millis)
        };
        let same_pid = Self::find(pid);
        if let Some(process) = same_pid.filter(|process| off_by(process) <= START_TOLERANCE) {
            return Some(process);
        }
        let all = fs::read_dir("/proc").ok()?.flatten();
        let others = all.filter_map(|entry| Self::find(entry.file_name().to_str()?.parse().ok()?));
        let started_then = others.filter(|process| off_by(process) <= START_TOLERANCE);
        let inner = started_then.filter(|process| {
            ProcessStatus::read(process.pid).is_some_and(|status| status.inner_pid == pid)
        });
        // A time namespace has another start of the machine.
        inner.min_by_key(off_by).or_else(|| same_pid.filter(|process| process.is_jvm()))
    }

    /// The ids of its threads by those that they have in its own pid namespace.
    pub fn threads_by_inner_id(self) -> HashMap<u32, u32> {
        let ids = self.thread_ids().into_iter();
        ids.filter_map(|id| Some((ProcessStatus::read_thread(self.pid, id)?.inner_pid, id)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jvm_is_found_by_pid_and_start() {
        let own = JvmIdentity::current().unwrap();
        assert_eq!(Process::of_jvm(own).unwrap().pid(), std::process::id());
        // Another process has that pid here, and is no JVM.
        let other = JvmIdentity { start_millis: own.start_millis - 10_000, ..own };
        assert_eq!(Process::of_jvm(other), None);
    }

    #[test]
    fn threads_of_this_namespace_have_one_id() {
        let own = Process::find(std::process::id()).unwrap();
        let ids = own.threads_by_inner_id();
        assert_eq!(ids.get(&own.pid()), Some(&own.pid()));
    }
}
