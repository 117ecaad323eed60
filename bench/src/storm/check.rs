//! What must hold after a round, whatever was done.

use super::{
    draw::{Attack, Draw, Mode},
    journal::Outcome,
    recorded::Recorded,
    round::Left,
    truth::{Count, METHODS, OVERFLOW, OVERFLOWS},
};
use rustix::process::Signal;

/// What did not hold, and what came of the recording.
pub fn faults(left: &Left, truth: &[Count; METHODS.len()]) -> (Vec<String>, Outcome) {
    let mut faults = Vec::new();
    if left.hung {
        let alive: Vec<&str> = left.alive.iter().map(|process| process.command.as_str()).collect();
        faults.push(format!("hung: {}", alive.join("; ")));
        return (faults, Outcome::NoProfile);
    }
    for process in &left.alive {
        faults.push(format!("still runs: {}", process.command));
    }
    files(left, &mut faults);
    streams(left, &mut faults);
    code(left, &mut faults);
    let report = left
        .report
        .as_ref()
        .map(|report| report.as_ref().map_err(Clone::clone).and_then(|json| Recorded::of(json)));
    let outcome = match report {
        Some(Ok(recorded)) => counts(left, truth, &recorded, &mut faults),
        Some(Err(error)) => {
            faults.push(format!("no report of the recording: {error}"));
            Outcome::NoProfile
        }
        None => {
            faults.extend(no_profile(left, truth));
            Outcome::NoProfile
        }
    };
    (faults, outcome)
}

/// What is wrong with there being no profile.
fn no_profile(left: &Left, truth: &[Count; METHODS.len()]) -> Option<String> {
    let killed = left.struck.collector_killed;
    if killed && left.draw.has_room() && begun(truth) > 0 {
        Some("the killed collector left no session".into())
    } else if killed {
        None
    } else if left.code == 0 {
        Some("no profile, and exit code 0".into())
    } else if left.draw.has_room() && !early(left, truth) {
        Some("no profile, though there was room".into())
    } else if left.draw.attack != Attack::ClosePipes && !left.stderr.contains("jfathom: ") {
        Some("no profile, and not a word".into())
    } else {
        None
    }
}

/// Calls that were begun.
fn begun(truth: &[Count; METHODS.len()]) -> u64 {
    truth.iter().map(|count| count.begun).sum()
}

/// Whether the attack may have come before the recording had begun.
fn early(left: &Left, truth: &[Count; METHODS.len()]) -> bool {
    (left.struck.jvm_killed || left.struck.signalled) && begun(truth) == 0
}

fn files(left: &Left, faults: &mut Vec<String>) {
    for path in &left.files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let of_jvm = name.starts_with("hsperfdata_")
            || left.struck.jvm_killed
                && (name.starts_with(".java_pid") || name.starts_with(".attach_pid"));
        // A killed collector cannot tidy up; what it has left can be read with `jfathom report`.
        let of_killed = left.struck.collector_killed
            && (name.starts_with("jfathom-") || name == "session" || name.starts_with('.'));
        // Where the profile cannot be written, the session stays, and its directories are named.
        let kept =
            left.stderr.contains("is still in") && left.stderr.contains(&*path.to_string_lossy());
        if !of_jvm && !of_killed && !kept {
            faults.push(format!("left behind: {}", path.display()));
        }
    }
}

fn streams(left: &Left, faults: &mut Vec<String>) {
    let draw = &left.draw;
    let ended = draw.ending == "return" && !left.struck.jvm_killed && !left.struck.signalled;
    if draw.attack != Attack::ClosePipes && (draw.attached() || !left.struck.collector_killed) {
        let begins = left.stdout.lines().filter(|line| *line == "storm begins").count() as u64;
        let ends = left.stdout.lines().filter(|line| *line == "storm ends").count() as u64;
        // A run that could not be recorded is the last.
        let all = begins == draw.runs || begins > 0 && !draw.has_room() && left.code == 1;
        if ended && (begins != ends || !all) && starts(left) {
            faults.push(format!("the program said {:?}", left.stdout));
        }
    }
    if let Some(line) =
        left.stdout.lines().find(|line| !matches!(*line, "storm begins" | "storm ends"))
    {
        faults.push(format!("not the program's on standard output: {line}"));
    }
    // A kill may cut the line off.
    let is_cut = |line: &str| left.struck.jvm_killed && line.starts_with("Exception in thread");
    let refused = |line: &str| {
        draw.ending == "throw" && (line.contains("storm.Calls$Refused") || is_cut(line))
    };
    for line in left.stderr.lines().filter(|line| !refused(line)) {
        if ["Exception", "panicked", "SIGSEGV", "SIGBUS", "\tat ", "Internal Error", "OutOfMemory"]
            .iter()
            .any(|word| line.contains(word))
        {
            faults.push(format!("on standard error: {line}"));
        }
    }
}

