//! Profile and checkpoint files: what is written is read, and what is damaged is refused.

use jfathom_compare::{into_series, merge, minimum};
use jfathom_plan::Unfollowed;
use jfathom_profile::{
    Builder, Checkpoint, FileError, Frame, Labels, Limits, Meta, MethodInfo, MethodIx, Metric,
    Profile, Provenance, SampleCounts, SampleFrame, SampleSource, SampleTreeBuilder, SampledName,
    StackSamples, StackWalks, ThreadIx, Ticks, WalkedMethod,
};
use jfathom_testkit::{Random, profiles::*, records::*, tree_text::*};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, RingPosition};

/// A builder in the middle of things: open frames, a task, repairs.
/// Of the format, as `docs/profile-format.md` has it.
const VERSION: u32 = 15;

fn busy() -> Builder {
    let mut builder = Builder::new();
    let (a, b) = (builder.thread(&info(1, "a")), builder.thread(&info(2, "β")));
    let start = Record::ThreadStart { high: 2, sequence: 1 };
    feed(
        &mut builder,
        a,
        &[start, e(1, 0), e(2, 10), x(2, 14), c(1, 64), e(3, 70), e(2, 80), e(1, 90)],
    );
    feed(&mut builder, a, &[r(3, 100), e(2, 110), r(2, 111), e(4, 120)]);
    feed(
        &mut builder,
        b,
        &[start, Record::TaskOpen { id: id(0), time: 0 }, e(5, 7), r(6, 9), Record::ThreadEnd],
    );
    builder.end_thread(b);
    builder
}

fn busy_profile() -> Profile {
    let mut profile = profile(&busy());
    profile.meta.command = vec!["java".to_owned(), "-jar".to_owned(), "x.jar".to_owned()];
    profile.meta.jvms[0].provenance.push(Provenance {
        container: "out/x.jar".to_owned(),
        plan: "0123".to_owned(),
        first_id: 0,
        ids: 10,
        tool: "jfathom test".to_owned(),
    });
    profile
}

