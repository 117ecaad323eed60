//! Hand-written records with their truth: counts, times and repairs.

use jfathom_compare::{hot_methods, merge_threads};
use jfathom_profile::{Builder, Quality, Ticks};
use jfathom_testkit::{Random, profiles::*, records::*, tree_text::*};
use jfathom_trace::layout as l;
use jfathom_trace::record::Record;

const START: Record = Record::ThreadStart { high: 0, sequence: 1 };

/// Entries, returns, throws, inferred, open of method `value`.
fn exits(profile: &jfathom_profile::Profile, value: u32) -> [u64; 5] {
    let method =
        profile.methods.iter().find(|method| method.id == id(value)).expect("the method was met");
    [method.entries, method.returns, method.throws, method.inferred, method.open]
}

#[test]
fn calls_nest_and_time_goes_to_the_top() {
    let p = one_thread(&[
        START,
        e(1, 100),
        e(2, 110),
        r(2, 115),
        e(2, 120),
        r(2, 127),
        e(3, 130),
        r(3, 131),
        r(1, 140),
    ]);
    assert_tree(
        &p,
        "
         main 1 0 40
           m1 1 27 40
             m2 2 12 12
             m3 1 1 1",
    );
    assert_eq!(exits(&p, 2), [2, 2, 0, 0, 0]);
    assert!(p.quality.is_clean());
    assert_eq!(p.quality.records, 9);
}

#[test]
fn time_between_the_calls_of_a_thread_is_outside() {
    let p = one_thread(&[START, e(1, 100), r(1, 110), e(1, 500), r(1, 503)]);
    assert_tree(
        &p,
        "
         main 1 0 13
           m1 2 13 13",
    );
    assert_eq!(p.threads[0].unattributed, Ticks(390));
}

#[test]
fn a_throw_closes_its_own_frame() {
    let p = one_thread(&[START, e(1, 0), e(2, 10), x(2, 14), c(1, 64), r(1, 70)]);
    assert_tree(
        &p,
        "
         main 1 0 70
           m1 1 66 70
             m2 1 4 4",
    );
    assert_eq!((exits(&p, 2), exits(&p, 1)), ([1, 0, 1, 0, 0], [1, 1, 0, 0, 0]));
    assert_eq!(p.methods.iter().map(|method| method.caught).collect::<Vec<_>>(), [1, 0]);
    assert!(p.quality.is_clean());
}

#[test]
fn a_missing_exit_is_inferred_from_the_callers_exit() {
    let p = one_thread(&[START, e(1, 0), e(2, 10), e(3, 20), r(1, 50)]);
    assert_tree(
        &p,
        "
         main 1 0 50
           m1 1 10 50
             m2 1 10 40
               m3 1 30 30",
    );
    assert_eq!((exits(&p, 2), exits(&p, 3)), ([1, 0, 0, 1, 0], [1, 0, 0, 1, 0]));
    assert_eq!(p.quality.inferred_exits, 2);
    assert!(!p.quality.is_clean());
}

#[test]
fn a_catch_closes_what_the_exception_left_without_a_probe() {
    // m2's frame has no exit; without the catch m3 would hang below it.
    let p = one_thread(&[START, e(1, 0), e(2, 64), c(1, 128), e(3, 130), r(3, 133), r(1, 140)]);
    assert_tree(
        &p,
        "
         main 1 0 140
           m1 1 73 140
             m2 1 64 64
             m3 1 3 3",
    );
    assert_eq!(exits(&p, 2), [1, 0, 0, 1, 0]);
}

/// Inferred exits that are a loss, and those of constructors that are none.
fn inferred(profile: &jfathom_profile::Profile) -> (u64, u64) {
    (profile.quality.inferred_exits, profile.quality.constructor_exits)
}

#[test]
fn an_exception_out_of_super_closes_constructors_and_is_no_loss() {
    // m1 makes a C10, whose super() is C11, whose super() is C12, which throws; m1 catches, and
    // goes on with m2.
    let p = one_thread(&[
        START,
        e(1, 0),
        e(10, 10),
        e(11, 20),
        e(12, 30),
        x(12, 40),
        c(1, 128),
        e(2, 130),
        r(2, 133),
        r(1, 140),
    ]);
    assert_tree(
        &p,
        "
         main 1 0 140
           m1 1 19 140
             <init> 1 10 118
               <init> 1 98 108
                 <init> 1 10 10
             m2 1 3 3",
    );
    assert_eq!(
        (exits(&p, 10), exits(&p, 11), exits(&p, 12)),
        ([1, 0, 0, 1, 0], [1, 0, 0, 1, 0], [1, 0, 1, 0, 0])
    );
    assert_eq!(inferred(&p), (0, 2));
    assert!(p.quality.is_clean(), "{:?}", p.quality);
    // The caller lets the exception go.
    let p = one_thread(&[START, e(1, 0), e(10, 10), e(11, 20), x(11, 30), x(1, 40)]);
    assert_eq!((exits(&p, 1), exits(&p, 10)), ([1, 0, 1, 0, 0], [1, 0, 0, 1, 0]));
    assert_eq!(inferred(&p), (0, 1));
    assert!(p.quality.is_clean(), "{:?}", p.quality);
}

