//! Why switches cannot be watched.

use std::io;

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
#[derive(Debug, thiserror::Error)]
#[error("cannot {}: {cause}{}", .step.action(), remedy(*.step, .cause.raw_os_error()))]
pub struct SwitchError {
    /// What could not be done.
    pub step: SwitchStep,
    /// What the system said.
    pub cause: io::Error,
}

impl SwitchError {
    pub(crate) fn new(step: SwitchStep, cause: io::Error) -> Self {
        Self { step, cause }
    }
}

impl SwitchStep {
    const fn action(self) -> &'static str {
        match self {
            Self::Open => "open a perf event",
            Self::Map => "map the ring of a perf event",
            Self::Redirect => "redirect a perf event",
            Self::List => "list processors and threads",
        }
    }
}

/// What this code of an error says about this step.
fn remedy(step: SwitchStep, code: Option<i32>) -> String {
    use SwitchStep::{Map, Open};
    let said = match (step, code) {
        (Open, Some(libc::EACCES | libc::EPERM)) => {
            let now = std::fs::read_to_string(PARANOID).unwrap_or_default();
            let now = match now.trim() {
                "" => String::new(),
                now => format!(" (now {now})"),
            };
            return format!("; {PARANOID} must be 2 or less{now}, and a container must allow it");
        }
        (_, Some(libc::ENOSYS)) => "; this kernel or its sandbox has no perf events",
        (Open, Some(libc::EINVAL)) => "; records of context switches need Linux 4.3 or later",
        (Map, Some(libc::EPERM)) => "; /proc/sys/kernel/perf_event_mlock_kb is used up",
        (_, Some(libc::EMFILE)) => "; each thread needs a file for each processor",
        _ => "",
    };
    said.to_owned()
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