fn bytes(profile: &Profile) -> Vec<u8> {
    let mut bytes = Vec::new();
    profile.write(&mut bytes).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<Profile, FileError> {
    Profile::read(&mut &*bytes)
}

#[test]
fn a_profile_is_read_as_it_was_written() {
    let profile = busy_profile();
    let bytes = bytes(&profile);
    assert_eq!(read(&bytes).unwrap(), profile);
    // What follows the file is left to the caller.
    let longer = [&bytes[..], b"rest"].concat();
    let mut input = &longer[..];
    assert_eq!(Profile::read(&mut input).unwrap(), profile);
    assert_eq!(input, b"rest");
    assert_eq!(Profile::read_whole(&mut &bytes[..]).unwrap(), profile);
    let error = Profile::read_whole(&mut &longer[..]).unwrap_err();
    assert!(error.to_string().contains("behind the checksum"), "{error}");
}

#[test]
fn stack_samples_are_kept_and_must_be_of_what_is_there() {
    let mut profile = busy_profile();
    let without = bytes(&profile);
    let sampled = |thread: u32, method: u32| {
        let mut builder = SampleTreeBuilder::default();
        let (class, name) = ("java/util/TimSort".to_owned(), "sort".to_owned());
        let sort = SampleFrame::Sampled(builder.name(&SampledName { class, name }));
        let recorded = [Frame::Thread(ThreadIx(thread)), Frame::Method(MethodIx(method))];
        let frames = recorded.map(SampleFrame::Recorded).into_iter().chain([sort]);
        builder.add(frames, SampleCounts { running: 3, native: 1, probes: 0 });
        let (names, tree) = builder.finish();
        StackSamples { source: SampleSource::Jfr, names, tree, ..StackSamples::default() }
    };
    profile.stack_samples = sampled(0, 0);
    let whole = bytes(&profile);
    assert_eq!(read(&whole).unwrap(), profile);
    for sum in [merge, into_series] {
        let sum = sum(vec![profile.clone(), busy_profile()]).unwrap();
        assert_eq!(sum.stack_samples.placed().all(), 4);
        assert_eq!(sum.stack_samples.source, SampleSource::Partly);
    }
    for (thread, method) in [(99, 0), (0, 999)] {
        profile.stack_samples = sampled(thread, method);
        assert!(read(&bytes(&profile)).is_err());
    }
    assert!(!read(&without).unwrap().stack_samples.is_recorded());
}

#[test]
fn stack_walks_are_kept_and_must_be_of_what_is_there() {
    let mut profile = busy_profile();
    let without = bytes(&profile);
    let walked = |method: u32, caller: u32, walks: u64, due: u64| {
        let mut builder = SampleTreeBuilder::default();
        let (class, name) = ("java/util/TimSort".to_owned(), "sort".to_owned());
        let sort = SampleFrame::Sampled(builder.name(&SampledName { class, name }));
        let [method, caller] = [method, caller].map(MethodIx);
        let recorded = |method| SampleFrame::Recorded(Frame::Method(method));
        let counts = SampleCounts { running: walks, ..SampleCounts::default() };
        builder.add([recorded(method), sort, recorded(caller)], counts);
        let of = WalkedMethod { method, interval: 5, due, truncated: 1, unknown: 2 };
        StackWalks::new(vec![of], builder, 3)
    };
    profile.stack_walks = walked(0, 1, 7, 9);
    assert_eq!(read(&bytes(&profile)).unwrap(), profile);
    for sum in [merge, into_series] {
        for other in [busy_profile(), profile.clone()] {
            let times = if other.stack_walks.is_recorded() { 2 } else { 1 };
            let sum = sum(vec![profile.clone(), other]).unwrap();
            let of = sum.stack_walks.methods[0];
            assert_eq!((of.interval, of.due), (5, 9 * times));
            assert_eq!(sum.stack_walks.walks(of.method), 7 * times);
            assert_eq!(read(&bytes(&sum)).unwrap(), sum);
        }
    }
    for (method, caller, walks, due) in [(999, 1, 7, 9), (0, 999, 7, 9), (0, 1, 7, 8), (0, 1, 0, 9)]
    {
        profile.stack_walks = walked(method, caller, walks, due);
        assert!(read(&bytes(&profile)).is_err(), "{method} {caller} {walks} {due}");
    }
    assert!(!read(&without).unwrap().stack_walks.is_recorded());
}

#[test]
fn an_empty_profile_is_a_profile() {
    let profile = profile(&Builder::new());
    assert_eq!(read(&bytes(&profile)).unwrap(), profile);
    assert_eq!((profile.total_time(), profile.tree.len()), (Ticks(0), 0));
}

#[test]
fn other_files_and_versions_are_named() {
    let mut file = bytes(&busy_profile());
    assert_eq!(read(b"").unwrap_err().to_string(), "not a jfathom profile");
    assert_eq!(read(b"PK\x03\x04 and so on").unwrap_err().to_string(), "not a jfathom profile");
    let mut checkpoint = Vec::new();
    busy().checkpoint(Vec::new()).write(&mut checkpoint).unwrap();
    assert!(matches!(read(&checkpoint), Err(FileError::OtherKind(_))));
    file[8] = 1;
    let error = read(&file).unwrap_err();
    assert!(matches!(error, FileError::Version(1)), "{error}");
    assert!(error.to_string().contains("version 1"), "{error}");
}

/// The header as the page describes it, by hand.
#[test]
fn the_header_is_as_documented() {
    let file = bytes(&busy_profile());
    let number = |offset: usize| u64::from_le_bytes(*file[offset..].first_chunk().unwrap());
    assert_eq!(&file[..8], b"JFPROF\x1a\n");
    assert_eq!(number(8), 32 << 32 | u64::from(VERSION));
    assert_eq!(number(16), file.len() as u64 - 32 - 8);
    assert_eq!(&file[32..36], [0x28, 0xb5, 0x2f, 0xfd], "a zstd frame");
    assert_eq!(number(24), zstd::decode_all(&file[32..file.len() - 8]).unwrap().len() as u64);
}

#[test]
fn what_the_plan_could_not_follow_is_kept() {
    let mut profile = busy_profile();
    profile.meta.unfollowed.add(Unfollowed::ReflectiveCall, 3);
    profile.meta.unfollowed.add(Unfollowed::UnreadableCode, 0x0201);
    let file = bytes(&profile);
    assert_eq!(read(&file).unwrap(), profile);
    // Of recordings of one plan the sum says what the plan says.
    for sum in [merge, into_series, minimum] {
        let sum = sum(vec![profile.clone(), busy_profile()]).unwrap();
        assert_eq!(sum.meta.unfollowed, profile.meta.unfollowed);
    }
}

#[test]
fn the_number_of_what_was_recorded_in_turn_is_kept() {
    let mut profile = busy_profile();
    profile.meta.interleaving_id = std::num::NonZeroU64::new(0x0102_0304_0506_0708);
    let file = bytes(&profile);
    assert_eq!(read(&file).unwrap(), profile);
    // Sums keep it where all have it.
    let with = |id| Profile {
        meta: Meta { interleaving_id: id, ..profile.meta.clone() },
        ..profile.clone()
    };
    for (other, kept) in
        [(profile.meta.interleaving_id, true), (std::num::NonZeroU64::new(9), false), (None, false)]
    {
        for sum in [merge, into_series, minimum] {
            let sum = sum(vec![with(profile.meta.interleaving_id), with(other)]).unwrap();
            assert_eq!(sum.meta.interleaving_id, profile.meta.interleaving_id.filter(|_| kept));
            assert_eq!(
                merge(vec![with(other), profile.clone()]).unwrap().meta.interleaving_id,
                sum.meta.interleaving_id
            );
        }
    }
}

#[test]
fn the_size_of_the_input_is_kept() {
    let size = std::num::NonZeroU64::new(0x0a_0102);
    let with = |size| Profile { meta: Meta { size, ..busy_profile().meta }, ..busy_profile() };
    let file = bytes(&with(size));
    assert_eq!(read(&file).unwrap(), with(size));
    // Sums keep it where all have it.
    for sum in [merge, into_series, minimum] {
        assert_eq!(sum(vec![with(size), with(size)]).unwrap().meta.size, size);
        for other in [None, std::num::NonZeroU64::new(9)] {
            assert_eq!(sum(vec![with(size), with(other)]).unwrap().meta.size, None);
            assert_eq!(sum(vec![with(other), with(size)]).unwrap().meta.size, None);
        }
    }
}

#[test]
fn limits_of_jvms_are_kept() {
    let mut profile = busy_profile();
    let without = bytes(&profile);
    let limits = Limits { milli_cpus: Some(1500), memory_bytes: None };
    profile.meta.jvms[0].limits = limits;
    assert_eq!(read(&bytes(&profile)).unwrap(), profile);
    for sum in [merge, into_series, minimum] {
        let sum = sum(vec![profile.clone(), busy_profile()]).unwrap();
        let of_jvms: Vec<Limits> = sum.meta.jvms.iter().map(|jvm| jvm.limits).collect();
        let mut expected = vec![Limits::default(); of_jvms.len()];
        expected[0] = limits;
        assert_eq!(of_jvms, expected);
    }
    // A profile without them has nothing of them.
    profile.meta.jvms[0].limits = Limits::default();
    assert_eq!(bytes(&profile), without);
}

#[test]
fn numbers_of_hand_offs_are_kept() {
    let with = |all, of_run| {
        let mut profile = into_series(vec![busy_profile(), busy_profile()]).unwrap();
        profile.quality.handed_off = all;
        profile.runs[1].info.quality.handed_off = of_run;
        profile
    };
    for (all, of_run) in [(9, 5), (9, 0), (0, 5)] {
        let profile = with(all, of_run);
        let kept = read(&bytes(&profile)).unwrap();
        assert_eq!(kept, profile);
        assert_eq!(kept.quality.handed_off, all);
    }
    // A profile without them has nothing of them.
    let without = into_series(vec![busy_profile(), busy_profile()]).unwrap();
    assert_eq!(bytes(&with(0, 0)), bytes(&without));
}

#[test]
fn methods_with_resumptions_are_kept_and_must_be_there() {
    let mut profile = busy_profile();
    let without = bytes(&profile);
    profile.methods[1].info.resumes = true;
    let with = bytes(&profile);
    assert_eq!(read(&with).unwrap(), profile);
    let sum = merge(vec![profile.clone(), profile.clone()]).unwrap();
    let resumed = sum.methods.iter().filter(|method| method.info.resumes);
    assert_eq!(resumed.count(), 1);
    profile.methods[1].info.resumes = false;
    assert_eq!(bytes(&profile), without);
}

#[test]
fn labels_are_kept() {
    let labels = |all: &[&str]| -> Labels {
        Labels::new(all.iter().map(|text| text.parse().unwrap())).unwrap()
    };
    let with = |labels| {
        let mut profile = busy_profile();
        profile.meta.labels = labels;
        profile
    };
    let profile = with(labels(&["branch=main", "commit=1"]));
    assert_eq!(read(&bytes(&profile)).unwrap(), profile);
    assert_eq!(Profile::read_meta(&mut &*bytes(&profile)).unwrap().labels, profile.meta.labels);
    let longest =
        with(labels(&[&format!("a={}", "v".repeat(1024)), &format!("b={}", "v".repeat(1020))]));
    assert_eq!(read(&bytes(&longest)).unwrap(), longest);
    for sum in [merge, into_series, minimum] {
        let sum = sum(vec![profile.clone(), with(labels(&["branch=main", "commit=2"]))]).unwrap();
        assert_eq!(sum.meta.labels, labels(&["branch=main"]));
    }
}

/// The file of a profile whose sections are changed: each tag with its bytes.
fn with_sections(profile: &Profile, change: impl FnOnce(&mut Vec<(String, Vec<u8>)>)) -> Vec<u8> {
    let file = bytes(profile);
    let body = zstd::decode_all(&file[32..file.len() - 8]).unwrap();
    let (mut sections, mut rest) = (Vec::new(), &body[..]);
    while !rest.is_empty() {
        let ((tag, len), behind) = postcard::take_from_bytes::<(String, u64)>(rest).unwrap();
        let (value, behind) = behind.split_at(len as usize);
        sections.push((tag, value.to_vec()));
        rest = behind;
    }
    change(&mut sections);
    let mut body = Vec::new();
    for (tag, value) in sections {
        body.extend(postcard::to_stdvec(&(tag, value.len() as u64)).unwrap());
        body.extend(value);
    }
    sealed(body.len() as u64, &zstd::bulk::compress(&body, 3).unwrap())
}

#[test]
fn what_is_not_known_is_passed_over_and_named() {
    let profile = busy_profile();
    let more = ("heat".to_owned(), vec![7; 300_000]);
    let found = read(&with_sections(&profile, |all| all.insert(3, more))).unwrap();
    let mut expected = profile.clone();
    expected.meta.notices.push(
        "the profile has a section \"heat\", which this jfathom does not know and leaves out"
            .to_owned(),
    );
    assert_eq!(found, expected);
    let with_metrics = |more: &[(&str, Vec<u64>)]| {
        with_sections(&profile, |all| {
            let (_, value) = all.iter_mut().find(|(tag, _)| tag == "numbers").unwrap();
            let mut metrics: Vec<(String, Vec<u64>)> = postcard::from_bytes(value).unwrap();
            metrics.extend(more.iter().map(|(key, of)| ((*key).to_owned(), of.clone())));
            *value = postcard::to_stdvec(&metrics).unwrap();
        })
    };
    let found = read(&with_metrics(&[("heat", vec![5; 3])])).unwrap();
    assert_eq!(found.tree, profile.tree);
    assert!(found.meta.notices[0].contains("a metric heat, which"));
    assert!(read(&with_metrics(&[("timed", vec![1; profile.tree.len()])])).is_err());
}

#[test]
fn a_section_is_as_long_as_it_says_and_there_once() {
    let profile = busy_profile();
    let read = |change: fn(&mut Vec<(String, Vec<u8>)>)| read(&with_sections(&profile, change));
    assert_eq!(read(|_| ()).unwrap(), profile);
    assert!(read(|all| all[1].1.push(0)).is_err());
    assert!(read(|all| all[1].1.truncate(1)).is_err());
    assert!(read(|all| all.push(all[1].clone())).unwrap_err().to_string().contains("twice"));
    assert!(read(|all| all.swap(0, 1)).is_ok());
}

/// What is passed over is named: a file of many names would be much longer in memory.
#[test]
fn only_so_many_names_are_passed_over() {
    let profile = busy_profile();
    let with = |count: usize, tag: fn(usize) -> String| {
        let more = (0..count).map(|at| (tag(at), Vec::new()));
        read(&with_sections(&profile, |all| all.extend(more))).map(|read| read.meta.notices.len())
    };
    assert_eq!(with(200, |at| format!("heat {at}")).unwrap(), 200);
    assert!(with(300, |at| format!("heat {at}")).unwrap_err().to_string().contains("sections"));
    assert!(with(1, |_| "heat".repeat(20)).unwrap_err().to_string().contains("80 bytes"));
}

/// A run has no more numbers than its part of the file, whatever the run before has.
#[test]
fn a_run_without_a_metric_has_none_of_the_run_before() {
    let mut profile = into_series(vec![busy_profile(), busy_profile()]).unwrap();
    profile.runs[1].numbers[Metric::Throws] = jfathom_profile::PackedNumbers::default();
    assert_ne!(profile.runs[0].numbers[Metric::Throws].len(), 0);
    assert_eq!(read(&bytes(&profile)).unwrap().runs[1], profile.runs[1]);
}

#[test]
fn every_cut_and_every_flipped_bit_is_an_error() {
    let file = bytes(&busy_profile());
    for len in 0..file.len() {
        assert!(read(&file[..len]).is_err(), "cut at {len}");
    }
    for at in 0..file.len() * 8 {
        let mut damaged = file.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert!(read(&damaged).is_err(), "bit {at}");
    }
}

/// A file with a right checksum around any content.
fn sealed(body_bytes: u64, packed: &[u8]) -> Vec<u8> {
    let mut file = b"JFPROF\x1a\n".to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend(32_u32.to_le_bytes());
    file.extend((packed.len() as u64).to_le_bytes());
    file.extend(body_bytes.to_le_bytes());
    let mut hasher = jfathom_plan::DigestHasher::default();
    hasher.bytes(&file);
    hasher.bytes(packed);
    file.extend(packed);
    file.extend(hasher.finish().0.to_le_bytes());
    file
}

#[test]
fn content_that_lies_about_its_size_takes_no_memory() {
    let zeros = zstd::bulk::compress(&vec![0; 100 << 20], 3).unwrap();
    assert!(zeros.len() < 1 << 20);
    for announced in [0, 1, 100 << 20, u64::MAX] {
        assert!(
            matches!(read(&sealed(announced, &zeros)), Err(FileError::Content(_))),
            "{announced}"
        );
    }
    // A length of 2^62 packed bytes, of which there are none.
    let mut file = sealed(10, b"");
    file[23] = 0x40;
    assert!(matches!(read(&file), Err(FileError::Truncated)));
    // Within the content: a vector of 2^60 elements.
    let body = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
    let packed = zstd::bulk::compress(&body, 3).unwrap();
    assert!(matches!(read(&sealed(body.len() as u64, &packed)), Err(FileError::Content(_))));
}

#[test]
fn random_content_never_panics() {
    let file = bytes(&busy_profile());
    let body = zstd::decode_all(&file[32..file.len() - 8]).unwrap();
    let mut random = Random(99);
    let mut read_anyway = 0;
    for _ in 0..3000 {
        let mut body = body.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(body.len() as u64) as usize;
            body[at] = random.next() as u8;
        }
        let packed = zstd::bulk::compress(&body, 1).unwrap();
        if let Ok(profile) = read(&sealed(body.len() as u64, &packed)) {
            profile.check().unwrap();
            render(&profile, &profile.tree);
            jfathom_compare::hot_methods(&profile, |_| true);
            read_anyway += 1;
        }
    }
    assert!(read_anyway > 0 && read_anyway < 3000);
}

