//! The threads of a process as proc(5) shows them.

use super::Process;
use std::{fs, time::Duration};

/// What the scheduler has counted of one thread since its start, from
/// `/proc/PID/task/TID/schedstat` (the kernel's `Documentation/scheduler/sched-stats.rst`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadTimes {
    /// Time on a processor.
    pub ran: Duration,
    /// Run-queue delay: it could have run, and other threads did.
    pub queued: Duration,
    /// How often it was put on a processor.
    pub switches: u64,
}

impl Process {
    /// The threads that it has now.
    pub fn thread_ids(self) -> Vec<u32> {
        let Ok(entries) = fs::read_dir(format!("/proc/{}/task", self.pid)) else {
            return Vec::new();
        };
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
    }

    /// The first 15 bytes of a thread's name; none if it has ended.
    pub fn thread_name(self, thread: u32) -> Option<String> {
        let name = fs::read(format!("/proc/{}/task/{thread}/comm", self.pid)).ok()?;
        Some(String::from_utf8_lossy(name.trim_ascii_end()).into_owned())
    }

    /// The times of a thread; none if it has ended, or if the kernel does not count them.
    pub fn thread_times(self, thread: u32) -> Option<ThreadTimes> {
        let text =
            fs::read_to_string(format!("/proc/{}/task/{thread}/schedstat", self.pid)).ok()?;
        let mut numbers = text.split_ascii_whitespace().map(str::parse);
        let mut number = || numbers.next()?.ok();
        Some(ThreadTimes {
            ran: Duration::from_nanos(number()?),
            queued: Duration::from_nanos(number()?),
            switches: number()?,
        })
    }

    /// How often a thread had to leave a processor though it could have run on; none if it has
    /// ended.
    pub fn involuntary_switches(self, thread: u32) -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{}/task/{thread}/status", self.pid)).ok()?;
        let value = text.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"));
        value?.trim().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_of_this_test_is_found() {
        let this = Process::find(std::process::id()).unwrap();
        // `PID/task/TID`.
        let thread = fs::read_link("/proc/thread-self").unwrap();
        let thread: u32 = thread.file_name().unwrap().to_str().unwrap().parse().unwrap();
        assert!(this.thread_ids().contains(&thread));
        let name = this.thread_name(thread).unwrap();
        assert!("process::threads::tests::the_thread_of_this_test_is_found".starts_with(&name));
        let first = this.thread_times(thread).unwrap();
        while this.thread_times(thread).unwrap().ran == first.ran {
            std::hint::spin_loop();
        }
        assert!(first.switches > 0);
        assert!(this.involuntary_switches(thread).is_some());
        assert_eq!(this.involuntary_switches(0), None);
        assert_eq!(this.thread_times(0), None);
        assert_eq!(this.thread_name(0), None);
    }
}
