//! Reader of HotSpot's thread dumps, as `jcmd PID Thread.print` prints them (JDK 11 to 25).
//!
//! A thread begins with a line `"name" … tid=0x… …`, then has a line `java.lang.Thread.State: …`
//! and its frames, innermost first. JDK 25 prints the frames of a mounted virtual thread after
//! those of its carrier. Whatever else is there is skipped. A name may contain line breaks, so any
//! line may be forged by the program; nothing but advice depends on it.

use super::frame::Frame;

/// What a thread does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ThreadState {
    Runnable,
    /// It waits for a monitor that another thread holds.
    Blocked,
    /// It waits for something else: parked, asleep, in `Object.wait`.
    Waiting,
    /// The dump does not say; a thread without frames, or a carrier.
    #[default]
    Unknown,
}

/// One stack of a dump.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ThreadStack<'a> {
    /// Text that no other thread of the dump has, and that stays while the thread lives.
    pub key: &'a str,
    /// CPU time of the thread so far in milliseconds; none if the dump does not say.
    pub cpu_millis: Option<f64>,
    pub state: ThreadState,
    /// Innermost first.
    pub frames: Vec<Frame<'a>>,
}

/// The stacks of a dump that have frames. No text makes it fail.
pub(super) fn parse(dump: &str) -> Vec<ThreadStack<'_>> {
    let mut stacks: Vec<ThreadStack<'_>> = Vec::new();
    for line in dump.lines() {
        let text = line.trim_start();
        if line.starts_with('"') {
            let key = word_after(line, " tid=").unwrap_or(line);
            let cpu_millis = word_after(line, " cpu=").and_then(millis);
            stacks.push(ThreadStack { key, cpu_millis, ..ThreadStack::default() });
        } else if let Some(key) = text.strip_prefix("Mounted virtual thread ") {
            let state = ThreadState::Runnable;
            stacks.push(ThreadStack { key, state, ..ThreadStack::default() });
        } else if let Some(stack) = stacks.last_mut() {
            if let Some(state) = text.strip_prefix("java.lang.Thread.State: ") {
                stack.state = self::state(state);
            } else if let Some(frame) = text.strip_prefix("at ").and_then(Frame::parse) {
                stack.frames.push(frame);
            }
        }
    }
    stacks.retain(|stack| !stack.frames.is_empty());
    stacks
}

fn state(text: &str) -> ThreadState {
    match text.split_whitespace().next() {
        Some("RUNNABLE") => ThreadState::Runnable,
        Some("BLOCKED") => ThreadState::Blocked,
        Some("WAITING" | "TIMED_WAITING") => ThreadState::Waiting,
        _ => ThreadState::Unknown,
    }
}

/// The word after the last `label`: what precedes may be part of the thread's name.
fn word_after<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let (_, rest) = line.rsplit_once(label)?;
    rest.split_whitespace().next()
}

fn millis(text: &str) -> Option<f64> {
    let number: f64 = text.strip_suffix("ms")?.parse().ok()?;
    number.is_finite().then_some(number)
}
