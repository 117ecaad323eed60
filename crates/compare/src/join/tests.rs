use std::cmp::Reverse;
use std::collections::HashSet;

use jfathom_plan::MethodId;
use jfathom_profile::{BuilderSink, Context, Durations, MethodNames, SliceStart, TickRate};
use jfathom_testkit::{Random, small_profile};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, Sink as _, ThreadInfo, layout as l};

use super::*;

fn entry(of: u32, time: u64) -> u64 {
    Record::Entry { id: MethodId::new(of).unwrap(), time }.encode()
}

fn exit(of: u32, time: u64) -> u64 {
    Record::Return { id: MethodId::new(of).unwrap(), time }.encode()
}

/// What is open on the thread.
#[derive(Clone, Copy)]
enum Open {
    Call(u32),
    Task(u32),
}

/// Random calls, tasks and counted calls of one thread.
fn words(random: &mut impl FnMut(u64) -> u64) -> Vec<u64> {
    let id = |of| MethodId::new(of).unwrap();
    let mut words = vec![l::ESCAPE_THREAD_START | 1];
    let mut stack: Vec<Open> = Vec::new();
    for time in (1..400).map(|step| step * 3) {
        let is_end = random(2) == 0 && !stack.is_empty() || stack.len() > 6;
        let kind = random(12);
        match stack.last().copied().filter(|_| is_end) {
            _ if kind == 0 => {
                words.push(Record::Counted { id: id(5), calls: 1 + time % 4 }.encode())
            }
            _ if kind == 2 => words.push(Record::Allocated { bytes: 7 * time }.encode()),
            Some(Open::Call(top)) => {
                stack.pop();
                words.push(exit(top, time));
            }
            Some(Open::Task(top)) => {
                stack.pop();
                words.push(Record::TaskClose { id: id(top), time }.encode());
            }
            None if kind == 1 => {
                stack.push(Open::Task(1));
                words.push(Record::TaskOpen { id: id(1), time }.encode());
            }
            None => {
                let of = 1 + random(3) as u32;
                stack.push(Open::Call(of));
                words.push(entry(of, time));
            }
        }
    }
    words
}

/// The same of a virtual thread, which its carrier leaves now and then.
fn carried(words: Vec<u64>, random: &mut impl FnMut(u64) -> u64) -> Vec<u64> {
    let mut now = 0;
    let switch =
        |thread, time| [Record::Switch { thread }.encode(), Record::SwitchTime { time }.encode()];
    let mut all = Vec::new();
    for (at, word) in words.into_iter().enumerate() {
        if at == 1 {
            all.extend(switch(70, 1));
        } else if at > 1 && random(9) == 0 {
            all.extend(switch(0, now).into_iter().chain(switch(70, now + 1)));
            all.push(Record::Parked { ticks: 1 }.encode());
        }
        all.push(word);
        if let Some(Record::Entry { time, .. } | Record::Return { time, .. }) = Record::decode(word)
        {
            now = time;
        }
    }
    all
}

/// A recording of one thread in so many slices, cut at random records, and the same as a whole. The
/// first half of the slices lacks the methods' names.
fn recording(seed: u64, slices: usize) -> (Vec<Profile>, Profile) {
    recording_of(seed, slices, false)
}

fn recording_of(seed: u64, slices: usize, is_virtual: bool) -> (Vec<Profile>, Profile) {
    let mut source = Random(seed + 1);
    let mut random = |bound| source.below(bound);
    let words = words(&mut random);
    let words = if is_virtual { carried(words, &mut random) } else { words };
    let mut cuts: Vec<usize> = (1..slices).map(|_| 1 + random(398) as usize).collect();
    cuts.sort_unstable();
    let info = ThreadInfo { sequence: 1, thread_id: 9, kernel_id: 0, name: "main".to_owned() };
    let ring = RingIx(0);
    let mut sink = BuilderSink::new();
    let mut whole = BuilderSink::new();
    for sink in [&mut sink, &mut whole] {
        sink.builder_mut().keep_slowest(SLOWEST);
        let start = SliceStart { recording: 1_700, ..SliceStart::default() };
        sink.builder_mut().begin_slice(start);
        sink.begin(ring, &info, 0);
    }
    let meta = small_profile::profile().meta;
    let mut names = MethodNames::default();
    for of in 1..6 {
        let info = small_profile::info("A", ["run", "step", "walk", "hop", "skip"][of - 1], "()V");
        names.insert(MethodId::new(of as u32).unwrap(), info);
    }
    let finish = |builder: jfathom_profile::Builder, names: &MethodNames| {
        let context =
            Context { meta: meta.clone(), rate: TickRate::NANOS, names, virtual_calls: &[] };
        let profile = builder.finish(context);
        profile.check().unwrap();
        profile
    };
    let mut parts = Vec::new();
    let mut from = 0;
    for cut in cuts {
        // What is known of a virtual thread outside of all calls ends with a round.
        for sink in [&mut sink, &mut whole] {
            sink.records(ring, &words[from..cut]);
            sink.round();
        }
        let known = if parts.len() < slices / 2 { &MethodNames::default() } else { &names };
        parts.push(finish(sink.cut(), known));
        from = cut;
    }
    sink.records(ring, &words[from..]);
    whole.records(ring, &words[from..]);
    parts.push(finish(sink.into_builder(), &names));
    (parts, finish(whole.into_builder(), &names))
}

/// How many of the slowest calls of each path are kept.
const SLOWEST: usize = 2;