#[test]
fn a_checkpoint_goes_on_where_it_was_taken() {
    let rest = [e(2, 130), r(2, 140), r(4, 150), r(1, 160), e(9, 170)];
    let positions = vec![RingPosition { ring: RingIx(3), sequence: 1, position: 99 }];
    let mut builder = busy();
    let mut file = Vec::new();
    builder.checkpoint(positions.clone()).write(&mut file).unwrap();
    let Checkpoint { builder: mut again, positions: read } =
        Checkpoint::read(&mut &file[..]).unwrap();
    assert_eq!(read, positions);
    assert_eq!(profile(&again), profile(&builder));
    for builder in [&mut builder, &mut again] {
        // Handles are given in order.
        let mut threads = Builder::new();
        let first = threads.thread(&info(1, "a"));
        feed(builder, first, &rest);
    }
    assert_eq!(profile(&again), profile(&builder));
    assert_eq!(again.live_threads(), 1);
}

#[test]
fn damaged_checkpoints_never_panic() {
    let mut file = Vec::new();
    busy().checkpoint(Vec::new()).write(&mut file).unwrap();
    let body = zstd::decode_all(&file[32..file.len() - 8]).unwrap();
    let mut random = Random(5);
    let mut read_anyway = 0;
    for _ in 0..3000 {
        let mut body = body.clone();
        let at = random.below(body.len() as u64) as usize;
        body[at] = random.next() as u8;
        let packed = zstd::bulk::compress(&body, 1).unwrap();
        let mut sealed = sealed(body.len() as u64, &packed);
        sealed.truncate(sealed.len() - 8);
        // Magic and version.
        sealed[..12].copy_from_slice(&file[..12]);
        let mut hasher = jfathom_plan::DigestHasher::default();
        hasher.bytes(&sealed[..32]);
        hasher.bytes(&sealed[32..]);
        sealed.extend(hasher.finish().0.to_le_bytes());
        if let Ok(mut checkpoint) = Checkpoint::read(&mut &sealed[..]) {
            profile(&checkpoint.builder);
            let mut threads = Builder::new();
            let first = threads.thread(&info(1, "a"));
            feed(&mut checkpoint.builder, first, &[e(2, 130), r(2, 140), r(1, 150)]);
            read_anyway += 1;
        }
    }
    assert!(read_anyway > 0 && read_anyway < 3000);
}

#[test]
fn methods_keep_what_manifests_say() {
    let profile = busy_profile();
    let of = |value: u32| profile.methods.iter().find(|method| method.id == id(value)).unwrap();
    assert_eq!(of(3).info, method(3));
    assert!(of(0).info.root, "a root that only tasks name is in the table");
    let MethodInfo { key, .. } = &of(1).info;
    assert_eq!(key.to_string(), "p.C::m1()V");
}

#[test]
fn memory_follows_the_bytes_that_are_in_the_file() {
    // Eight MiB that hardly anything stands for: not what a recording holds.
    let body = vec![0; 8 << 20];
    let packed = zstd::bulk::compress(&body, 3).unwrap();
    let refused = read(&sealed(body.len() as u64, &packed)).unwrap_err().to_string();
    assert!(refused.contains("would unpack to 8388608"), "{refused}");
    // What jfathom has written it reads, whatever it holds.
    let mut profile = busy_profile();
    profile.meta.notices.push("x".repeat(8 << 20));
    let file = bytes(&profile);
    assert!(file.len() >= (8 << 20) / 32);
    assert_eq!(read(&file).unwrap(), profile);
}
