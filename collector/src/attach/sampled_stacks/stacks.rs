//! Stacks of several thread dumps, with their frames stored once.

use super::{
    frame::Frame,
    idle::is_idle,
    proposal::{self, RootProposal},
    thread_dump::{self, ThreadStack},
};
use std::collections::{BTreeMap, HashMap};

/// Stacks sampled at several instants.
#[derive(Clone, Debug, Default)]
pub struct SampledStacks {
    /// Each frame once.
    frames: Vec<StoredFrame>,
    ids: HashMap<StoredFrame, u32>,
    threads: BTreeMap<String, Vec<Sample>>,
    dumps: u32,
}

/// A frame that owns its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct StoredFrame {
    class: String,
    method: String,
    source: String,
}

impl StoredFrame {
    fn frame(&self) -> Frame<'_> {
        Frame { class: &self.class, method: &self.method, source: &self.source }
    }
}

/// A thread's stack at one instant.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Indexes of frames, outermost first.
    pub frames: Vec<u32>,
    pub is_idle: bool,
    cpu_millis: Option<f64>,
}

/// A thread that stays in a native call and takes less CPU time than this between two samples waits
/// there, such as for a socket.
const IDLE_CPU_MILLIS: f64 = 0.25;
/// Samples of one stack from which a thread counts as waiting.
const IDLE_SAMPLES: usize = 3;

impl SampledStacks {
    /// Adds a thread dump: the text of `Thread.print`. Text of another form adds nothing.
    pub fn add(&mut self, dump: &str) {
        self.dumps = self.dumps.saturating_add(1);
        for stack in thread_dump::parse(dump) {
            let is_idle = is_idle(&stack);
            let frames = self.store(&stack);
            let sample = Sample { frames, is_idle, cpu_millis: stack.cpu_millis };
            self.threads.entry(stack.key.to_owned()).or_default().push(sample);
        }
    }

    fn store(&mut self, stack: &ThreadStack<'_>) -> Vec<u32> {
        let outermost_first = stack.frames.iter().rev();
        let id = |frame: &Frame<'_>| {
            let stored = StoredFrame {
                class: frame.class.to_owned(),
                method: frame.method.to_owned(),
                source: frame.source.to_owned(),
            };
            let next = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
            *self.ids.entry(stored).or_insert_with_key(|stored| {
                self.frames.push(stored.clone());
                next
            })
        };
        outermost_first.map(id).collect()
    }

    /// The number of dumps.
    pub const fn dumps(&self) -> u32 {
        self.dumps
    }

    /// Where time goes, and at most three methods to record.
    pub fn proposal(&self) -> RootProposal {
        proposal::propose(self)
    }

    pub(super) fn frame(&self, id: u32) -> Option<Frame<'_>> {
        self.frames.get(id as usize).map(StoredFrame::frame)
    }

    /// Whether a thread stayed in one native call during these samples, and took no CPU time.
    fn waits_in_native(&self, samples: &[Sample]) -> bool {
        let [first, rest @ ..] = samples else { return false };
        let top = first.frames.last().and_then(|id| self.frame(*id));
        let cpu = |sample: &Sample| sample.cpu_millis;
        let took = rest.last().and_then(cpu).zip(cpu(first)).map(|(end, begin)| end - begin);
        samples.len() >= IDLE_SAMPLES
            && top.is_some_and(|frame| frame.is_native())
            && took.is_none_or(|millis| millis < IDLE_CPU_MILLIS * rest.len() as f64)
    }

    /// The samples of each thread in order of time, each with whether the thread did nothing then.
    pub(super) fn threads(&self) -> impl Iterator<Item = Vec<(&Sample, bool)>> {
        self.threads.values().map(|samples| {
            let stays = samples.chunk_by(|one, next| one.frames == next.frames);
            let judged = stays.flat_map(|stay| {
                let waits = self.waits_in_native(stay);
                stay.iter().map(move |sample| (sample, sample.is_idle || waits))
            });
            judged.collect()
        })
    }
}
