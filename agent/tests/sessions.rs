//! Sessions in real JVMs, with a small collector.

mod support;

use std::collections::BTreeMap;
use support::{Collector, Program, jvms};

/// Whether all calls must have been seen. On a machine that is so slow that a thread has gone on
/// before its callees were live, it says so.
fn all_are_seen(collector: &Collector) -> bool {
    let totals = collector.totals();
    assert_eq!((totals.failed, totals.restored_differently), (0, 0), "{totals:?}");
    if totals.late > 0 {
        eprintln!("{} first calls went on early: the counts are not looked at", totals.late);
    }
    totals.late == 0
}

/// What n calls of `Desk.root` are.
fn work(n: u64) -> BTreeMap<String, u64> {
    let calls = [
        ("Desk::root", n),
        ("Desk::step", 3 * n),
        ("Desk::leaf", 6 * n),
        ("Desk$Other::<init>", n),
        ("Desk$Other::call", n),
        ("Desk$Other::fail", n),
    ];
    calls.into_iter().map(|(name, calls)| (name.to_owned(), calls)).collect()
}

#[test]
fn started_with_the_jvm_every_scheme_counts_every_call() {
    for java in jvms() {
        for scheme in ["lazy", "eager", "total"] {
            let mut collector = Collector::new();
            let flag = collector.flag(&format!("root=Desk::root,scheme={scheme}"));
            let mut program = Program::start(&java, &[flag], "Desk");
            collector.until_live();
            collector.ask(&mut program, "work 500");
            program.end();
            collector.finish();
            if !all_are_seen(&collector) {
                continue;
            }
            let mut calls = collector.calls();
            calls.retain(|name, _| work(1).contains_key(name));
            assert_eq!(calls, work(500), "{scheme}: {:#?}", collector.lines());
            assert_eq!(
                collector.exits(),
                collector
                    .calls()
                    .into_iter()
                    .filter(|(name, _)| collector.exits().contains_key(name))
                    .collect()
            );
        }
    }
}

#[test]
fn sessions_follow_one_another_in_one_jvm() {
    for java in jvms() {
        let flags = vec!["-XX:+EnableDynamicAgentLoading".to_owned()];
        let mut program = Program::start(&java, &flags, "Desk");
        assert_eq!(program.ask("hello"), "hello");
        let plain = program.ask("work 10");
        for round in 0..5 {
            let mut collector = Collector::new();
            let root = if round % 2 == 0 { "Desk::root" } else { "Desk$Other::call" };
            let said = program.attach(&collector.options(&format!("root={root}")));
            assert_eq!(collector.failure(), None, "{said}");
            collector.until_live();
            assert_eq!(collector.ask(&mut program, "work 10"), plain);
            collector.restore();
            assert!(collector.totals().restored > 0);
            match round % 2 {
                _ if !all_are_seen(&collector) => {}
                0 => assert_eq!(collector.calls(), work(10), "{:#?}", collector.lines()),
                _ => assert_eq!(
                    collector.calls(),
                    BTreeMap::from([
                        ("Desk$Other::call".to_owned(), 10),
                        ("Desk$Other::fail".to_owned(), 10)
                    ])
                ),
            }
            assert_eq!(program.ask("work 10"), plain);
            // The state is the last that the agent writes to the file: it lets go of it right
            // after.
            collector.until("nothing is held", |collector| {
                program.holds(collector.directory()).is_empty()
            });
        }
        program.end();
    }
}

#[test]
fn first_calls_of_many_threads_at_once_lose_nothing() {
    for java in jvms() {
        let mut collector = Collector::new();
        let flag = collector.flag("root=Desk::root");
        let mut program = Program::start(&java, &[flag], "Desk");
        collector.until_live();
        collector.ask(&mut program, "threads 16 200");
        program.end();
        collector.finish();
        if all_are_seen(&collector) {
            assert_eq!(collector.calls(), work(16 * 200), "{:#?}", collector.lines());
        }
    }
}

#[test]
fn what_runs_when_a_session_ends_may_end_later() {
    for java in jvms() {
        let mut program =
            Program::start(&java, &["-XX:+EnableDynamicAgentLoading".to_owned()], "Desk");
        let mut collector = Collector::new();
        assert_eq!(program.ask("hello"), "hello");
        let said = program.attach(&collector.options("root=Desk::inside"));
        assert_eq!(collector.failure(), None, "{said}");
        collector.until_live();
        program.tell("inside");
        collector.until("the program is within", |collector| {
            collector.calls().contains_key("Desk::wait")
        });
        assert_eq!(program.answer(), "within");
        collector.restore();
        let mut next = Collector::new();
        program.attach(&next.options("root=Desk::root"));
        next.until_live();
        assert_eq!(next.ask(&mut program, "on"), "on");
        next.ask(&mut program, "work 5");
        next.restore();
        assert_eq!(next.calls(), work(5));
        program.end();
    }
}