/// Whether the program can have been started: with a handful of open files a JVM cannot.
fn starts(left: &Left) -> bool {
    left.draw.files.is_none_or(|files| files > 64)
}

fn code(left: &Left, faults: &mut Vec<String>) {
    let draw = &left.draw;
    let killed = |signal: Signal| 128 + signal.as_raw();
    let own = if left.struck.jvm_killed { killed(Signal::KILL) } else { draw.code() };
    if let Some(code) = left.program_code {
        // The kill may have come when it was about to end.
        if code != own && !(left.struck.jvm_killed && code == draw.code()) {
            faults.push(format!("the program ended with {code} instead of {own}"));
        }
        return;
    }
    let mut allowed = vec![own];
    if left.struck.collector_killed {
        allowed = vec![killed(Signal::KILL)];
    }
    if let Attack::Signal(signal) = draw.attack
        && left.struck.signalled
    {
        allowed.push(killed(signal));
    }
    if left.struck.jvm_killed {
        // The kill may have come when it was about to end.
        allowed.push(draw.code());
    }
    // What the program did comes first; where it did well, what the recording could not do is a
    // failure.
    if own == 0 && (!draw.has_room()) {
        allowed.push(1);
    }
    if !starts(left) {
        allowed.extend([1, 2, 126, 127, 134]);
    }
    if !allowed.contains(&left.code) {
        faults.push(format!("exit code {} instead of {allowed:?}", left.code));
    }
}

/// Recorded calls beside those that were made.
fn counts(
    left: &Left,
    truth: &[Count; METHODS.len()],
    recorded: &Recorded,
    faults: &mut Vec<String>,
) -> Outcome {
    let quality = &recorded.quality;
    if !recorded.odd.is_empty() {
        faults.push(format!("never made: {} ({quality})", recorded.odd.join(", ")));
    }
    let mut missing = 0;
    for (number, (((class, name), count), &calls)) in
        METHODS.iter().zip(truth).zip(&recorded.calls).enumerate()
    {
        if calls > count.begun {
            faults.push(format!("{class}.{name}: {calls} recorded, {} begun", count.begun));
        }
        // The last call of an overflow may have no stack for its probe; a killed call none for its
        // exit.
        let at_least = match number {
            OVERFLOW => count.begun.saturating_sub(truth[OVERFLOWS].begun),
            _ if left.struck.jvm_killed || left.struck.signalled => count.done,
            _ => count.begun,
        };
        missing += at_least.saturating_sub(calls);
    }
    // Whoever ends a recording by hand knows that it has not all.
    let detached = left.draw.attached() && left.struck.signalled;
    if missing > 0 && recorded.clean && !detached {
        faults.push(format!("{missing} calls are missing, and the profile is clean ({quality})"));
    }
    if missing > 0 && recorded.lost + recorded.missed == 0 && !detached {
        faults.push(format!("{missing} calls are missing, and no counter says so ({quality})"));
    }
    // With methods that are only counted, one lost record stands for many calls.
    if missing > recorded.lost && recorded.missed == 0 && left.draw.all_timed && !detached {
        faults.push(format!(
            "{missing} calls are missing, and {} records are counted as lost ({quality})",
            recorded.lost
        ));
    }
    if missing > 0 && may_lose_nothing(&left.draw) {
        faults.push(format!(
            "{missing} calls are missing, though nothing stood in the way ({quality})"
        ));
    }
    // The kill may come when the shutdown hook has run.
    let inside = usize::from(left.draw.ending != "return");
    if left.struck.jvm_killed && !detached && recorded.clean && !done(&truth[inside..]) {
        faults.push("the JVM was killed, and the profile is clean".into());
    }
    match (missing, recorded.clean) {
        (0, true) => Outcome::Exact,
        (0, false) => Outcome::ExactTold,
        (_, true) => Outcome::Ended,
        (_, false) => Outcome::LossesTold,
    }
}

/// Whether all that was begun of these methods is done.
fn done(truth: &[Count]) -> bool {
    truth.iter().all(|count| count.begun == count.done)
}

/// Rounds in which every call must be there. Overflows may take probes with them, and a collector
/// that was stopped or killed its records.
fn may_lose_nothing(draw: &Draw) -> bool {
    let attacked = matches!(
        draw.attack,
        Attack::KillCollector
            | Attack::KillBoth
            | Attack::StopCollector
            | Attack::SilenceCollector
            | Attack::RemoveSession
            | Attack::FillSession
            | Attack::Signal(_)
    );
    let followed =
        !matches!(draw.mode, Mode::Live("lazy") | Mode::Attached("lazy")) || draw.threads < 40;
    draw.has_room() && !attacked && draw.overflows == 0 && followed
}
