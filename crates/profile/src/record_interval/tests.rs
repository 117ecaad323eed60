use super::*;

fn word(kind: u64, time: u64) -> u64 {
    kind | 5 << l::TIME_BITS | time
}

#[test]
fn buckets_cover_all_times_in_order() {
    let times = (0..1 << 14).chain((14..40).map(|doubling| 1 << doubling)).chain([u64::MAX]);
    let mut last = 0;
    for ticks in times {
        let bucket = bucket(ticks);
        assert!(bucket >= last && bucket < BUCKETS, "{ticks}");
        last = bucket;
        if bucket + 1 < BUCKETS {
            assert!(start_of(bucket as u16) <= ticks as f64, "{ticks}");
            assert!(start_of(bucket as u16 + 1) > ticks as f64, "{ticks}");
        }
    }
    assert_eq!(last, BUCKETS - 1);
}

#[test]
fn quantiles_are_near_the_truth() {
    let mut reservoir = IntervalReservoir::default();
    for ticks in 0..=1000_u64 {
        reservoir.add(
            word(l::ENTRY, TIME_MASK - 3),
            word(l::RETURN, (TIME_MASK - 3 + ticks) & TIME_MASK),
        );
    }
    reservoir.add(word(l::THROW, 10), word(l::ENTRY, 17));
    reservoir.add(l::ESCAPE_ADJUST | 5, word(l::ENTRY, 17));
    let intervals = reservoir.record_intervals();
    assert_eq!(
        intervals.iter().map(|s| (s.from, s.to, s.count())).collect::<Vec<_>>(),
        [(RecordKind::Entry, RecordKind::Return, 1001), (RecordKind::Throw, RecordKind::Entry, 1)]
    );
    for quantile in [0.01, 0.1, 0.5, 0.9] {
        let found = intervals[0].quantile(quantile, TickRate::NANOS);
        assert!((found - quantile * 1000.0).abs() <= 2.0 + quantile * 30.0, "{quantile}: {found}");
    }
    let found = intervals[0].quantile_between(0.5, 100.0, 200.0, TickRate::NANOS);
    assert!((found - 150.0).abs() < 5.0, "{found}");
    assert!((intervals[0].share_between(100.0, 200.0, TickRate::NANOS) - 0.1).abs() < 0.01);
    assert_eq!(
        IntervalReservoir::resume(&intervals, reservoir.position()).record_intervals(),
        intervals
    );
    assert!(intervals.iter().all(RecordIntervals::is_valid));
}

#[test]
fn a_sample_is_a_small_part_of_all() {
    let words: Vec<u64> = (0..1_000_000).map(|time| word(l::ENTRY, time)).collect();
    for slice in [1_000_000, 2048, 100, 3, 2] {
        let mut reservoir = IntervalReservoir::default();
        words.chunks(slice).for_each(|slice| reservoir.observe(slice));
        let taken = reservoir.record_intervals()[0].count();
        assert!((10..50_000).contains(&taken), "{slice}: {taken}");
    }
}
