//! What a round is: drawn from the seed and the round's number.

use std::fmt;

/// splitmix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// One of these, those that stand there twice twice as often.
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap_or(0)]
    }
}

/// How the program is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Rewritten without a root.
    Rewritten,
    /// Rewritten with the root.
    Rooted,
    /// Live, with this scheme.
    Live(&'static str),
    /// Live, attached to after the start.
    Attached(&'static str),
}

/// Where files lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The machine's own file systems.
    Plain,
    /// `/dev/shm` of so many KB, as containers have it.
    SmallShm(u64),
    /// The session directory on a file system of so many KB.
    SmallSession(u64),
    /// The profile on a file system of so many KB.
    SmallOutput(u64),
    /// `TMPDIR` and `/dev/shm` of so many KB.
    SmallAll(u64),
}

/// What is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attack {
    /// Nothing.
    Nothing,
    /// `kill -9` of the JVM.
    KillJvm,
    /// `kill -9` of the collector.
    KillCollector,
    /// `kill -9` of both.
    KillBoth,
    /// SIGINT or SIGTERM to the collector.
    Signal(rustix::process::Signal),
    /// SIGSTOP to the collector, and SIGCONT a little later.
    PauseCollector,
    /// SIGSTOP to the collector until the program has ended.
    StopCollector,
    /// SIGSTOP to the collector for longer than the agent waits, and SIGCONT while the program goes
    /// on.
    SilenceCollector,
    /// SIGSTOP to the JVM, and SIGCONT a little later.
    PauseJvm,
    /// The session directory is removed.
    RemoveSession,
    /// The file system of the session is filled up.
    FillSession,
    /// Nobody reads standard output and standard error any more.
    ClosePipes,
}

/// One round.
#[derive(Clone, Debug)]
pub struct Draw {
    pub mode: Mode,
    pub place: Place,
    pub attack: Attack,
    /// How many calls have begun when the attack comes.
    pub at: u64,
    /// Number of the JVM among those that there are.
    pub jvm: usize,
    /// `--tune ring=SIZE`, where it is given.
    pub ring: Option<&'static str>,
    pub all_timed: bool,
    pub runs: u64,
    /// Open files that the collector and the JVM may have.
    pub files: Option<u64>,
    /// Whether collector and JVM are in a process namespace of their own.
    pub pid_namespace: bool,
    pub threads: u64,
    /// Steps of each thread; a step is between 1 and 32 calls.
    pub steps: u64,
    pub seed: u64,
    pub way: &'static str,
    pub together: bool,
    /// Milliseconds that the program is quiet before it makes its main thread's calls once more;
    /// zero: it does not.
    pub quiet: u64,
    pub overflows: u64,
    pub ending: &'static str,
}

impl Draw {
    pub fn new(seed: u64, round: u64, jvms: usize) -> Self {
        let mut numbers = Numbers(seed ^ round.wrapping_mul(0xd134_2543_de82_ef95));
        let random = &mut numbers;
        let mode = random.one(&[
            Mode::Rewritten,
            Mode::Rooted,
            Mode::Rooted,
            Mode::Live("lazy"),
            Mode::Live("eager"),
            Mode::Live("total"),
            Mode::Attached("lazy"),
            Mode::Attached("total"),
        ]);
        let place = match random.below(10) {
            0..5 => Place::Plain,
            5 => Place::SmallShm(64 << 10),
            6 => Place::SmallShm(random.one(&[64, 2 << 10, 16 << 10, 80 << 10])),
            7 => Place::SmallSession(random.one(&[16, 1 << 10, 4 << 10, 12 << 10, 24 << 10])),
            8 => Place::SmallOutput(random.one(&[4, 8, 16, 64])),
            _ => Place::SmallAll(random.one(&[256, 8 << 10, 64 << 10])),
        };
        let signal = random.one(&[rustix::process::Signal::INT, rustix::process::Signal::TERM]);
        let mut attack = random.one(&[
            Attack::Nothing,
            Attack::Nothing,
            Attack::Nothing,
            Attack::Nothing,
            Attack::KillJvm,
            Attack::KillJvm,
            Attack::KillCollector,
            Attack::KillCollector,
            Attack::KillBoth,
            Attack::Signal(signal),
            Attack::PauseCollector,
            Attack::StopCollector,
            Attack::SilenceCollector,
            Attack::PauseJvm,
            Attack::RemoveSession,
            Attack::FillSession,
            Attack::ClosePipes,
        ]);
        if attack == Attack::FillSession && matches!(place, Place::Plain | Place::SmallOutput(_)) {
            attack = Attack::Nothing;
        }
        let threads = random.one(&[0, 1, 2, 4, 8, 8, 40, 40, 200, 600]);
        let calls = 1_u64 << (6 + random.below(13));
        let steps = (calls / (threads + 1)).max(3);
        let total = steps * (threads + 1) * 2;
        let at = random.below(total);
        // Longer than the agent's 2 s, so that a live session ends before the program goes on.
        let quiet = match attack {
            Attack::SilenceCollector => 4000,
            Attack::KillCollector | Attack::StopCollector => random.one(&[0, 3000]),
            _ => 0,
        };
        Self {
            mode,
            place,
            attack,
            at,
            jvm: usize::try_from(random.below(jvms as u64)).unwrap_or(0),
            ring: random.one(&[None, None, Some("64K"), Some("4K"), Some("1M")]),
            all_timed: random.below(3) > 0,
            runs: if attack == Attack::Nothing
                && !matches!(mode, Mode::Attached(_))
                && random.below(8) == 0
            {
                2
            } else {
                1
            },
            files: (random.below(8) == 0).then(|| random.one(&[40, 64, 256])),
            pid_namespace: attack == Attack::Nothing
                && !matches!(mode, Mode::Attached(_))
                && random.below(4) == 0,
            threads,
            steps,
            seed: random.below(1 << 31),
            way: random.one(&["thread", "execute", "submit", "future"]),
            together: random.below(2) == 0,
            quiet,
            overflows: if random.below(5) == 0 { 1 + random.below(2) } else { 0 },
            ending: random.one(&["return", "return", "return", "exit", "halt", "throw"]),
        }
    }

    /// Whether only root can make the round's namespaces.
    pub fn needs_root(&self) -> bool {
        self.place != Place::Plain || self.pid_namespace
    }

    /// The program's own exit code.
    pub fn code(&self) -> i32 {
        match self.ending {
            "exit" => 7,
            "halt" => 9,
            "throw" => 1,
            _ => 0,
        }
    }

    pub fn attached(&self) -> bool {
        matches!(self.mode, Mode::Attached(_))
    }

    /// Whether all file systems have room.
    pub fn has_room(&self) -> bool {
        self.place == Place::Plain && self.files.is_none()
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} {:?} {:?} at {} jvm#{}",
            self.attack, self.mode, self.place, self.at, self.jvm
        )?;
        write!(f, " threads {}x{} {}", self.threads, self.steps, self.way)?;
        let flags = [
            (self.together, " together"),
            (self.all_timed, " all-timed"),
            (self.pid_namespace, " pid-namespace"),
        ];
        flags.iter().filter(|(set, _)| *set).try_for_each(|(_, word)| f.write_str(word))?;
        if let Some(ring) = self.ring {
            write!(f, " ring {ring}")?;
        }
        if let Some(files) = self.files {
            write!(f, " files {files}")?;
        }
        if self.quiet > 0 {
            write!(f, " quiet {}", self.quiet)?;
        }
        write!(f, " runs {} overflows {} {}", self.runs, self.overflows, self.ending)
    }
}
