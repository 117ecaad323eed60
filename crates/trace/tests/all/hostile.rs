//! Files that lie: an error that names the file, or nothing, but never a panic or an access
//! outside.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::support::{Seen, ready, session_dir};
use jfathom_plan::MethodId;
use jfathom_testkit::session_writer::{NewSession, SessionWriter};
use jfathom_trace::layout as l;
use jfathom_trace::offline::OfflineSession;
use jfathom_trace::record::Record;
use jfathom_trace::{OpenOutcome, RingIx, RingPosition, SessionDir, SessionFile};

/// A file with one ring and a few records; returns the writer so that the mapping stays.
fn sound(dir: &SessionDir) -> SessionWriter {
    let (mut writer, _) =
        ready(dir, NewSession { ring_bytes: 512, ring_slots: 4, ..NewSession::default() });
    writer.info(l::INFO_VM_NAME, "a VM");
    let mut main = writer.thread("main", 1).unwrap();
    for time in 0..20 {
        main.push(Record::Entry { id: MethodId::new(7).unwrap(), time });
    }
    writer.count_call(&main, MethodId::new(8).unwrap(), 3).unwrap();
    writer
}

/// Reads a file in every way there is.
fn read_all(path: &Path) -> Result<Seen, String> {
    let mut seen = Seen::default();
    if let Some(dead) = OfflineSession::open(path).map_err(|error| error.to_string())? {
        let _ = (dead.info(), dead.virtual_calls(), dead.counters(), dead.modes());
        let from = [RingPosition { ring: RingIx(0), sequence: 1, position: u64::MAX }];
        let _ = dead.read(&from, &mut Seen::default());
        let _ = dead.read(&[], &mut seen);
    }
    if let OpenOutcome::Ready(mut live) =
        SessionFile::open(path).map_err(|error| error.to_string())?
    {
        let _ = (
            live.info(),
            live.virtual_calls(),
            live.counters(),
            live.modes(),
            live.counts(RingIx(0)),
        );
        live.set_mode(MethodId::MAX, 1);
        let mut seen = Seen::default();
        live.drain(&mut seen);
        live.drain_offline(&mut seen);
        let _ = live.positions();
    }
    Ok(seen)
}

fn set(file: &File, offset: usize, value: u64) {
    file.write_all_at(&value.to_le_bytes(), offset as u64).unwrap();
}

fn set_u32(file: &File, offset: usize, value: u32) {
    file.write_all_at(&value.to_le_bytes(), offset as u64).unwrap();
}

#[test]
fn one_damage_each_in_the_header() {
    type Damage = fn(&File);
    let cases: &[(Damage, &str)] = &[
        (|f| set(f, l::HEADER_MAGIC, 1), "not a jfathom session"),
        (|f| set_u32(f, l::HEADER_VERSION, 99), "session layout 99"),
        (|f| set(f, l::HEADER_LAYOUT_HASH, 5), "(0000000000000005)"),
        (|f| set_u32(f, l::HEADER_STATE, 77), "not a jfathom session"),
        (|f| set(f, l::HEADER_CLOCK_HZ, 0), "a clock of 0 Hz"),
        (|f| set(f, l::HEADER_CLOCK_HZ, u64::MAX), "Hz"),
        (|f| set_u32(f, l::HEADER_CLOCK_KIND, 9), "clock kind 9"),
        (|f| set(f, l::HEADER_RING_BYTES, 513), "rings of 513 bytes"),
        (|f| set_u32(f, l::HEADER_RECORDING, 9), "recording kind 9"),
        (|f| set_u32(f, l::HEADER_ID_FIRST, u32::MAX), "the id span"),
        (|f| set_u32(f, l::HEADER_ID_COUNT, u32::MAX), "the id span"),
        (|f| set_u32(f, l::HEADER_ID_COUNT, 1 << 22), "the mode table"),
        (|f| set_u32(f, l::HEADER_RING_SLOTS, u32::MAX), "ring slots"),
        (|f| set_u32(f, l::HEADER_RING_SLOTS, 1 << 20), "the ring directory"),
        (|f| set(f, l::HEADER_INFO_OFFSET, 0), "the info area"),
        (|f| set(f, l::HEADER_INFO_OFFSET, 4097), "the info area"),
        (|f| set(f, l::HEADER_INFO_OFFSET, u64::MAX), "the info area"),
        (|f| set(f, l::HEADER_INFO_BYTES, 0), "an info area of 0 bytes"),
        (|f| set(f, l::HEADER_INFO_BYTES, u64::MAX), "an info area"),
        (|f| set(f, l::HEADER_MODES_OFFSET, 1 << 40), "the mode table"),
        (|f| set(f, l::HEADER_READING_OFFSET, 1 << 40), "the reading table"),
        (|f| set(f, l::HEADER_READING_OFFSET, 8192), "overlap"),
        (|f| set(f, l::HEADER_VIRTUAL_OFFSET, 8192), "overlap"),
        (|f| set(f, l::HEADER_DIRECTORY_OFFSET, 4096), "overlap"),
    ];
    for (damage, expected) in cases {
        let (_parent, dir) = session_dir();
        let writer = sound(&dir);
        damage(&File::options().write(true).open(writer.path()).unwrap());
        let error = read_all(writer.path()).err().unwrap_or_default();
        assert!(error.contains(expected), "{expected:?} in {error:?}");
        assert!(error.starts_with(&writer.path().display().to_string()), "{error}");
    }
}

