//! Chunks made by hand.

use crate::encoder::{Encoder, TYPES, chunk, metadata, small};
use jfathom_jfr::{
    ClockReading, JfrError, JfrThread, JfrTicks, Problem, Recording, SampleKind, Samples,
    SessionTicks, StackWalk, ThreadEventKind,
};

pub fn read(mut bytes: &[u8]) -> Result<Samples, JfrError> {
    Samples::read(&mut bytes)
}

/// By sample: its frames, outermost first, and whether some are missing.
fn stacks(samples: &Samples) -> Vec<(String, bool)> {
    let name = |frame: &u32| samples.methods[*frame as usize].name.to_string();
    let stack = |stack: &jfathom_jfr::Stack| {
        let names: Vec<String> = stack.frames.iter().rev().map(name).collect();
        (names.join(" "), stack.is_truncated)
    };
    samples.samples.iter().map(|sample| stack(&samples.stacks[sample.stack as usize])).collect()
}

fn expected() -> Vec<(String, bool)> {
    [("main deep", false), ("deep", true), ("main deep", false)]
        .map(|(names, is_truncated)| (names.to_owned(), is_truncated))
        .to_vec()
}

#[test]
fn compressed_or_not_a_chunk_has_the_same_samples() {
    for is_compressed in [true, false] {
        let samples = read(&small(is_compressed)).unwrap();
        assert_eq!(stacks(&samples), expected(), "compressed: {is_compressed}");
        assert_eq!(samples.without_stack, 1);
        assert_eq!(samples.period_nanos, Some(20_000_000));
        assert_eq!((samples.methods.len(), samples.stacks.len()), (2, 2));
        let deep = &samples.methods[samples.stacks[0].frames[0] as usize];
        assert_eq!((&*deep.class, &*deep.descriptor), ("p/A", "()V"));
        assert_eq!(samples.samples[0].kind, SampleKind::Java);
        assert_eq!(samples.unfinished_chunks, 0);
    }
}

#[test]
fn events_have_their_times_and_threads() {
    for is_compressed in [true, false] {
        let recording = Recording::read(&mut &*small(is_compressed)).unwrap();
        let sample = recording.samples.samples[0];
        assert_eq!(sample.at, JfrTicks(5));
        let worker = JfrThread { os_id: 0, java_id: 12, is_virtual: true };
        assert_eq!(recording.threads.get(sample.thread), worker);
        assert_eq!(recording.threads.all().len(), 2);
        let reading = |at, number| ClockReading {
            at: JfrTicks(at),
            number,
            before: SessionTicks(2 * at.cast_signed() - 1),
            after: SessionTicks(2 * at.cast_signed() + 1),
        };
        assert_eq!(recording.clock, [reading(100, 4), reading(200, 5)]);
        assert_eq!(recording.ticks_per_second, Some(1_000_000_000));
    }
}

#[test]
fn walks_have_their_method_number_and_stack() {
    for is_compressed in [true, false] {
        let recording = Recording::read(&mut small(is_compressed).as_slice()).unwrap();
        let walk = |number, stack| StackWalk { method: 7, number, stack };
        let stack = recording.samples.samples[0].stack;
        assert_eq!(recording.stack_walks, [walk(1, Some(stack)), walk(2, None)]);
    }
}

#[test]
fn exceptions_have_stacks_and_waits_none() {
    for is_compressed in [true, false] {
        let recording = Recording::read(&mut &*small(is_compressed)).unwrap();
        let events = &recording.thread_events;
        let found: Vec<_> = events
            .events
            .iter()
            .map(|event| {
                let class = events.class(event).map(|class| class.to_string());
                (event.kind, event.begin.0, event.end.0, event.stack, class)
            })
            .collect();
        let class = Some("p/A".to_owned());
        assert_eq!(
            found,
            [
                (ThreadEventKind::Throw, 6, 6, Some(0), class),
                (ThreadEventKind::Park, 7, 10, None, None),
                (ThreadEventKind::Safepoint, 21, 30, None, None),
            ]
        );
        assert_eq!(recording.threads.get(events.events[0].thread).java_id, 12);
        assert_eq!(recording.samples.stacks[0].frames.len(), 2);
    }
}

#[test]
fn chunks_follow_each_other_and_share_stacks() {
    let file = [small(true), small(false), small(true)].concat();
    let samples = read(&file).unwrap();
    assert_eq!(samples.samples.len(), 9);
    assert_eq!((samples.methods.len(), samples.stacks.len()), (2, 2));
    let mut twice = read(&small(true)).unwrap();
    twice.append(&read(&small(false)).unwrap());
    assert_eq!(stacks(&twice), [expected(), expected()].concat());
    assert_eq!((twice.methods.len(), twice.stacks.len(), twice.without_stack), (2, 2, 2));
}

#[test]
fn a_chunk_that_is_still_written_is_the_last() {
    let mut growing = small(true);
    growing[64] = 3;
    let mut file = [small(true), growing].concat();
    // What the JVM has reserved behind it is no chunk.
    file.extend([0; 100]);
    let samples = read(&file).unwrap();
    assert_eq!((samples.samples.len(), samples.unfinished_chunks), (6, 1));
    // A chunk of which the header alone is written has no size.
    let mut begun = chunk(1, &Encoder::new(true));
    begun[8..16].fill(0);
    let samples = read(&[small(true), begun].concat()).unwrap();
    assert_eq!((samples.samples.len(), samples.unfinished_chunks), (3, 1));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let problem = |bytes: &[u8]| {
        let error = read(bytes).unwrap_err();
        (error.at, error.to_string())
    };
    let whole = small(true);
    let at = whole.len() as u64;
    let (place, text) = problem(&[&whole[..], b"PK\x03\x04 another file"].concat());
    assert_eq!(place, at);
    assert!(text.contains("no chunk"), "{text}");
    let (place, text) = problem(&[&whole[..], &whole[..100]].concat());
    assert!(place == at && text.contains("ends inside"), "{text}");
    let mut old = whole.clone();
    old[5] = 1;
    assert!(matches!(read(&old).unwrap_err().problem, Problem::Version(1, 1)));
    let mut huge = whole;
    huge[8..16].copy_from_slice(&(1_u64 << 40).to_be_bytes());
    assert!(matches!(read(&huge).unwrap_err().problem, Problem::TooLarge(_)));
    assert!(matches!(read(&[]).unwrap_err().problem, Problem::NoChunk));
    assert!(matches!(
        read(&chunk(0, &Encoder::new(true))).unwrap_err().problem,
        Problem::NoMetadata
    ));
}

/// Types that contain each other, or nothing, would be read without an end.
#[test]
fn types_without_an_end_are_refused() {
    type Types = &'static [(u64, &'static str, &'static [crate::encoder::Field])];
    const ENDLESS: [Types; 3] = [
        &[(1, "jdk.ExecutionSample", &[("a", 1, &[]), ("b", 1, &[])])],
        &[(1, "jdk.ExecutionSample", &[("a", 2, &[("dimension", "1")])]), (2, "empty", &[])],
        &[(1, "jdk.ExecutionSample", &[("a", 99, &[])])],
    ];
    for types in ENDLESS {
        let mut out = Encoder::new(true);
        out.event(1, |out| {
            out.long(0).long(0).long(0).byte(0).int(1).long(1).int(1).long(7).int(1);
        });
        metadata(&mut out, types);
        assert!(matches!(read(&chunk(0, &out)).unwrap_err().problem, Problem::Damaged(_)));
    }
    let mut out = Encoder::new(true);
    metadata(&mut out, TYPES);
    assert!(read(&chunk(0, &out)).unwrap().samples.is_empty());
}
