//! The samples of a recording.

use crate::{
    chunk::Event,
    chunk_reader::ChunkReader,
    clock::JfrTicks,
    constants::Constants,
    error::{JfrError, Problem},
    layout::{Part, skip},
    metadata::Metadata,
    recording::Recording,
    threads::{JfrThreadIx, Threads},
};
use std::{collections::HashMap, io::Read, sync::Arc};

/// The samples of one recording or several.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The methods of all stacks, each once.
    pub methods: Vec<SampledMethod>,
    /// The stacks, each once.
    pub stacks: Vec<Stack>,
    /// The samples, in the order of the file.
    pub samples: Vec<Sample>,
    /// Samples whose stack is not in the file.
    pub without_stack: u64,
    /// Chunks that the JVM had not finished. Their last events may be missing.
    pub unfinished_chunks: u64,
    /// How often running threads were looked at, in ns between two looks: the shortest that a
    /// recording says. None if no recording says it.
    pub period_nanos: Option<u64>,
    /// Class, name and descriptor of methods by the places of their texts, so that a text is hashed
    /// once, however many methods have it.
    method_places: HashMap<[u32; 3], u32>,
    texts: HashMap<Arc<str>, u32>,
    stack_places: HashMap<Stack, u32>,
}

/// A method of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SampledMethod {
    /// In internal form: `com/acme/Engine`.
    pub class: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// A stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Its frames' methods, as places in [`Samples::methods`], the innermost first.
    pub frames: Vec<u32>,
    /// Whether outer frames are missing: the stack was deeper than the JVM records.
    pub is_truncated: bool,
}

/// One sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The place of its stack in [`Samples::stacks`].
    pub stack: u32,
    /// What the thread did.
    pub kind: SampleKind,
    /// When, on JFR's clock.
    pub at: JfrTicks,
    /// The sampled thread, in [`Recording::threads`]; unknown in samples of several recordings.
    pub thread: JfrThreadIx,
}

/// What a sampled thread did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SampleKind {
    /// It ran Java code (`jdk.ExecutionSample`).
    Java,
    /// It was in a native method, perhaps to wait there (`jdk.NativeMethodSample`).
    Native,
}

/// The events with samples.
const KINDS: [(&str, SampleKind); 2] =
    [("jdk.ExecutionSample", SampleKind::Java), ("jdk.NativeMethodSample", SampleKind::Native)];

/// The event with the settings of the other events.
const SETTING: &str = "jdk.ActiveSetting";

impl Samples {
    /// The samples of a file.
    ///
    /// # Errors
    /// Fails if the file is no recording, or a damaged one.
    pub fn read(input: &mut dyn Read) -> Result<Self, JfrError> {
        Recording::read(input).map(|recording| recording.samples)
    }

    /// Adds a sample of these frames, the innermost first.
    pub fn push(
        &mut self,
        frames: impl IntoIterator<Item = SampledMethod>,
        is_truncated: bool,
        kind: SampleKind,
    ) {
        let mut places = Vec::new();
        for method in frames {
            let texts = [&method.class, &method.name, &method.descriptor];
            let texts = texts.map(|text| self.text(text));
            places.push(self.method(texts, || method));
        }
        let stack = self.stack(Stack { frames: places, is_truncated });
        let (at, thread) = Default::default();
        self.samples.push(Sample { stack, kind, at, thread });
    }

    /// Adds the samples of another recording.
    pub fn append(&mut self, other: &Self) {
        let mut methods = Vec::with_capacity(other.methods.len());
        for method in &other.methods {
            let texts = [&method.class, &method.name, &method.descriptor];
            let texts = texts.map(|text| self.text(text));
            methods.push(self.method(texts, || method.clone()));
        }
        let mut stacks = Vec::with_capacity(other.stacks.len());
        for stack in &other.stacks {
            let frames = stack.frames.iter().filter_map(|frame| methods.get(*frame as usize));
            let frames = frames.copied().collect();
            stacks.push(self.stack(Stack { frames, is_truncated: stack.is_truncated }));
        }
        for sample in &other.samples {
            let Some(stack) = stacks.get(sample.stack as usize) else { continue };
            let thread = JfrThreadIx::default();
            self.samples.push(Sample { stack: *stack, thread, ..*sample });
        }
        self.without_stack += other.without_stack;
        self.unfinished_chunks += other.unfinished_chunks;
        self.period_nanos = self.period_nanos.into_iter().chain(other.period_nanos).min();
    }

    fn text(&mut self, text: &Arc<str>) -> u32 {
        let next = self.texts.len() as u32;
        *self.texts.entry(text.clone()).or_insert(next)
    }

    fn method(&mut self, texts: [u32; 3], method: impl FnOnce() -> SampledMethod) -> u32 {
        let Self { methods, method_places, .. } = self;
        *method_places.entry(texts).or_insert_with(|| {
            methods.push(method());
            methods.len() as u32 - 1
        })
    }

    fn stack(&mut self, stack: Stack) -> u32 {
        let Self { stacks, stack_places, .. } = self;
        *stack_places.entry(stack).or_insert_with_key(|stack| {
            stacks.push(stack.clone());
            stacks.len() as u32 - 1
        })
    }
}