#[test]
fn a_constructor_without_an_exit_is_a_loss_where_no_exception_came() {
    let returned = [START, e(1, 0), e(10, 10), r(1, 40)];
    let ended = [START, e(10, 10), Record::ThreadEnd];
    for records in [&returned[..], &ended[..]] {
        let p = one_thread(records);
        assert_eq!((exits(&p, 10), inferred(&p)), ([1, 0, 0, 1, 0], (1, 0)));
        assert!(!p.quality.is_clean());
    }
    // An exception went through a method that should have seen it.
    let p = one_thread(&[START, e(1, 0), e(10, 10), e(2, 20), x(1, 40)]);
    assert_eq!(inferred(&p), (1, 1));
    assert!(!p.quality.is_clean());
}

#[test]
fn what_closed_a_constructor_survives_a_checkpoint() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(1, 0), e(10, 10), x(1, 40)]);
    let mut file = Vec::new();
    builder.checkpoint(Vec::new()).write(&mut file).unwrap();
    let read = jfathom_profile::Checkpoint::read(&mut file.as_slice()).unwrap();
    assert_eq!(inferred(&profile(&read.builder)), (0, 1));
}

#[test]
fn a_coarse_time_never_runs_backwards() {
    // The catch happened after 100, but its time is told as 64.
    let p = one_thread(&[START, e(1, 0), e(2, 90), x(2, 100), c(1, 100), r(1, 110)]);
    assert_tree(
        &p,
        "
         main 1 0 110
           m1 1 100 110
             m2 1 10 10",
    );
    assert!(p.quality.is_clean());
}

#[test]
fn recursion_is_kept_in_the_tree_and_counted_once_in_totals() {
    let p = one_thread(&[
        START,
        e(1, 0),
        e(1, 10),
        e(2, 20),
        e(1, 30),
        r(1, 40),
        r(2, 50),
        r(1, 60),
        r(1, 70),
    ]);
    assert_tree(
        &p,
        "
         main 1 0 70
           m1 1 20 70
             m1 1 20 50
               m2 1 20 30
                 m1 1 10 10",
    );
    let hot: Vec<_> = hot_methods(&p, |_| true)
        .into_iter()
        .map(|hot| {
            (p.method(hot.method).id.get(), hot.calls(), hot.self_time().0, hot.total_time().0)
        })
        .collect();
    assert_eq!(hot, [(1, 3, 50, 70), (2, 1, 20, 30)]);
}

#[test]
fn a_missing_exit_in_recursion_still_reconciles() {
    let p = one_thread(&[START, e(1, 0), e(1, 10), e(1, 20), r(1, 30), r(1, 40)]);
    assert_eq!(exits(&p, 1), [3, 2, 0, 0, 1]);
    assert_eq!(p.quality.open_frames, 1);
}

#[test]
fn a_recording_may_begin_in_the_middle() {
    let p =
        one_thread(&[START, e(3, 0), r(3, 5), r(2, 10), e(4, 12), r(1, 20), e(5, 30), r(5, 31)]);
    // m4 was open when a method exited whose entry is not there: so m4 has ended as well.
    assert_tree(
        &p,
        "
         main 1 0 14
           m3 1 5 5
           m4 1 8 8
           m5 1 1 1",
    );
    assert_eq!(p.quality.unmatched_exits, 2);
    assert_eq!((exits(&p, 4), exits(&p, 2)), ([1, 0, 0, 1, 0], [0; 5]));
    assert_eq!(p.methods.iter().map(|method| method.unmatched_exits).sum::<u64>(), 2);
}

#[test]
fn open_frames_are_counted_and_have_their_time() {
    let p = one_thread(&[START, e(1, 0), e(2, 10), e(3, 15), r(3, 25)]);
    assert_tree(
        &p,
        "
         main 1 0 25
           m1 1 10 25
             m2 1 5 15
               m3 1 10 10",
    );
    assert_eq!((exits(&p, 1), exits(&p, 3)), ([1, 0, 0, 0, 1], [1, 1, 0, 0, 0]));
    assert_eq!(p.quality.open_frames, 2);
    assert!(p.quality.is_clean(), "System.exit leaves frames open");
    assert!(!p.threads[0].ended);
}

