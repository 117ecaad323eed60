//! What is done to a recording while it runs.

use super::{
    draw::{Attack, Draw},
    ground::Ground,
    patience::Patience,
    processes::{self, Process},
    truth::Truth,
};
use rustix::process::Signal;
use std::{fs, io::Write, path::Path, process::Child, thread, time::Duration};

/// How long a side is stopped that goes on.
const PAUSE: Duration = Duration::from_millis(400);
/// The same where the agent is to take it for gone, which it does after 2 s.
const SILENCE: Duration = Duration::from_millis(3000);

/// The round as the attack sees it.
pub struct Target<'a> {
    pub draw: &'a Draw,
    pub ground: &'a Ground,
    pub truth: &'a Truth,
    pub jfathom: &'a Path,
    pub mark: &'a str,
    pub patience: Patience,
}

/// What came of an attack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Struck {
    pub jvm_killed: bool,
    pub collector_killed: bool,
    pub signalled: bool,
}

impl Target<'_> {
    fn jvm(&self) -> Option<Process> {
        processes::marked(self.mark).into_iter().find(Process::is_java)
    }

    fn collector(&self) -> Option<Process> {
        processes::marked(self.mark)
            .into_iter()
            .find(|process| process.is(self.jfathom) && process.command.contains(" record "))
    }

    /// Waits until so many calls have begun, then attacks. Nothing comes of it where the program
    /// has ended before.
    pub fn strike(&self, child: &mut Child) -> Struck {
        let mut struck = Struck::default();
        if self.draw.attack == Attack::Nothing {
            return struck;
        }
        while self.truth.begun() <= self.draw.at && !self.patience.over() {
            if !matches!(child.try_wait(), Ok(None)) {
                return struck;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let (jvm, collector) = (self.jvm(), self.collector());
        match self.draw.attack {
            // The readers close the pipes.
            Attack::Nothing | Attack::ClosePipes => {}
            Attack::KillJvm => struck.jvm_killed = signal(jvm.as_ref(), Signal::KILL),
            Attack::KillCollector => {
                struck.collector_killed = signal(collector.as_ref(), Signal::KILL)
            }
            Attack::KillBoth => {
                struck.collector_killed = signal(collector.as_ref(), Signal::KILL);
                struck.jvm_killed = signal(jvm.as_ref(), Signal::KILL);
            }
            Attack::Signal(which) => struck.signalled = signal(collector.as_ref(), which),
            Attack::PauseCollector => pause(collector.as_ref(), PAUSE),
            Attack::SilenceCollector => pause(collector.as_ref(), SILENCE),
            Attack::PauseJvm => pause(jvm.as_ref(), PAUSE),
            Attack::StopCollector => {
                if signal(collector.as_ref(), Signal::STOP) {
                    while self.jvm().is_some() && !self.patience.over() {
                        thread::sleep(Duration::from_millis(20));
                    }
                    signal(collector.as_ref(), Signal::CONT);
                }
            }
            Attack::RemoveSession => {
                if let Some(session) = &self.ground.session {
                    let _ = fs::remove_dir_all(self.ground.outer(session));
                }
            }
            Attack::FillSession => fill(&self.ground.session_base().join("full")),
        }
        struck
    }
}

/// Whether the process was there; it may have ended since.
fn signal(process: Option<&Process>, which: Signal) -> bool {
    if let Some(process) = process {
        process.signal(which);
    }
    process.is_some()
}

fn pause(process: Option<&Process>, time: Duration) {
    signal(process, Signal::STOP);
    thread::sleep(time);
    signal(process, Signal::CONT);
}

/// Writes until the file system is full.
fn fill(path: &Path) {
    let Ok(mut file) = fs::File::create(path) else { return };
    for size in [1 << 16, 1 << 12] {
        let block = vec![1; size];
        while file.write_all(&block).is_ok() {}
    }
}