/// A call path: each frame's kind and the id of its method.
type Ids = Vec<(char, u32)>;

/// A call path of the profile.
fn ids(profile: &Profile, path: &[Frame]) -> Ids {
    let of = |frame: &Frame| match frame {
        Frame::Method(method) => ('m', profile.method(*method).id.get()),
        Frame::Task(method) => ('t', profile.method(*method).id.get()),
        Frame::Thread(_) => ('-', 0),
    };
    path.iter().map(of).collect()
}

/// Call paths with timed and counted calls, self time, longest call, parked time and allocated
/// bytes.
fn paths(profile: &Profile) -> Vec<(Ids, [u64; 6])> {
    let mut path: Vec<Frame> = Vec::new();
    let mut found = Vec::new();
    let tree = &profile.tree;
    for node in tree.nodes() {
        path.truncate(tree.depth(node) as usize);
        path.push(tree.frame(node));
        let numbers = [tree.timed(node), tree.counted(node), tree.self_time(node).0];
        let [timed, counted, own] = numbers;
        let (longest, parked) = (tree.longest(node).0, tree.parked(node).0);
        let allocated = tree.allocated(node).0;
        found.push((ids(profile, &path), [timed, counted, own, longest, parked, allocated]));
    }
    found.sort();
    found
}

/// Paths and durations of the slowest calls, by path, slowest first.
fn slowest(profile: &Profile) -> Vec<(Ids, Reverse<u64>)> {
    let calls = profile.latencies.slowest.iter();
    let mut found: Vec<_> =
        calls.map(|of| (ids(profile, &of.path), Reverse(of.duration.0))).collect();
    found.sort();
    found
}

/// Histograms by path.
fn latencies(profile: &Profile) -> Vec<(Ids, &Durations)> {
    let paths = profile.latencies.paths.iter();
    let mut found: Vec<_> = paths.map(|of| (ids(profile, &of.path), &of.calls)).collect();
    found.sort_by_key(|of| of.0.clone());
    found
}

#[test]
fn slices_together_are_the_whole() {
    for (seed, is_virtual) in
        (1..300).map(|seed| (seed, false)).chain((1..300).map(|of| (of, true)))
    {
        let (mut slices, whole) = recording_of(seed, 1 + seed as usize % 7, is_virtual);
        let at = seed as usize % slices.len();
        slices.rotate_left(at);
        let named: HashSet<MethodId> = slices
            .iter()
            .flat_map(|slice| &slice.methods)
            .filter(|method| is_named(method))
            .map(|method| method.id)
            .collect();
        let joined = join(slices).unwrap();
        joined.check().unwrap();
        assert_eq!(paths(&joined), paths(&whole), "seed {seed}");
        assert_eq!(latencies(&joined), latencies(&whole), "seed {seed}");
        assert_eq!(slowest(&joined), slowest(&whole), "seed {seed}");
        let calls = |profile: &Profile| {
            let mut calls: Vec<_> = profile
                .methods
                .iter()
                .map(|method| {
                    let name = named.contains(&method.id).then(|| method.info.clone());
                    let counts = [method.entries, method.open, method.returns, method.counted];
                    (method.id, name, counts)
                })
                .collect();
            calls.sort_by_key(|of| of.0);
            calls
        };
        assert_eq!(calls(&joined), calls(&whole));
        assert_eq!(joined.quality.open_frames, whole.quality.open_frames);
        assert_eq!(joined.quality.records, whole.quality.records);
        assert_eq!(joined.allocation, whole.allocation);
        let unnamed = joined.methods.len() - named.len();
        assert_eq!(joined.quality.unnamed_methods, unnamed as u64);
        assert_eq!(joined.threads.len(), 1 + usize::from(is_virtual));
    }
}

#[test]
fn calls_over_a_hole_are_said() {
    let (mut slices, _) = recording(7, 4);
    slices.remove(1);
    let expected = slices[0].slice.as_ref().unwrap().carried_calls()
        + slices[1].slice.as_ref().unwrap().carried_calls();
    let joined = join(slices).unwrap();
    joined.check().unwrap();
    let losses = &joined.quality.other_losses;
    assert!(losses.contains(&"slices between number 0 and number 2 are missing".to_owned()));
    assert_eq!(joined.slice.unwrap().carried_calls(), expected);
}

#[test]
fn other_profiles_are_refused() {
    let (slices, whole) = recording(3, 2);
    assert_eq!(join(Vec::new()).unwrap_err(), JoinError::Nothing);
    let twice = vec![slices[0].clone(), slices[1].clone(), slices[0].clone()];
    assert_eq!(join(twice).unwrap_err(), JoinError::Twice(2));
    let no_slice = Profile { slice: None, ..whole };
    assert_eq!(join(vec![slices[0].clone(), no_slice]).unwrap_err(), JoinError::NoSlice(1));
    let mut other = slices[1].clone();
    other.meta.jvms[0].pid += 1;
    assert_eq!(join(vec![slices[0].clone(), other]).unwrap_err(), JoinError::OtherRecording(1));
    let mut later = slices[1].clone();
    later.slice.as_mut().unwrap().recording += 1;
    assert_eq!(join(vec![slices[0].clone(), later]).unwrap_err(), JoinError::OtherRecording(1));
}

#[test]
fn what_cannot_be_is_an_error() {
    let (mut slices, _) = recording(5, 3);
    slices[1].methods[0].entries += 1;
    let error = join(slices).unwrap_err();
    assert!(matches!(error, JoinError::Contradiction(_)) && error.place().is_none(), "{error}");
}
