//! Records and profiles.

use jfathom_compare::{join, merge};
use jfathom_export::{Format, export};
use jfathom_plan::{DigestHasher, MethodId};
use jfathom_profile::{
    Builder, BuilderSink, Checkpoint, Context, Demotion, MethodNames, Profile, SliceStart,
    ThreadHandle, TickRate,
};
use jfathom_report::{Section, View, json, text};
use jfathom_testkit::{profiles::meta, records::info};
use jfathom_trace::offline::OfflineSession;
use std::{fs, os::unix::fs::PermissionsExt};

/// Bytes that say in what pieces the records come, and what happens between these.
pub const RECORDS_HEAD: usize = 32;

/// Any words at all as the records of two threads' rings, behind [`RECORDS_HEAD`] bytes. Of each of
/// these bit 0 chooses the ring, bits 1 to 4 how many records come, and the others what happens
/// then.
pub fn records(data: &[u8]) {
    let (head, body) = data.split_at(RECORDS_HEAD.min(data.len()));
    let mut words: &[u64] =
        &body.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect::<Vec<_>>();
    let mut builder = Builder::new();
    // The byte before it says who splits the times into running ones and others.
    match head.get(RECORDS_HEAD - 2).map_or(0, |byte| byte % 3) {
        1 => builder.record_own_clocks(1_000_000_000),
        2 => builder.record_cpu(),
        _ => {}
    }
    let mut threads = [builder.thread(&info(1, "one")), builder.thread(&info(2, "two"))];
    builder.keep_slowest(3);
    // Small enough that trees of a few nodes are folded. The last byte of the head says how small.
    if let Some(kibibytes) = head.last().filter(|kibibytes| **kibibytes < 128) {
        builder.set_max_memory(u64::from(*kibibytes) << 10);
    }
    if let (Some(two), Some(three)) = (MethodId::new(2), MethodId::new(3)) {
        builder.watch(&[two]);
        builder.demote(three, Demotion::UNKNOWN);
    }
    builder.begin_slice(SliceStart::default());
    let mut slices = Vec::new();
    for step in head.iter().cycle().take(4 * words.len() + head.len()) {
        let thread = threads[usize::from(step & 1)];
        let (now, later) = words.split_at(usize::from(step >> 1 & 15).min(words.len()));
        builder.feed(thread, now);
        words = later;
        match step >> 5 {
            4 => builder.end_round(),
            5 if slices.len() < 4 => slices.push(cut(&mut builder, &mut threads)),
            6 => builder.gap(thread, 1),
            7 => builder = read_checkpoint(builder),
            _ => {}
        }
    }
    builder.feed(threads[0], words);
    builder.end_thread(threads[0]);
    slices.push(builder);
    let profiles: Vec<Profile> =
        slices.into_iter().map(|slice| finish(slice, &[])).inspect(write_and_read).collect();
    if let Ok(joined) = join(profiles) {
        assert!(joined.check().is_ok(), "slices make a profile that contradicts itself");
    }
}

/// Ends a slice. Neither thread has ended, so both go on.
fn cut(builder: &mut Builder, threads: &mut [ThreadHandle]) -> Builder {
    let (before, moved) = builder.cut();
    threads.iter_mut().for_each(|thread| *thread = moved[thread]);
    before
}

/// What goes on after the collector was killed. Only sums of times that no clock can reach are
/// refused.
fn read_checkpoint(builder: Builder) -> Builder {
    let mut bytes = Vec::new();
    builder.checkpoint(Vec::new()).write(&mut bytes).expect("memory can be written");
    match Checkpoint::read(&mut bytes.as_slice()) {
        Ok(read) => {
            let mut builder = read.builder;
            builder.keep_slowest(3);
            builder
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("a count that no recording reaches"), "{error}");
            builder
        }
    }
}

/// A session file of a dead JVM.
pub fn session_file(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("jvm-1-1.jft");
    fs::write(&path, data).expect("the folder can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the file is ours");
    let Ok(Some(file)) = OfflineSession::open(&path) else { return };
    let (_, _) = (file.info(), file.counters());
    let mut feeder = BuilderSink::new();
    let _ = file.read(&[], &mut feeder);
    finish(feeder.into_builder(), &file.virtual_calls().unwrap_or_default());
}

fn finish(builder: Builder, virtual_calls: &[(MethodId, u64)]) -> Profile {
    let names = MethodNames::default();
    let rate = TickRate::NANOS;
    let profile = builder.finish(Context { meta: meta(1), rate, names: &names, virtual_calls });
    for method in &profile.methods {
        let exits = [method.returns, method.throws, method.inferred, method.open]
            .into_iter()
            .fold(0, u64::saturating_add);
        assert_eq!(method.entries, exits, "{}", method.info.key);
    }
    profile
}

/// A profile file, or the body of one: what is read can be written and read again, shown, exported,
/// and summed up.
pub fn profile_file(data: &[u8]) {
    let sealed = || Profile::read(&mut seal(data).as_slice());
    let Ok(profile) = Profile::read(&mut &*data).or_else(|_| sealed()) else { return };
    write_and_read(&profile);
    show(&profile);
    let _ = join(vec![profile.clone()]);
    if let Some(twice) = merge(vec![profile.clone(), profile]) {
        assert!(twice.check().is_ok(), "a sum that contradicts itself");
    }
}

/// Bytes of a file before its body, and behind it.
pub const PROFILE_ENDS: (usize, usize) = (32, 8);

/// The file with this body: mutations hardly ever find one with a right checksum.
fn seal(body: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    finish(Builder::new(), &[]).write(&mut file).expect("memory can be written");
    // Magic, version and length of the header; lengths of the packed body and of the body follow.
    file.truncate(16);
    let packed = zstd::bulk::compress(body, 1).expect("memory can be compressed");
    file.extend((packed.len() as u64).to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    let mut hasher = DigestHasher::default();
    hasher.bytes(&file);
    hasher.bytes(&packed);
    file.extend(packed);
    file.extend(hasher.finish().0.to_le_bytes());
    file
}

fn write_and_read(profile: &Profile) {
    let mut bytes = Vec::new();
    profile.write(&mut bytes).expect("memory can be written");
    let again = Profile::read(&mut bytes.as_slice());
    let again = again.unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
    assert!(again == *profile, "read back as another profile");
}

/// All parts of a report.
const SECTIONS: [Section; 11] = [
    Section::Overview,
    Section::Summary,
    Section::Tree,
    Section::Rows,
    Section::Stanzas,
    Section::Callers,
    Section::Hot,
    Section::Threads,
    Section::Virtual,
    Section::Latency,
    Section::Slowest,
];

/// All formats.
const FORMATS: [Format; 10] = [
    Format::Collapsed,
    Format::Pprof,
    Format::Speedscope,
    Format::Firefox,
    Format::Jfr,
    Format::Callgrind,
    Format::Otlp,
    Format::Csv,
    Format::Markdown,
    Format::Perfetto,
];

fn show(profile: &Profile) {
    let mut out = std::io::sink();
    let view = View { threshold: 0.0, ..View::default() };
    let _ = text(profile, &SECTIONS, &view, &mut out);
    let _ = json(profile, &view, &mut out);
    for format in FORMATS {
        let _ = export(profile, &view.scope, format, &mut out);
    }
}
