//! Profiles of several JVMs as one.

use jfathom_compare::{Likeness, likeness, merge, shared_runs};
use jfathom_plan::Digest;
use jfathom_profile::{Builder, Context, MethodNames, Profile, TickRate, Ticks};
use jfathom_testkit::{profiles::*, records::*, tree_text::*};
use jfathom_trace::record::Record;

/// One thread's profile with its own names, clock and process id.
fn jvm(pid: u64, hz: u64, names: &MethodNames, records: &[Record]) -> Profile {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, &format!("main of {pid}")));
    feed(&mut builder, main, records);
    let mut meta = meta(pid);
    (meta.started_millis, meta.duration_millis) = (pid * 1000, 5000);
    meta.notices = vec!["a notice".to_owned()];
    builder.finish(Context {
        meta,
        rate: TickRate::new(hz).unwrap(),
        names,
        virtual_calls: &[(id(5), 1)],
    })
}

#[test]
fn methods_meet_by_name_and_digest_whatever_their_ids() {
    let one = jvm(1, 1_000_000_000, &names(), &[e(1, 0), e(2, 10), r(2, 15), r(1, 20)]);
    let mut shifted = MethodNames::default();
    shifted.insert(id(7), method(1));
    shifted.insert(id(8), method(2));
    // The same name with other code is another method.
    let mut changed = method(2);
    changed.digest = Digest(999);
    shifted.insert(id(9), changed);
    shifted.insert(id(5), method(5));
    let two =
        jvm(2, 1_000_000_000, &shifted, &[e(7, 0), e(8, 1), r(8, 2), e(9, 3), x(9, 6), e(8, 7)]);

    let merged = merge(vec![one, two]).unwrap();
    merged.check().unwrap();
    assert_tree(
        &merged,
        "
         main of 1 1 0 20
           m1 1 15 20
             m2 1 5 5
         main of 2 1 0 7
           m1 1 3 7
             m2 2 1 1
             m2 1 3 3",
    );
    let table: Vec<_> =
        merged.methods.iter().map(|m| (m.info.key.name.as_str(), m.info.digest.0)).collect();
    assert_eq!(table, [("m1", 1), ("m2", 2), ("m5", 5), ("m2", 999)]);
    let m2 = &merged.methods[1];
    assert_eq!((m2.entries, m2.returns, m2.open), (3, 2, 1));
    assert_eq!(merged.methods[2].virtual_calls, 2);
    assert_eq!(merged.threads.iter().map(|thread| thread.jvm).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(merged.meta.jvms.iter().map(|jvm| jvm.pid).collect::<Vec<_>>(), [1, 2]);
    assert_eq!((merged.meta.started_millis, merged.meta.duration_millis), (1000, 6000));
    assert_eq!(merged.meta.notices, ["a notice"]);
    assert_eq!(merged.quality.records, 10);
    assert_eq!(merged.rate, TickRate::NANOS);
}

/// Two class loaders have defined one class.
#[test]
fn methods_of_one_jvm_that_are_the_same_become_one_node() {
    let mut twice = names();
    twice.insert(id(9), method(2));
    let records = [e(1, 0), e(2, 1), r(2, 3), e(9, 4), e(3, 5), r(3, 6), r(9, 8), r(1, 9)];
    let first = jvm(1, 1_000_000_000, &names(), &[e(3, 0), r(3, 2)]);
    let merged = merge(vec![first, jvm(2, 1_000_000_000, &twice, &records)]).unwrap();
    merged.check().unwrap();
    assert_tree(
        &merged,
        "
         main of 1 1 0 2
           m3 1 2 2
         main of 2 1 0 9
           m1 1 3 9
             m2 2 5 6
               m3 1 1 1",
    );
}

#[test]
fn clocks_of_different_rates_become_nanoseconds() {
    let records = [e(1, 0), Record::Adjust { ticks: 26 }, e(2, 2626), r(2, 2652), r(1, 2678)];
    let tsc = jvm(1, 2_600_000_000, &names(), &records);
    let nanos = jvm(2, 1_000_000_000, &names(), &[e(1, 0), r(1, 7)]);
    assert_eq!(merge(vec![tsc.clone()]).unwrap(), tsc, "alone it keeps its clock");
    let merged = merge(vec![tsc, nanos]).unwrap();
    assert_tree(
        &merged,
        "
         main of 1 1 0 1020
           m1 1 1010 1020
             m2 1 10 10
         main of 2 1 0 7
           m1 1 7 7",
    );
    assert_eq!((merged.quality.excluded, merged.threads[0].excluded), (Ticks(10), Ticks(10)));
}

#[test]
fn nothing_merges_to_nothing() {
    assert_eq!(merge(Vec::new()), None);
}

#[test]
fn a_run_in_two_profiles_is_shared() {
    let run = |pid: u64| jvm(pid, 1_000_000_000, &names(), &[e(1, 0), r(1, 20)]);
    let both = merge(vec![run(1), run(2)]).unwrap();
    let shared = |profiles: &[Profile]| shared_runs(profiles).into_iter().collect::<Vec<_>>();
    assert_eq!(shared(&[run(1), run(2)]), []);
    assert_eq!(shared(&[run(3), both.clone(), run(2)]), [(1, 2)]);
    let twice = merge(vec![run(1), run(1)]).unwrap();
    assert_eq!(shared(&[run(3), twice]), [(1, 1)]);
}

#[test]
fn programs_are_alike_by_their_methods() {
    let table = |methods: &[(u32, u64)]| {
        let mut names = MethodNames::default();
        let mut records = Vec::new();
        for (value, digest) in methods {
            let mut info = method(*value);
            info.digest = Digest(*digest);
            names.insert(id(*value), info);
            records.extend([e(*value, 0), r(*value, 1)]);
        }
        jvm(1, 1_000_000_000, &names, &records).methods
    };
    let (one, edited) = (table(&[(1, 11), (2, 12)]), table(&[(1, 11), (2, 99)]));
    assert_eq!(likeness(&one, &one), Likeness::Same);
    assert_eq!(likeness(&one, &edited), Likeness::Edited(1));
    assert_eq!(likeness(&one, &table(&[(3, 13)])), Likeness::Unrelated);
    assert_eq!(likeness(&one, &[]), Likeness::Same);
}
