use super::allowances::MOST_ALLOWANCE;
use super::cpu::CpuWindow;
use super::pace::MOST_OF_RECORDED;
use super::*;
use jfathom_profile::BuilderSink;
use jfathom_testkit::session_writer::{NewSession, SessionWriter, ThreadWriter};
use jfathom_trace::record::Record;
use jfathom_trace::{OpenOutcome, SessionDir};

fn id(value: u32) -> MethodId {
    MethodId::new(value).unwrap()
}

struct World {
    _temp: tempfile::TempDir,
    writer: SessionWriter,
    file: Box<SessionFile>,
    feeder: BuilderSink,
    thread: ThreadWriter,
    time: u64,
}

impl World {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let dir = SessionDir::create(&temp.path().join("session")).unwrap();
        let session = NewSession { ring_bytes: 1 << 20, ..NewSession::default() };
        let mut writer = SessionWriter::create(&dir, session).unwrap();
        writer.ready();
        let thread = writer.thread("main", 1).unwrap();
        let OpenOutcome::Ready(file) = SessionFile::open(writer.path()).unwrap() else {
            panic!("the file is ready")
        };
        Self { _temp: temp, writer, file, feeder: BuilderSink::new(), thread, time: 0 }
    }

    fn entry(&mut self, method: u32, after: u64) {
        self.time += after;
        self.thread.push_timed(self.time, |time| Record::Entry { id: id(method), time });
    }

    fn exit(&mut self, method: u32, after: u64) {
        self.time += after;
        self.thread.push_timed(self.time, |time| Record::Return { id: id(method), time });
    }

    fn drain(&mut self) {
        while self.file.drain(&mut self.feeder) > 0 {}
    }

    fn sweep(&mut self, demoter: &mut Demoter) {
        self.drain();
        demoter.last -= PERIOD;
        // As if the collector cost nothing but what is assumed before it has read much.
        demoter.collector_cpu.last = Duration::MAX;
        demoter.took = Duration::ZERO;
        demoter.sweep_if_due(&self.file, self.feeder.builder_mut());
    }

    fn modes(&self) -> Vec<u32> {
        (0..64)
            .filter(|method| self.writer.mode(id(*method)) == Some(layout::MODE_COUNT as u8))
            .collect()
    }
}

fn known(start: u32, len: u32) -> InitialModes {
    InitialModes {
        ids: IdRange { start, len },
        count: Vec::new(),
        roots: vec![id(start)],
        waits: Vec::new(),
        watched: Vec::new(),
        timed: Vec::new(),
        walked: Vec::new(),
    }
}

fn demoter(budget: Budget, world: &mut World) -> Demoter {
    let mut demoter = Demoter::new(budget, None);
    demoter.learn(known(0, 32), &world.file, world.feeder.builder_mut());
    demoter
}

/// With the usual costs of nanoTime: 21 ns between the readings, 22 ns beyond.
#[test]
fn what_costs_most_is_demoted_and_nothing_that_pays_for_itself() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    for round in 0..6_000 {
        // A root; 1 calls 2 thirty times and 3; 40 is in no manifest.
        world.entry(0, 5);
        world.entry(1, 5);
        for _ in 0..30 {
            world.entry(2, 30);
            world.exit(2, 25);
        }
        world.entry(3, 30);
        world.exit(3, 21 + 8_000);
        world.exit(1, 10);
        world.entry(40, 5);
        world.exit(40, 21);
        world.exit(0, 21);
        if round % 20 == 19 {
            world.drain();
        }
    }
    world.sweep(&mut demoter);
    // What is left costs 0.09 of the time.
    assert_eq!(world.modes(), [2]);
    let costs = world.feeder.builder().method_costs();
    assert_eq!(costs.map(|(_, sums)| sums.calls).sum::<u64>(), 34 * 6_000);
    // Within the same window it is not timed again.
    world.sweep(&mut demoter);
    assert_eq!(world.modes(), [2]);
}

/// Roots are always flushed: no demotion makes that cheaper.
#[test]
fn what_flushes_of_a_root_take_demotes_nothing() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    for round in 0..20_000 {
        world.entry(0, 5);
        world.entry(1, 1_500);
        world.exit(1, 21 + 500);
        for method in 2..32 {
            world.thread.push_blocking(Record::Counted { id: id(method), calls: 9 });
        }
        world.exit(0, 500);
        if round % 20 == 19 {
            world.drain();
        }
    }
    world.sweep(&mut demoter);
    let BudgetOutcome { cost_nanos, program_nanos, .. } = demoter.outcome;
    assert!(cost_nanos > 0.1 * program_nanos, "{cost_nanos} of {program_nanos}");
    assert!(world.modes().is_empty());
}