#[test]
fn one_damage_each_in_a_descriptor() {
    let (_parent, dir) = session_dir();
    let writer = sound(&dir);
    let file = File::options().read(true).write(true).open(writer.path()).unwrap();
    let mut word = [0; 8];
    file.read_exact_at(&mut word, l::HEADER_DIRECTORY_OFFSET as u64).unwrap();
    let at = u64::from_le_bytes(word) as usize;
    file.read_exact_at(&mut word, at as u64 + u64::from(l::DESCRIPTOR_OFFSET)).unwrap();
    let ring = u64::from_le_bytes(word) as usize;
    let cases = [
        (at + l::DESCRIPTOR_OFFSET as usize, u64::MAX),
        (at + l::DESCRIPTOR_OFFSET as usize, 0),
        (at + l::DESCRIPTOR_OFFSET as usize, 4096),
        (at + l::DESCRIPTOR_OFFSET as usize, ring as u64 + 8),
        (at + l::DESCRIPTOR_RING_BYTES as usize, 1 << 30),
        (at + l::DESCRIPTOR_RING_BYTES as usize, 8),
        (at + l::DESCRIPTOR_START as usize, 1),
        (at + l::DESCRIPTOR_START as usize, u64::MAX),
        (ring + l::RING_CONSUMED as usize, u64::MAX),
    ];
    for (offset, value) in cases {
        file.read_exact_at(&mut word, offset as u64).unwrap();
        set(&file, offset, value);
        let mut seen = Seen::default();
        OfflineSession::open(writer.path()).unwrap().unwrap().read(&[], &mut seen).unwrap();
        assert_eq!(seen.damage.len(), 1, "{value} at {offset}: {:?}", seen.damage);
        assert!(seen.damage[0].contains("ring 0"), "{:?}", seen.damage);
        let mut live = Seen::default();
        if let OpenOutcome::Ready(mut open) = SessionFile::open(writer.path()).unwrap() {
            open.drain(&mut live);
            open.drain(&mut live);
        }
        assert_eq!(live.damage, seen.damage, "said once");
        file.write_all_at(&word, offset as u64).unwrap();
    }
    assert_eq!(read_all(writer.path()).unwrap().records[&1].len(), 21, "sound again");
}

#[test]
fn every_length_of_a_cut_file() {
    let (_parent, dir) = session_dir();
    let writer = sound(&dir);
    let path = writer.path().to_owned();
    drop(writer);
    let whole = std::fs::read(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    for len in (0..whole.len() as u64).step_by(977).chain([4095, 4096, 4097]) {
        file.set_len(len).unwrap();
        if let Ok(seen) = read_all(&path) {
            // A ring is there as a whole or not at all.
            assert!(seen.records.values().all(|records| records.len() == 21), "cut at {len}");
        }
        file.write_all_at(&whole, 0).unwrap();
    }
}

#[test]
fn random_words_anywhere() {
    let (_parent, dir) = session_dir();
    let writer = sound(&dir);
    let path = writer.path().to_owned();
    drop(writer);
    let whole = std::fs::read(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let interesting = [0, 1, 63, 4096, 1 << 31, 1 << 32, 1 << 62, u64::MAX - 7, u64::MAX];
    let mut errors = 0;
    for _ in 0..2000 {
        let offset = match random() % 3 {
            0 => random() % 160,
            1 => random() % l::HEADER_BYTES as u64,
            _ => random() % (whole.len() as u64 - 8),
        };
        let value = match random() % 2 {
            0 => random(),
            _ => interesting[random() as usize % interesting.len()],
        };
        set(&file, offset as usize, value);
        errors += u32::from(read_all(&path).is_err());
        file.write_all_at(&whole, 0).unwrap();
    }
    assert!(errors > 100, "the damage reaches the header");
}
