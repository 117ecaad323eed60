//! Runs, their minimum, and what holds for them.

use jfathom_compare::{into_series, merge, minimum};
use jfathom_profile::{Profile, Ticks};
use jfathom_testkit::{profiles::*, records::*, tree_text::*};
use jfathom_trace::record::Record;

/// A run in which `m2` is called `calls` times for `each` ns, once below `m3` if `rare`, on a
/// worker of this name.
fn run(calls: u64, each: u64, rare: bool, worker: &str) -> Profile {
    let mut builder = jfathom_profile::Builder::new();
    let main = builder.thread(&info(1, "main"));
    let mut time = 0;
    let mut records = vec![e(1, time)];
    for _ in 0..calls {
        records.extend([e(2, time), r(2, time + each)]);
        time += each;
    }
    if rare {
        records.extend([e(3, time), e(2, time), x(2, time + 1), r(3, time + 5)]);
        time += 5;
    }
    records.extend([r(1, time + 10), Record::ThreadEnd]);
    feed(&mut builder, main, &records);
    let other = builder.thread(&info(2, worker));
    feed(&mut builder, other, &[e(4, 0), r(4, each)]);
    profile(&builder)
}

#[test]
fn runs_are_kept_beside_their_sum() {
    let runs = vec![
        run(3, 10, false, "pool-1-thread-1"),
        run(5, 20, true, "pool-1-thread-22"),
        run(3, 12, true, "other"),
    ];
    let all = into_series(runs.clone()).unwrap();
    all.check().unwrap();
    assert_tree(
        &all,
        "
         main 3 0 206
           m1 3 30 206
             m2 11 166 166
             m3 2 8 10
               m2 2 2 2
         pool-#-thread-# 2 0 30
           m4 2 30 30
         other 1 0 12
           m4 1 12 12",
    );
    assert_eq!(
        (all.run_count(), all.meta.jvms.len(), all.quality.records),
        (3, 3, runs.iter().map(|r| r.quality.records).sum())
    );
    for (number, single) in runs.iter().enumerate() {
        let run = all.run(number).unwrap();
        run.check().unwrap();
        assert_eq!(run.total_time(), single.total_time());
        assert_eq!((run.meta.jvms.len(), &run.quality), (1, &single.quality));
        for method in &single.methods {
            let same = run.methods.iter().find(|other| other.info == method.info).unwrap();
            assert_eq!(same.counts(), method.counts());
        }
    }
    assert_eq!(all.run(3), None);
    let mut file = Vec::new();
    all.write(&mut file).unwrap();
    assert_eq!(Profile::read(&mut &file[..]).unwrap(), all);
    // Runs of runs are runs.
    let pairs =
        into_series(vec![into_series(runs[..2].to_vec()).unwrap(), runs[2].clone()]).unwrap();
    assert_eq!((pairs.runs, pairs.tree), (all.runs.clone(), all.tree.clone()));
    // A merge adds them up.
    let merged = merge(vec![all.clone(), all.clone()]).unwrap();
    merged.check().unwrap();
    assert_eq!((merged.run_count(), merged.total_time().0), (1, 2 * all.total_time().0));
}

#[test]
fn one_run_is_itself() {
    let single = run(3, 10, false, "worker");
    let collected = into_series(vec![single.clone()]).unwrap();
    assert_eq!(collected, single);
    assert_eq!(minimum(vec![single.clone()]).unwrap(), single);
    assert_eq!((into_series(Vec::new()), minimum(Vec::new())), (None, None));
}

#[test]
fn the_minimum_is_what_all_share() {
    let runs = vec![
        run(3, 10, true, "pool-1-thread-1"),
        run(5, 20, false, "pool-1-thread-2"),
        run(4, 5, true, "pool-3-thread-9"),
    ];
    let least = minimum(runs).unwrap();
    least.check().unwrap();
    assert_tree(
        &least,
        "
         main 1 0 30
           m1 1 10 30
             m2 3 20 20
         pool-#-thread-# 1 0 5
           m4 1 5 5",
    );
    let m2 = &least.methods[1];
    assert_eq!(
        (m2.entries, m2.returns, m2.throws),
        (3, 3, 0),
        "the exception was below m3 only, which one run is without"
    );
    assert_eq!(least.methods.len(), 3, "m3 is gone");
    assert_eq!(least.threads[0].unattributed, Ticks(0));
}

#[test]
fn different_clocks_become_nanoseconds() {
    let nanos = run(2, 10, false, "w");
    let mut fast = nanos.clone();
    fast.rate = jfathom_profile::TickRate::new(2_000_000_000).unwrap();
    let all = into_series(vec![nanos, fast]).unwrap();
    all.check().unwrap();
    assert_eq!(
        (all.run(0).unwrap().total_time(), all.run(1).unwrap().total_time()),
        (Ticks(40), Ticks(20))
    );
}