#[test]
fn the_program_is_at_most_so_many_times_what_is_recorded() {
    let pace = |program: u64| {
        let window = CpuWindow { program: Duration::from_nanos(program), running_share: 1.0 };
        Pace { self_nanos: 1e6, probe_nanos: 1e5, ..Pace::default() }.of(window).cpu_share
    };
    assert_eq!([600_000, 1_900_000, 8_100_000].map(pace), [0.5, 1.0, 4.0]);
    assert_eq!(pace(1_000_000_000), MOST_OF_RECORDED);
}

#[test]
fn old_calls_do_not_speak_for_recent_ones() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    let mut rounds = |world: &mut World, calls: u32, nanos: u64| {
        for call in 0..calls {
            world.entry(1, 5);
            world.exit(1, nanos);
            if call % 1000 == 999 {
                world.drain();
            }
        }
        world.entry(3, 5);
        world.exit(3, 10_000_000);
        world.sweep(&mut demoter);
    };
    // Interpreted first, for more than a window.
    rounds(&mut world, 110_000, 2_000);
    assert!(world.modes().is_empty());
    rounds(&mut world, 25_000, 24);
    assert_eq!(world.modes(), [1]);
}

/// The sums of the next slice begin anew; what is known of a method does not.
#[test]
fn windows_go_on_after_a_slice() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    let rounds = |world: &mut World, calls: u32| {
        for call in 0..calls {
            world.entry(1, 5);
            world.exit(1, 2_000);
            if call % 1000 == 999 {
                world.drain();
            }
        }
        world.drain();
    };
    rounds(&mut world, 25_000);
    world.sweep(&mut demoter);
    demoter.end_slice(&world.file, world.feeder.builder_mut());
    world.feeder.cut();
    rounds(&mut world, 300);
    demoter.finish(&world.file, world.feeder.builder_mut());
    let loads = demoter.loads(&world.file, world.feeder.builder());
    let [load] = loads[..] else { panic!("{loads:?}") };
    assert_eq!(load.sums.calls, 25_300);
}

/// What is called seldom after its demotion is timed again, and what is called often is not.
#[test]
fn methods_are_timed_again_where_there_is_room() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    for round in 0..20_000 {
        for method in [1, 2] {
            world.entry(method, 5);
            world.exit(method, 21);
        }
        if round % 1000 == 999 {
            world.drain();
        }
    }
    world.entry(3, 5);
    world.exit(3, 10_000_000);
    world.sweep(&mut demoter);
    assert_eq!(world.modes(), [1, 2]);
    // Some windows of a method that pays for itself, with the calls of the others counted.
    for round in 1..=2_000 {
        world.thread.push(Record::Counted { id: id(1), calls: 1 });
        world.thread.push(Record::Counted { id: id(2), calls: 20_000 });
        world.entry(3, 5);
        world.exit(3, 1_000_000);
        if round % 100 == 0 {
            world.sweep(&mut demoter);
        }
    }
    assert_eq!(world.modes(), [2]);
}

/// The JVM may count a method at the very end.
#[test]
fn what_the_jvm_counts_is_noted_at_the_end() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    world.entry(1, 5);
    world.exit(1, 500);
    world.entry(2, 5);
    world.exit(2, 500);
    world.drain();
    world.file.set_allowance(id(2), Allowance::of(1));
    world.file.set_mode(id(2), layout::MODE_COUNT as u8);
    demoter.finish(&world.file, world.feeder.builder_mut());
    let noted = [1, 2].map(|method| demoter.methods[&id(method)].demoted.is_some());
    assert_eq!(noted, [false, true]);
}

#[test]
fn calls_that_are_long_beside_their_cost_need_no_allowance() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    // Beside a root: long calls, and short ones.
    for (method, ticks) in [(1, 1_000_000), (2, 500)] {
        world.entry(method, 5);
        world.exit(method, ticks);
        world.drain();
        world.file.set_allowance(id(method), Allowance::of(1));
        world.file.set_mode(id(method), layout::MODE_COUNT as u8);
    }
    demoter.last -= LONG_PERIOD;
    world.sweep(&mut demoter);
    assert_eq!(world.modes(), [2]);
    let allowances = [1, 2].map(|method| world.file.allowance(id(method)));
    assert_eq!(allowances, [Some(Allowance::of(MOST_ALLOWANCE)), Some(Allowance::of(1))]);
    // One that has its calls among its own is often called all the same.
    for _ in 0..200 {
        (0..500).for_each(|_| world.entry(3, 5));
        world.entry(4, 5);
        world.exit(4, 400_000);
        (0..500).for_each(|_| world.exit(3, 5));
        world.drain();
    }
    world.file.set_allowance(id(3), Allowance::of(1));
    demoter.renew_free(&prices(), &world.file, world.feeder.builder_mut());
    assert_eq!(world.file.allowance(id(3)), Some(Allowance::of(1)));
}

