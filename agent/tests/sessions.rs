//! Sessions in real JVMs, with a small collector.

mod support;

use std::collections::BTreeMap;
use support::{Collector, Program, jvms};

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
            let mut calls = collector.calls();
            calls.retain(|name, _| work(1).contains_key(name));
            assert_eq!(calls, work(500), "{scheme}: {:#?}", collector.lines());
            assert_eq!(
                collector.exits(),
                collector.calls().into_iter().filter(|(name, _)| collector.exits().contains_key(name)).collect()
            );
            assert_eq!(collector.totals().late, 0);
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
            let totals = collector.totals();
            assert_eq!((totals.late, totals.failed, totals.restored_unlike), (0, 0, 0), "{totals:?}");
            assert!(totals.restored > 0);
            match round % 2 {
                0 => assert_eq!(collector.calls(), work(10), "{:#?}", collector.lines()),
                _ => assert_eq!(
                    collector.calls(),
                    BTreeMap::from([("Desk$Other::call".to_owned(), 10), ("Desk$Other::fail".to_owned(), 10)])
                ),
            }
            assert_eq!(program.ask("work 10"), plain);
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
        let totals = collector.totals();
        assert_eq!(totals.late, 0, "{totals:?}");
        assert_eq!(collector.calls(), work(16 * 200), "{:#?}", collector.lines());
    }
}

#[test]
fn what_runs_when_a_session_ends_may_end_later() {
    for java in jvms() {
        let mut program = Program::start(&java, &["-XX:+EnableDynamicAgentLoading".to_owned()], "Desk");
        let mut collector = Collector::new();
        assert_eq!(program.ask("hello"), "hello");
        let said = program.attach(&collector.options("root=Desk::inside"));
        assert_eq!(collector.failure(), None, "{said}");
        collector.until_live();
        program.tell("inside");
        collector.until("the program is within", |it| it.calls().contains_key("Desk::wait"));
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
