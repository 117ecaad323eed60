use super::*;

fn id(value: u32) -> MethodId {
    MethodId::new(value).unwrap()
}

/// Words written out by hand from the bit tables in `docs/trace-format.md`.
#[test]
fn bit_tables() {
    let cases = [
        (Record::Entry { id: id(0), time: 0 }, 0x4000_0000_0000_0000),
        (Record::Entry { id: id(1), time: 2 }, 0x4000_0100_0000_0002),
        (Record::Return { id: MethodId::MAX, time: TIME_MASK }, 0xbfff_ff7f_ffff_ffff),
        (Record::Throw { id: MethodId::MAX, time: TIME_MASK }, 0xffff_ff7f_ffff_ffff),
        (Record::ThreadStart { high: 0xab_cdef, sequence: 0x1234_5678 }, 0x01ab_cdef_1234_5678),
        (Record::ThreadEnd, 0x0200_0000_0000_0000),
        (Record::TimeHigh { high: 0x1ff_ffff }, 0x0300_0000_01ff_ffff),
        (Record::Adjust { ticks: 0xff_ffff_ffff_ffff }, 0x04ff_ffff_ffff_ffff),
        (Record::Caught { id: id(1), time: 64 }, 0x0500_0004_0000_0001),
        (Record::TaskOpen { id: MethodId::MAX, time: 0x7f_ffff_ffc0 }, 0x06ff_fffd_ffff_ffff),
        (Record::TaskClose { id: id(0), time: 0 }, 0x0700_0000_0000_0000),
        (Record::Counted { id: id(1), calls: 0x3_ffff_fff7 }, 0x0900_0007_ffff_fff7),
        (Record::CountedPair { methods: [(id(1), 63), (MethodId::MAX, 2)] }, 0x0a00_0007_ffff_ffc2),
        (Record::Switch { thread: 0xff_ffff_ffff_ffff }, 0x0cff_ffff_ffff_ffff),
        (Record::SwitchTime { time: 1 << 40 }, 0x0d00_0100_0000_0000),
        (Record::VirtualEnd { thread: 5 }, 0x0e00_0000_0000_0005),
        (Record::HandOff { number: 3, time: 64 }, 0x0f00_000c_0000_0001),
        (Record::TaskNumber { number: 3, time: 64 }, 0x1000_000c_0000_0001),
        (Record::Parked { ticks: 0xff_ffff_ffff_ffff }, 0x11ff_ffff_ffff_ffff),
        (Record::Allocated { bytes: 0xff_ffff_ffff_ffff }, 0x12ff_ffff_ffff_ffff),
        (Record::Ran { is_first: false, nanos: 5 }, 0x1300_0000_0000_0005),
        (Record::Ran { is_first: true, nanos: 0 }, 0x1380_0000_0000_0000),
        (Record::CaughtClass { class: u32::MAX }, 0x1400_0000_ffff_ffff),
        (Record::Unknown { kind: 63, payload: 9 }, 0x3f00_0000_0000_0009),
    ];
    for (record, word) in cases {
        assert_eq!(record.encode(), word, "{record:?}");
        assert_eq!(Record::decode(word), Some(record), "{word:#x}");
    }
}

#[test]
fn zero_is_no_record() {
    assert_eq!(Record::decode(0), None);
}

#[test]
fn every_word_decodes_and_no_record_encodes_to_zero() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..100_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Every second word gets an escape's type bits.
        for word in [state, state & !(3 << l::TYPE_SHIFT)] {
            let record = Record::decode(word).expect("not zero");
            if matches!(record, Record::Unknown { kind: 0, .. }) {
                continue;
            }
            assert_ne!(record.encode(), 0);
            assert_eq!(Record::decode(record.encode()), Some(record));
        }
    }
}

#[test]
fn wide_fields_are_cut() {
    assert_eq!(Record::Entry { id: id(0), time: u64::MAX }.encode(), 0x4000_007f_ffff_ffff);
    assert_eq!(Record::Unknown { kind: 0, payload: u64::MAX }.encode(), 0x3fff_ffff_ffff_ffff);
}

#[test]
fn durations_of_unsampled_calls_are_kept_to_28_bits() {
    let id = MethodId::new(7).unwrap();
    for ticks in [0, 1, (1 << 28) - 1, 1 << 28, (1 << 28) + 1, 1 << 40, u64::MAX >> 1, u64::MAX] {
        let word = Record::Unsampled { id, ticks }.encode();
        let Some(Record::Unsampled { id: found, ticks: kept }) = Record::decode(word) else {
            panic!("{ticks} became {word:#x}");
        };
        assert_eq!(found, id);
        assert!(kept <= ticks && ticks - kept <= ticks >> 27, "{ticks} became {kept}");
        assert!(ticks >= 1 << 28 || kept == ticks);
    }
    // A shift that no producer writes.
    let word = l::ESCAPE_UNSAMPLED | 63 << 28 | 1;
    assert_eq!(
        Record::decode(word),
        Some(Record::Unsampled { id: MethodId::new(0).unwrap(), ticks: 1 << 63 })
    );
}

#[test]
fn a_timed_record_says_whether_its_call_is_flushed() {
    let time = TIME_MASK;
    for record in [Record::Entry { id: id(1), time }, Record::Return { id: id(1), time }] {
        let word = record.encode();
        assert!(is_flushed(word));
        assert!(!is_flushed(word | l::UNFLUSHED));
        assert_eq!(Record::decode(word | l::UNFLUSHED), Some(record));
    }
}