/// Reads the samples and stacks of one chunk.
pub(crate) struct SampleEvents {
    kinds: [Option<u64>; KINDS.len()],
    setting: Option<u64>,
    /// By key: the places of the stacks and methods that were met.
    stacks: HashMap<u64, Option<u32>>,
    methods: HashMap<u64, u32>,
    texts: HashMap<u64, (u32, Arc<str>)>,
}

impl SampleEvents {
    pub fn new(metadata: &Metadata) -> Self {
        Self {
            kinds: KINDS.map(|(name, _)| metadata.find(name)),
            setting: metadata.find(SETTING),
            stacks: HashMap::new(),
            methods: HashMap::new(),
            texts: HashMap::new(),
        }
    }

    pub fn add(
        &mut self,
        chunk: &mut ChunkReader,
        event: &Event,
        into: &mut Samples,
        threads: &mut Threads,
    ) -> Result<(), Problem> {
        if Some(event.of) == self.setting {
            return self.add_setting(chunk, event, into);
        }
        let Some(which) = self.kinds.iter().position(|of| *of == Some(event.of)) else {
            return Ok(());
        };
        let [at, key, thread] =
            chunk.numbers(event, ["startTime", "stackTrace", "sampledThread"])?;
        let Some(stack) = self.stack(key, chunk.constants, into) else {
            into.without_stack += 1;
            return Ok(());
        };
        let thread = threads.place(chunk.thread(thread));
        into.samples.push(Sample { stack, kind: KINDS[which].1, at: JfrTicks(at), thread });
        Ok(())
    }

    /// The place of a stack, if the chunk has it with frames.
    pub fn stack(&mut self, key: u64, constants: &Constants, into: &mut Samples) -> Option<u32> {
        if let Some(stack) = self.stacks.get(&key) {
            return *stack;
        }
        let stack = self.find_stack(key, constants, into);
        self.stacks.insert(key, stack);
        stack
    }

    fn find_stack(&mut self, key: u64, constants: &Constants, into: &mut Samples) -> Option<u32> {
        let raw = constants.stacks.get(&key).filter(|raw| !raw.methods.is_empty())?;
        let frames = raw.methods.iter().map(|key| self.method(*key, constants, into)).collect();
        Some(into.stack(Stack { frames, is_truncated: raw.is_truncated }))
    }

    fn method(&mut self, key: u64, constants: &Constants, into: &mut Samples) -> u32 {
        if let Some(place) = self.methods.get(&key) {
            return *place;
        }
        let [class, name, descriptor] = constants.methods.get(&key).copied().unwrap_or_default();
        let class = constants.classes.get(&class).copied().unwrap_or_default();
        let texts = [class, name, descriptor].map(|key| self.text(key, constants, into));
        let method = || {
            let [class, name, descriptor] = texts.each_ref().map(|(_, text)| text.clone());
            SampledMethod { class, name, descriptor }
        };
        let place = into.method(texts.each_ref().map(|(place, _)| *place), method);
        self.methods.insert(key, place);
        place
    }

    /// A symbol with its place; an empty text for one that is not there.
    fn text(&mut self, key: u64, constants: &Constants, into: &mut Samples) -> (u32, Arc<str>) {
        if let Some(known) = self.texts.get(&key) {
            return known.clone();
        }
        let text = constants.symbols.get(&key).cloned().unwrap_or_default();
        let text = (into.text(&text), text);
        self.texts.insert(key, text.clone());
        text
    }

    /// Learns the period of samples of running threads.
    fn add_setting(
        &mut self,
        chunk: &mut ChunkReader,
        event: &Event,
        into: &mut Samples,
    ) -> Result<(), Problem> {
        let layout = chunk.layouts.get(event.of)?;
        let mut bytes = chunk.bytes(event);
        let [id, name, value] = ["id", "name", "value"].map(|field| layout.place(field));
        let (mut of, mut texts) = (None, [None, None]);
        for (at, part) in layout.parts.iter().enumerate() {
            match part {
                Part::Number(width) if id == Some(at) => of = Some(bytes.number(*width)?),
                Part::Text if name == Some(at) => texts[0] = bytes.text()?,
                Part::Text if value == Some(at) => texts[1] = bytes.text()?,
                part => skip(&mut bytes, part)?,
            }
        }
        let [Some(name), Some(value)] = texts else { return Ok(()) };
        if of.is_some() && of == self.kinds[0] && &*name == "period" {
            into.period_nanos = into.period_nanos.into_iter().chain(nanos(&value)).min();
        }
        Ok(())
    }
}

/// A duration as settings have it: `10 ms`.
fn nanos(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let unit: u64 = match unit.trim() {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|nanos| *nanos > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_settings() {
        assert_eq!(nanos("10 ms"), Some(10_000_000));
        assert_eq!(nanos("20ms"), Some(20_000_000));
        assert_eq!(nanos("1 s"), Some(1_000_000_000));
        for text in ["everyChunk", "", "10", "0 ms", "99999999999999999999 ms", "5 h"] {
            assert_eq!(nanos(text), None, "{text}");
        }
    }
}
