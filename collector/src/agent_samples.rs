//! The stacks that the agent has sampled, as its file has them.

use crate::jfr::{
    companion::end_with_session,
    stack_samples::{OpenCalls, stack_samples},
};
use jfathom_files::Access;
use jfathom_jfr::{
    ClockReading, JfrThread, JfrTicks, Recording, Sample, SampleKind, SampledMethod, SessionTicks,
    Stack,
};
use jfathom_profile::{Profile, SampleSource, StackSamples, TickRate, Ticks};
use jfathom_session::{JvmFile, LostSamples, SAMPLING_DELAY, SamplesFileLine};
use jfathom_trace::{Header, ThreadInfo};
use std::{
    collections::HashMap,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

/// The most that is read of a file, in bytes. The agent writes less.
const MOST_BYTES: u64 = 512 << 20;
/// How the stack of a virtual thread begins, which runs on a thread that has another name.
const VIRTUAL_THREAD: (&str, &str) = ("java/lang/VirtualThread", "run");

/// The kernel's ids of the threads of a JVM, with Java's.
#[derive(Debug, Default)]
pub(crate) struct ThreadIds(HashMap<u32, Option<u64>>);

impl ThreadIds {
    /// Adds threads. The kernel may give an id to a later thread: whose samples are whose is not
    /// known then.
    pub fn add(&mut self, threads: &[ThreadInfo]) {
        for ThreadInfo { kernel_id, thread_id, .. } in threads {
            let Some(kernel_id) = u32::try_from(*kernel_id).ok().filter(|id| *id != 0) else {
                continue;
            };
            let known = self.0.entry(kernel_id).or_insert(Some(*thread_id));
            *known = known.filter(|known| known == thread_id);
        }
    }

    fn java_id(&self, kernel_id: u32) -> Option<u64> {
        self.0.get(&kernel_id).copied().flatten()
    }
}

/// What the agent has sampled.
#[derive(Debug, Default)]
struct AgentSamples {
    /// The samples, on the session's clock.
    recording: Recording,
    /// When sampling began; none if it did not.
    began: Option<SessionTicks>,
    /// The usual distance of two samples of a thread that runs, in ticks; none of few samples.
    usual_ticks: Option<u64>,
    /// Why none, or no more, were taken.
    ended: Option<String>,
}

impl AgentSamples {
    /// Reads a file; none if there is none. `base`: the clock's value at the session's begin.
    /// A last line that was not finished is left out.
    fn read(path: &Path, base: u64, threads: &ThreadIds) -> io::Result<Option<Self>> {
        let file = match jfathom_files::open(path, Access::Read) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut samples = Reader { base, threads, read: Self::default(), is_virtual: Vec::new() };
        let mut input = BufReader::new(file.take(MOST_BYTES));
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            if let Ok(parsed) = SamplesFileLine::from_json(&line) {
                samples.add(parsed);
            }
            line.clear();
        }
        let mut read = samples.read;
        // The file has the session's own clock.
        read.recording.clock = [0, 1 << 62].map(reading).to_vec();
        read.usual_ticks = usual_ticks(&read.recording);
        Ok(Some(read))
    }

    /// How long threads were sampled, in ticks: until the session's end if that is known.
    fn sampled_ticks(&self, end: Option<u64>) -> u64 {
        let last = || self.recording.samples.samples.iter().map(|sample| sample.at.0).max();
        let began = self.began.map_or(0, |began| began.0.max(0).unsigned_abs());
        end.or_else(last).unwrap_or(0).saturating_sub(began)
    }
}

/// Gives a profile the samples that the agent has left beside a session file, if there are any.
pub(crate) fn add_agent_samples(
    profile: &mut Profile,
    session_file: &Path,
    header: &Header,
    threads: &ThreadIds,
) {
    let path = JvmFile::Samples.beside(session_file);
    let mut samples = match AgentSamples::read(&path, header.clock.base_ticks, threads) {
        Ok(Some(samples)) => samples,
        Ok(None) => return,
        Err(error) => {
            let notice = format!("the stacks that were sampled cannot be read: {error}");
            profile.meta.notices.push(notice);
            profile.stack_samples.source = SampleSource::Missing;
            return;
        }
    };
    if let Some(why) = &samples.ended {
        let from_then_on = samples.began.map_or("", |_| " from some time on");
        profile.meta.notices.push(format!("no stacks were sampled{from_then_on}: {why}"));
    }
    if samples.began.is_none() {
        profile.stack_samples.source = SampleSource::Missing;
        return;
    }
    if let Some(end) = header.end_ticks {
        end_with_session(&mut samples.recording, Ticks(end));
    }
    let nanos = |ticks: u64| {
        TickRate::new(header.clock.hz).unwrap_or(TickRate::NANOS).nanos(Ticks(ticks)).0
    };
    let sampled_nanos = nanos(samples.sampled_ticks(header.end_ticks));
    let delay = u64::try_from(SAMPLING_DELAY.as_nanos()).unwrap_or(u64::MAX);
    if let Some(ticks) = samples.usual_ticks {
        samples.recording.samples.period_nanos = Some(nanos(ticks));
    }
    let open = OpenCalls::default();
    profile.stack_samples = StackSamples {
        sampled_nanos,
        spanned_nanos: sampled_nanos.saturating_add(delay),
        ..stack_samples(profile, &samples.recording, &open, SampleSource::Agent)
    };
}

fn reading(at: u64) -> ClockReading {
    let session = SessionTicks(at.cast_signed());
    ClockReading { at: JfrTicks(at), number: 0, before: session, after: session }
}

/// A file on its way into a recording.
struct Reader<'a> {
    base: u64,
    threads: &'a ThreadIds,
    read: AgentSamples,
    /// By stack: whether it is of a virtual thread.
    is_virtual: Vec<bool>,
}