/// Calls of 25 µs that have 300 records written each, nine tenths of all time.
#[test]
fn flushes_keep_their_part_of_the_budget_and_cost_no_times() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.05), &mut world);
    let mut round = |world: &mut World| {
        for call in 0..400_u32 {
            let shift = world.file.allowance(id(1)).unwrap().flush_shift;
            let is_flushed = call % (1 << shift) == 0;
            let unflushed = if is_flushed { 0 } else { layout::UNFLUSHED };
            world.time += 500;
            let entry = Record::Entry { id: id(1), time: world.time };
            world.thread.push_word(entry.encode() | unflushed);
            for counted in 10..if is_flushed { 310 } else { 10 } {
                world.thread.push(Record::Counted { id: id(counted), calls: 3 });
            }
            world.time += 25_000;
            let exit = Record::Return { id: id(1), time: world.time };
            world.thread.push_word(exit.encode() | unflushed);
            if call % 20 == 19 {
                world.drain();
            }
        }
        world.sweep(&mut demoter);
    };
    let mut shifts = Vec::new();
    for _ in 0..40 {
        round(&mut world);
        shifts.push(world.file.allowance(id(1)).unwrap().flush_shift);
    }
    assert!(world.modes().is_empty());
    // Flushing each would take a third of the time; an eightieth is allowed.
    assert!(shifts[5..].iter().all(|shift| (4..8).contains(shift)), "{shifts:?}");
}

/// Of a recursive method that is called too often the outermost calls stay timed; where these are
/// too short, too, none.
#[test]
fn recursive_methods_keep_their_outermost_calls() {
    let mut world = World::new();
    let mut demoter = demoter(Budget::Share(0.1), &mut world);
    let rounds = |world: &mut World, depth: u32| {
        for round in 0..4_000 {
            (0..depth).for_each(|_| world.entry(1, 5));
            world.time += 2_000;
            (0..depth).for_each(|_| world.exit(1, 50));
            if round % 20 == 19 {
                world.drain();
            }
        }
    };
    rounds(&mut world, 20);
    world.sweep(&mut demoter);
    assert!(world.modes().is_empty());
    assert!(world.file.allowance(id(1)).unwrap().outermost);
    // Alone they cost less than the budget.
    for _ in 0..20 {
        rounds(&mut world, 1);
        world.sweep(&mut demoter);
    }
    assert!(world.modes().is_empty());
    for _ in 0..20 {
        rounds(&mut world, 20);
        world.sweep(&mut demoter);
    }
    assert_eq!(world.modes(), [1]);
}

fn prices() -> Prices {
    let cost = |nanos| Cost { nanos, error_nanos: 0.0 };
    let costs = Costs { inner: cost(21.0), outer: cost(22.0), ..Costs::default() };
    Prices { costs, record_nanos: 20.0, nanos_per_tick: 1.0, running_share: 1.0 }
}

#[test]
fn nothing_is_demoted_within_the_budget() {
    for budget in [Budget::Unlimited, Budget::Share(1000.0)] {
        let mut world = World::new();
        let mut demoter = demoter(budget, &mut world);
        for call in 0..30_000 {
            world.entry(1, 5);
            world.exit(1, 21 + 500);
            world.entry(2, 5);
            world.exit(2, 21);
            if call % 1000 == 999 {
                world.drain();
            }
        }
        world.sweep(&mut demoter);
        assert!(world.modes().is_empty());
    }
}

#[test]
fn what_a_manifest_says_is_counted_at_once_but_no_root() {
    let mut world = World::new();
    let mut demoter = Demoter::new(Budget::Unlimited, None);
    let manifest = InitialModes { count: vec![id(0), id(3), id(63)], ..known(0, 32) };
    demoter.learn(manifest, &world.file, world.feeder.builder_mut());
    assert_eq!(world.modes(), [3]);
}