#[test]
fn a_refusal_leaves_the_program_and_the_next_session_alone() {
    for java in jvms() {
        let mut program =
            Program::start(&java, &["-XX:+EnableDynamicAgentLoading".to_owned()], "Desk");
        assert_eq!(program.ask("hello"), "hello");
        let plain = program.ask("work 10");
        let refused = Collector::new();
        program.attach(&refused.options("root=Desk::root,colour=red"));
        assert!(
            refused.failure().is_some_and(|why| why.contains("colour")),
            "{:?}",
            refused.failure()
        );
        let mut collector = Collector::new();
        program.attach(&collector.options("root=Desk::root"));
        collector.until_live();
        let second = Collector::new();
        program.attach(&second.options("root=Desk::leaf"));
        let why = second.failure().expect("it is refused");
        assert!(why.contains("Desk::root") && why.contains(&program.pid().to_string()), "{why}");
        assert_eq!(collector.ask(&mut program, "work 10"), plain);
        program.end();
        collector.finish();
        assert_eq!(collector.calls(), work(10));
    }
}

#[test]
fn a_jvm_whose_first_attachment_fails_ends_in_order() {
    for java in jvms() {
        let mut program =
            Program::start(&java, &["-XX:+EnableDynamicAgentLoading".to_owned()], "Desk");
        assert_eq!(program.ask("hello"), "hello");
        let collector = Collector::new();
        program.attach(&collector.options("root="));
        assert!(collector.failure().is_some());
        program.end();
    }
}

#[test]
fn classes_of_other_loaders_are_recorded_and_let_go() {
    let calls = |n: u64| {
        let all = [
            "Plugin::applyAsInt",
            "Plugin::once",
            "Plugin$Part::<init>",
            "Plugin$Part::twice",
            "Plugin$Part::add",
        ];
        all.into_iter().map(|name| (name.to_owned(), n)).collect::<BTreeMap<_, _>>()
    };
    for java in jvms() {
        let mut program =
            Program::start(&java, &["-XX:+EnableDynamicAgentLoading".to_owned()], "Desk");
        // Two before, of which one has run; one while the session runs.
        assert_eq!(program.ask("plug"), "plugged");
        let plain = program.ask("call 3");
        assert_eq!(program.ask("plug"), "plugged");
        let mut collector = Collector::new();
        let answer = program.attach(&collector.options("root=Plugin::applyAsInt"));
        assert_eq!(collector.failure(), None, "{answer}");
        collector.until_live();
        collector.ask(&mut program, "plug");
        assert_eq!(
            collector.ask(&mut program, "call 3"),
            (plain.parse::<i64>().unwrap() * 3).to_string()
        );
        assert_eq!(collector.ask(&mut program, "unplug"), "true");
        collector.ask(&mut program, "plug");
        assert_eq!(collector.ask(&mut program, "call 3"), plain);
        collector.restore();
        if all_are_seen(&collector) {
            assert_eq!(collector.calls(), calls(12), "{:#?}", collector.lines());
        }
        assert_eq!(program.ask("call 3"), plain);
        assert_eq!(program.ask("unplug"), "true");
        program.end();
    }
}

#[test]
fn threads_that_hold_monitors_and_initialise_lose_nothing() {
    for java in jvms() {
        let mut program =
            Program::start(&java, &["-XX:+EnableDynamicAgentLoading".to_owned()], "Desk");
        assert_eq!(program.ask("hello"), "hello");
        let mut collector = Collector::new();
        let answer = program.attach(&collector.options("root=Storm::root"));
        assert_eq!(collector.failure(), None, "{answer}");
        let sum = collector.ask(&mut program, "storm 48 4");
        collector.restore();
        let (threads, plugins) = (48, 48 * 4);
        let expected = [
            ("Storm::root", threads),
            ("Storm::held", plugins),
            ("Plugin::<init>", plugins),
            ("Plugin::applyAsInt", plugins),
            ("Plugin$Part::add", plugins),
            ("Storm$One::<clinit>", 1),
            ("Storm$One::first", threads / 2),
            ("Storm$Two::second", threads / 2),
            ("Storm$Three::<clinit>", 1),
            ("Storm$Three::third", threads),
            ("Storm$Three::last", threads),
            ("Storm::made", 3),
            ("Storm::deeper", 3),
        ];
        let (calls, totals) = (collector.calls(), collector.totals());
        for (name, expected) in expected.into_iter().filter(|_| all_are_seen(&collector)) {
            assert_eq!(calls.get(name), Some(&expected), "{name}: {calls:#?} {totals:?}");
        }
        assert_eq!(program.ask("storm 48 4"), sum);
        program.end();
    }
}