#[test]
fn a_threads_end_closes_its_frames() {
    let p = one_thread(&[START, e(1, 0), e(2, 10), Record::ThreadEnd]);
    assert_eq!((exits(&p, 1), exits(&p, 2)), ([1, 0, 0, 1, 0], [1, 0, 0, 1, 0]));
    assert!(p.threads[0].ended);
    assert_eq!(p.quality.open_frames, 0);
}

#[test]
fn high_bits_of_the_time() {
    let (low, high) = ((1 << l::TIME_BITS) - 10, 5);
    let p = one_thread(&[
        START,
        e(1, low),
        Record::TimeHigh { high: 1 },
        e(2, 3),
        Record::TimeHigh { high },
        r(2, 3),
        r(1, 4),
    ]);
    let idle = u64::from(high - 1) << l::TIME_BITS;
    assert_eq!(
        render(&p, &p.tree).lines().nth(1),
        Some(format!("  m1 1 14 {}", idle + 14).as_str())
    );
    let later = one_thread(&[Record::ThreadStart { high: 7, sequence: 1 }, e(1, 10), r(1, 12)]);
    assert_eq!(later.total_time(), Ticks(2));
    assert_eq!((p.quality.backward_times, later.quality.backward_times), (0, 0));
}

#[test]
fn a_wait_is_taken_out_of_all_open_frames() {
    let p = one_thread(&[
        START,
        e(1, 0),
        e(2, 10),
        Record::Adjust { ticks: 1000 },
        r(2, 1030),
        e(3, 1040),
        r(3, 1045),
        r(1, 1050),
    ]);
    assert_tree(
        &p,
        "
         main 1 0 50
           m1 1 25 50
             m2 1 20 20
             m3 1 5 5",
    );
    assert_eq!((p.quality.excluded, p.threads[0].excluded), (Ticks(1000), Ticks(1000)));
    assert!(p.quality.is_clean());
    // Several waits before one record; a wait outside all frames.
    let p = one_thread(&[
        START,
        e(1, 0),
        Record::Adjust { ticks: 10 },
        Record::Adjust { ticks: 20 },
        r(1, 35),
        Record::Adjust { ticks: 5 },
        e(2, 50),
        r(2, 51),
    ]);
    assert_tree(
        &p,
        "
         main 1 0 6
           m1 1 5 5
           m2 1 1 1",
    );
    assert_eq!(p.threads[0].unattributed, Ticks(10));
}

#[test]
fn times_that_run_backwards_are_no_time_and_counted() {
    let p = one_thread(&[START, e(1, 100), e(2, 90), r(2, 105), r(1, 110)]);
    assert_tree(
        &p,
        "
         main 1 0 10
           m1 1 5 10
             m2 1 5 5",
    );
    assert_eq!(p.quality.backward_times, 1);
}

#[test]
fn what_is_longer_than_the_time_to_take_it_from_is_carried_over() {
    let wait = |ticks| Record::Adjust { ticks };
    let p = one_thread(&[START, e(1, 0), wait(50), r(1, 20), e(1, 60), r(1, 65)]);
    assert_eq!(
        (p.total_time(), p.threads[0].unattributed, p.quality.backward_times),
        (Ticks(5), Ticks(10), 0)
    );
    // A pause of 1000 that began within m2 is told only in m4, and another one before all of it is
    // taken out.
    let p = one_thread(&[
        START,
        e(1, 0),
        e(2, 10),
        r(2, 30),
        e(3, 1040),
        r(3, 1045),
        e(4, 1050),
        wait(1000),
        r(4, 1060),
        e(5, 1100),
        wait(30),
        e(6, 1110),
        r(6, 2090),
        r(5, 2100),
        r(1, 2110),
    ]);
    assert_tree(
        &p,
        "
         main 1 0 1080
           m1 1 1035 1080
             m2 1 20 20
             m3 1 5 5
             m4 1 0 0
             m5 1 10 20
               m6 1 10 10",
    );
    assert_eq!((p.quality.excluded, p.quality.backward_times), (Ticks(1030), 0));
    assert!(p.quality.is_clean());
    // A time before the last one is no less backwards for it, and one behind what was taken out
    // begins anew.
    let p = one_thread(&[
        START,
        e(1, 100),
        wait(50),
        e(2, 90),
        r(2, 120),
        r(1, 160),
        e(1, 170),
        r(1, 165),
    ]);
    assert_eq!((p.total_time(), p.quality.backward_times), (Ticks(10), 2));
}