impl Reader<'_> {
    fn add(&mut self, line: SamplesFileLine) {
        let samples = &mut self.read.recording.samples;
        match line {
            SamplesFileLine::Begin(begin) => {
                let at = begin.at.wrapping_sub(self.base).cast_signed();
                self.read.began = Some(SessionTicks(at));
                samples.period_nanos = Some(begin.period_nanos);
            }
            SamplesFileLine::Method(method) => samples.methods.push(SampledMethod {
                class: method.class.into(),
                name: method.name.into(),
                descriptor: method.descriptor.into(),
            }),
            SamplesFileLine::Stack(stack) => {
                let outermost = stack.frames.iter().rev().take(3);
                let mut outermost = outermost.filter_map(|of| samples.methods.get(*of as usize));
                let is_virtual = outermost.any(|of| (&*of.class, &*of.name) == VIRTUAL_THREAD);
                self.is_virtual.push(is_virtual);
                let stack = Stack { frames: stack.frames, is_truncated: stack.truncated };
                samples.stacks.push(stack);
            }
            SamplesFileLine::Samples(all) => {
                for (at, kernel_id, stack) in all {
                    self.add_sample(at, kernel_id, stack);
                }
            }
            SamplesFileLine::Lost(LostSamples { unwalkable, no_space }) => {
                samples.without_stack = unwalkable.saturating_add(no_space);
            }
            SamplesFileLine::End(why) => self.read.ended = Some(why),
        }
    }

    fn add_sample(&mut self, at: u64, kernel_id: u32, stack: u32) {
        let Some(is_virtual) = self.is_virtual.get(stack as usize) else { return };
        let thread = match (is_virtual, self.threads.java_id(kernel_id)) {
            (true, _) => JfrThread { is_virtual: true, ..JfrThread::default() },
            (false, Some(java_id)) => {
                JfrThread { os_id: kernel_id.into(), java_id, is_virtual: false }
            }
            (false, None) => JfrThread { os_id: kernel_id.into(), ..JfrThread::default() },
        };
        let recording = &mut self.read.recording;
        let thread = recording.threads.place(thread);
        // Before the session's begin nothing is recorded.
        let at = JfrTicks(at.saturating_sub(self.base));
        recording.samples.samples.push(Sample { stack, kind: SampleKind::Java, at, thread });
    }
}

/// The usual distance of two samples of a thread that runs: the kernel looks at timers when its own
/// clock ticks, which is more seldom than was asked for. A quarter of all distances are at most
/// that long, so waits do not count.
fn usual_ticks(recording: &Recording) -> Option<u64> {
    let mut last: HashMap<u32, u64> = HashMap::new();
    let mut distances = Vec::new();
    for sample in &recording.samples.samples {
        if let Some(before) = last.insert(sample.thread.0, sample.at.0) {
            distances.push(sample.at.0.saturating_sub(before));
        }
    }
    let quarter = distances.len() / 4;
    (distances.len() >= 8).then(|| *distances.select_nth_unstable(quarter).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"begin":{"at":1000,"period_nanos":2000000}}
{"method":{"class":"p/A","name":"run","descriptor":"()V"}}
{"method":{"class":"java/lang/VirtualThread","name":"run","descriptor":"()V"}}
{"stack":{"frames":[0]}}
{"stack":{"frames":[0,1],"truncated":true}}
{"samples":[[1100,7,0],[1104,8,1],[1200,9,0],[1300,7,99]]}
{"lost":{"unwalkable":3,"no_space":1}}
{"samples":[[1400,7,0]"#;

    fn thread(kernel_id: u64, thread_id: u64) -> ThreadInfo {
        ThreadInfo { sequence: thread_id, thread_id, kernel_id, name: String::new() }
    }

    fn read(text: &str, threads: &ThreadIds) -> AgentSamples {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jvm-1-2.samples");
        jfathom_files::write(&path, text).unwrap();
        AgentSamples::read(&path, 1000, threads).unwrap().unwrap()
    }

    #[test]
    fn samples_have_threads_and_times_of_the_session() {
        let mut threads = ThreadIds::default();
        threads.add(&[thread(7, 1), thread(9, 3), thread(9, 4), thread(0, 5)]);
        let found = read(FILE, &threads);
        let Recording { samples, threads, .. } = &found.recording;
        // Stack 99 is not there, and the last line was not finished.
        let seen: Vec<_> = samples
            .samples
            .iter()
            .map(|sample| {
                let of = threads.get(sample.thread);
                (sample.at.0, of.java_id, of.is_virtual)
            })
            .collect();
        // The kernel's id 9 was given twice.
        assert_eq!(seen, [(100, 1, false), (104, 0, true), (200, 0, false)]);
        assert_eq!((samples.without_stack, samples.stacks.len()), (4, 2));
        assert!(samples.stacks[1].is_truncated && found.ended.is_none());
        assert_eq!((found.began, found.sampled_ticks(Some(500))), (Some(SessionTicks(0)), 500));
    }

    #[test]
    fn the_usual_distance_is_without_waits() {
        let entries: Vec<String> = (0..20)
            .map(|at| format!("[{},7,0]", 1000 + at * 4 + if at > 12 { 900 } else { 0 }))
            .collect();
        let line = format!(
            "{}\n{{\"samples\":[{}]}}\n",
            &FILE[..FILE.find("{\"samples").unwrap()],
            entries.join(",")
        );
        let mut threads = ThreadIds::default();
        threads.add(&[thread(7, 1)]);
        assert_eq!(read(&line, &threads).usual_ticks, Some(4));
    }

    #[test]
    fn no_file_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let found = AgentSamples::read(&folder.path().join("x"), 0, &ThreadIds::default());
        assert!(found.unwrap().is_none());
    }
}
