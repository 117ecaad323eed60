//! Why switches cannot be watched.

use std::{fmt, io};

/// The setting that decides who may watch which process (perf_event_open(2)).
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// What could not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchStep {
    /// Opening an event.
    Open,
    /// Mapping a processor's ring.
    Map,
    /// Sending a thread's records to the ring of its processor.
    Redirect,
    /// Listing processors or threads.
    List,
}

/// Why switches cannot be watched.
#[derive(Debug)]
pub struct SwitchError {
    /// What could not be done.
    pub step: SwitchStep,
    /// What the system said.
    pub source: io::Error,
}

impl SwitchError {
    pub(crate) fn new(step: SwitchStep, source: io::Error) -> Self {
        Self { step, source }
    }
}

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, source } = self;
        let what = match step {
            SwitchStep::Open => "open a perf event",
            SwitchStep::Map => "map the ring of a perf event",
            SwitchStep::Redirect => "redirect a perf event",
            SwitchStep::List => "list processors and threads",
        };
        write!(f, "cannot {what}: {source}")?;
        match source.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) if *step == SwitchStep::Open => {
                let now = std::fs::read_to_string(PARANOID).unwrap_or_default();
                let now = match now.trim() {
                    "" => String::new(),
                    now => format!(" (now {now})"),
                };
                write!(f, "; {PARANOID} must be 2 or less{now}, and a container must allow it")
            }
            Some(libc::ENOSYS) => write!(f, "; this kernel or its sandbox has no perf events"),
            Some(libc::EINVAL) if *step == SwitchStep::Open => {
                write!(f, "; records of context switches need Linux 4.3 or later")
            }
            Some(libc::EPERM) if *step == SwitchStep::Map => {
                write!(f, "; /proc/sys/kernel/perf_event_mlock_kb is used up")
            }
            Some(libc::EMFILE) => write!(f, "; each thread needs a file for each processor"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for SwitchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(step: SwitchStep, code: i32) -> String {
        SwitchError::new(step, io::Error::from_raw_os_error(code)).to_string()
    }

    #[test]
    fn a_refusal_names_the_setting() {
        for code in [libc::EACCES, libc::EPERM] {
            assert!(text(SwitchStep::Open, code).contains(PARANOID));
        }
        assert!(text(SwitchStep::Map, libc::EPERM).contains("perf_event_mlock_kb"));
        assert!(text(SwitchStep::Open, libc::ENOSYS).contains("no perf events"));
        assert!(!text(SwitchStep::Redirect, libc::EINVAL).contains("Linux 4.3"));
    }
}