#[test]
fn tasks_hang_where_they_run() {
    let open = |time| Record::TaskOpen { id: id(9), time };
    let close = |time| Record::TaskClose { id: id(9), time };
    let p = one_thread(&[
        START,
        open(64),
        e(1, 70),
        r(1, 80),
        close(128),
        open(192),
        e(1, 200),
        e(2, 210),
        close(256),
        e(3, 300),
        r(3, 301),
    ]);
    // Its self time in the task is from 64 to 70, 80 to 128 and 192 to 200.
    assert_tree(
        &p,
        "
         main 1 0 129
           task of m9 2 62 128
             m1 2 20 66
               m2 1 46 46
           m3 1 1 1",
    );
    assert_eq!((exits(&p, 1), exits(&p, 2)), ([2, 1, 0, 1, 0], [1, 0, 0, 1, 0]));
    assert_eq!(p.quality.inferred_exits, 2);
    let unopened = one_thread(&[
        START,
        close(64),
        open(128),
        open(192),
        Record::TaskClose { id: id(8), time: 200 },
    ]);
    assert_eq!(unopened.quality.repaired_tasks, 2);
}

#[test]
fn a_task_may_be_all_that_a_thread_does() {
    let task = Record::TaskOpen { id: id(9), time: 0 };
    let p = one_thread(&[START, task, e(1, 10), r(1, 20), Record::ThreadEnd]);
    assert!(p.quality.is_clean(), "{:?}", p.quality);
}

#[test]
fn an_exit_below_a_task_ends_the_task() {
    let p = one_thread(&[
        START,
        e(1, 0),
        Record::TaskOpen { id: id(9), time: 64 },
        e(2, 70),
        r(1, 100),
    ]);
    assert_eq!((p.quality.inferred_exits, p.quality.repaired_tasks), (1, 1));
    assert_eq!(exits(&p, 1), [1, 1, 0, 0, 0]);
}

#[test]
fn unknown_records_are_passed_over_and_counted() {
    let unknown = Record::Unknown { kind: 40, payload: 9 };
    let p = one_thread(&[START, e(1, 0), unknown, r(1, 5)]);
    assert_eq!((p.quality.unknown_records, p.total_time()), (1, Ticks(5)));
    assert_eq!(exits(&p, 1), [1, 1, 0, 0, 0]);
}

#[test]
fn threads_stay_apart_and_can_be_seen_together() {
    let mut builder = Builder::new();
    let (a, b) = (builder.thread(&info(1, "a")), builder.thread(&info(2, "b")));
    feed(&mut builder, a, &[START, e(1, 0), e(2, 5)]);
    feed(&mut builder, b, &[START, e(1, 100), e(3, 110)]);
    feed(&mut builder, a, &[r(2, 10), r(1, 20)]);
    feed(&mut builder, b, &[r(3, 120), r(1, 130)]);
    builder.end_thread(a);
    assert_eq!((builder.live_threads(), builder.thread_count(), builder.node_count()), (1, 2, 6));
    let p = profile(&builder);
    assert_tree(
        &p,
        "
         a 1 0 20
           m1 1 15 20
             m2 1 5 5
         b 1 0 30
           m1 1 20 30
             m3 1 10 10",
    );
    let together = merge_threads(&p, |_| true);
    assert_text(
        &render(&p, &together),
        "
         m1 2 35 50
           m2 1 5 5
           m3 1 10 10",
    );
    let only_b = hot_methods(&p, |thread| p.thread(thread).name == "b");
    assert_eq!(only_b.iter().map(|hot| hot.total_time().0).collect::<Vec<_>>(), [30, 10]);
}

#[test]
fn children_stand_in_the_order_of_their_first_call() {
    let mut records = vec![START, e(0, 0)];
    for (method, time) in [4, 2, 5, 2, 4, 1, 5, 3, 4].into_iter().zip(0..) {
        records.extend([e(method, time), r(method, time + 1)]);
    }
    let p = one_thread(&records);
    let order: Vec<String> =
        render(&p, &p.tree).lines().skip(2).map(|line| line.trim().to_owned()).collect();
    assert_eq!(order, ["m4 3 3 3", "m2 2 2 2", "m5 2 2 2", "m1 1 1 1", "m3 1 1 1"]);
}

#[test]
fn after_a_gap_the_stack_brings_itself_in_order() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(1, 0), e(2, 10), e(3, 20)]);
    builder.gap(main, 100);
    // Lost: the exits of m3 and m2, and more. The time is in a window that was announced in what
    // was lost.
    feed(
        &mut builder,
        main,
        &[e(4, 5), r(4, 8), r(1, 10), Record::TimeHigh { high: 3 }, e(5, 6), r(5, 7)],
    );
    let p = profile(&builder);
    assert_eq!((p.quality.lost_with_collector, p.quality.inferred_exits), (100, 2));
    assert_eq!(exits(&p, 1), [1, 1, 0, 0, 0]);
    assert_eq!(p.total_time(), Ticks(20 + 3 + 2 + 1));
    assert_eq!(
        p.threads[0].unattributed,
        Ticks((1 << l::TIME_BITS) - 4),
        "at least one window of time has gone by"
    );
    assert!(!p.quality.is_clean());
}

#[test]
fn after_a_gap_an_exit_without_entry_closes_only_what_was_opened_since() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(1, 0), e(2, 10)]);
    builder.gap(main, 5);
    // m9's entry is lost; m3 was called by it and has no exit.
    feed(
        &mut builder,
        main,
        &[e(3, 20), r(9, 30), e(4, 40), r(4, 41), r(2, 50), r(9, 55), r(1, 60)],
    );
    let p = profile(&builder);
    assert_tree(
        &p,
        "
         main 1 0 50
           m1 1 20 50
             m2 1 19 30
               m3 1 10 10
               m4 1 1 1",
    );
    assert_eq!((p.quality.inferred_exits, p.quality.unmatched_exits), (1, 2));
    assert_eq!((exits(&p, 1), exits(&p, 2)), ([1, 1, 0, 0, 0], [1, 1, 0, 0, 0]));
}

#[test]
fn time_in_a_gap_is_in_no_node() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(1, 0), r(1, 10), e(1, 20)]);
    builder.gap(main, 3);
    feed(&mut builder, main, &[r(1, 1020)]);
    let p = profile(&builder);
    assert_eq!((p.quality.gap_ticks, p.total_time()), (Ticks(1000), Ticks(10)));
}

#[test]
fn virtual_calls_are_in_the_table_and_in_no_tree() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(1, 0), r(1, 1)]);
    let names = names();
    let context = jfathom_profile::Context {
        meta: meta(1),
        rate: jfathom_profile::TickRate::NANOS,
        names: &names,
        virtual_calls: &[(id(1), 7), (id(77), 2)],
    };
    let p = builder.finish(context);
    p.check().unwrap();
    let calls: Vec<_> =
        p.methods.iter().map(|m| (m.info.key.name.as_str(), m.entries, m.virtual_calls)).collect();
    assert_eq!(calls, [("m1", 1, 7), ("method 77", 0, 2)]);
    assert_eq!(p.quality, Quality { records: 3, unnamed_methods: 1, ..Quality::default() });
}

#[test]
fn deep_recursion_is_a_deep_tree_and_no_deep_stack() {
    const DEPTH: u64 = 300_000;
    let down = (0..DEPTH).map(|time| e(1, time));
    let up = (DEPTH..2 * DEPTH).map(|time| r(1, time));
    let records: Vec<Record> = std::iter::once(START).chain(down).chain(up).collect();
    let p = one_thread(&records);
    assert_eq!((p.tree.len() as u64, exits(&p, 1)), (DEPTH + 1, [DEPTH, DEPTH, 0, 0, 0]));
    assert_eq!(p.total_time(), Ticks(2 * DEPTH - 1));
    assert_eq!(hot_methods(&p, |_| true)[0].total_time(), Ticks(2 * DEPTH - 1));
    assert_eq!(merge_threads(&p, |_| true).len() as u64, DEPTH);
}

#[test]
fn many_children_are_found_again() {
    // More than are looked at one by one, in orders that the links between siblings do not help
    // with.
    let mut random = Random(3);
    let mut calls = vec![0; 1000];
    let mut records = vec![START, e(5000, 0)];
    for _ in 0..20_000 {
        let child = random.below(1000) as u32;
        calls[child as usize] += 1;
        records.extend([e(child, 0), r(child, 0)]);
    }
    let p = one_thread(&records);
    let main = p.tree.roots().next().unwrap();
    let parent = p.tree.children(main).next().unwrap();
    assert_eq!(p.tree.children(parent).count(), calls.iter().filter(|calls| **calls != 0).count());
    for node in p.tree.children(parent) {
        let jfathom_profile::Frame::Method(method) = p.tree.frame(node) else { panic!("a method") };
        assert_eq!(p.tree.calls(node), calls[p.method(method).id.get() as usize]);
    }
}
