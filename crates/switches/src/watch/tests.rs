use super::*;
use crate::intervals::OffCpu;
use jfathom_testkit::TakenTime;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// None where the system refuses to tell.
fn watch() -> Option<SwitchWatch> {
    match SwitchWatch::start(std::process::id()) {
        Ok(watch) => Some(watch),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

fn this_thread() -> Tid {
    let link = fs::read_link("/proc/thread-self").unwrap();
    Tid(link.file_name().unwrap().to_str().unwrap().parse().unwrap())
}

/// The time for which this thread ran, by the scheduler's own count.
fn ran() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

/// What a thread does: its id, then until when it ran and for how long.
fn work(tell: &Sender<(Tid, Nanos, Nanos, u64)>, clock: impl Fn() -> Nanos) {
    let (begin, before) = (clock(), ran());
    let until = Instant::now() + Duration::from_millis(60);
    while Instant::now() < until {}
    thread::sleep(Duration::from_millis(40));
    let (after, end) = (ran(), clock());
    tell.send((this_thread(), begin, end, after - before)).unwrap();
    // Its last switch must not be its last record.
    thread::sleep(Duration::from_millis(20));
}

fn clock() -> Nanos {
    let time = clock_gettime(ClockId::Monotonic);
    let nanos = time.tv_sec * 1_000_000_000 + time.tv_nsec - namespace_offset(None);
    Nanos(nanos.try_into().unwrap())
}

/// How long a thread had no processor between two moments, by state.
fn off(intervals: &[Interval], tid: Tid, begin: Nanos, end: Nanos, state: OffCpu) -> u64 {
    let of = intervals.iter().filter(|of| of.tid == tid && of.state == state);
    of.map(|of| of.end.min(end).0.saturating_sub(of.start.max(begin).0)).sum()
}

#[test]
fn a_new_thread_is_watched_from_its_begin_and_agrees_with_the_scheduler() {
    let Some(mut watch) = watch() else { return };
    let (tell, told) = channel();
    let taken = TakenTime::start();
    let thread = thread::spawn(move || work(&tell, clock));
    let (tid, begin, end, ran) = told.recv().unwrap();
    let taken = taken.at_most();
    let polled = watch.poll();
    thread.join().unwrap();
    assert_eq!(polled.lost, 0);
    assert!(polled.switches >= 3);
    let of = |state| off(&polled.intervals, tid, begin, end, state);
    assert_eq!(of(OffCpu::Unknown), 0);
    // The timer of the sleep starts before the switch: what lies between is no part of the state.
    assert!(of(OffCpu::Blocked) >= 35_000_000);
    let on = (end.0 - begin.0) - of(OffCpu::Blocked) - of(OffCpu::Preempted);
    // Both count the same thread in the same time: other load does not part them. The scheduler
    // counts up to when a switch is decided, and its count is read by a call. It leaves out what
    // interrupts and the host have taken from the thread, to whom no switch belongs.
    assert!(ran < on + 2_000_000 && on < ran + 2_000_000 + taken, "{on} {ran} {taken}");
}

#[test]
fn a_thread_that_runs_already_is_watched_from_the_start_on() {
    let (tell, told) = channel();
    let (go, wait) = channel::<()>();
    let thread = thread::spawn(move || {
        wait.recv().unwrap();
        work(&tell, clock);
    });
    let Some(mut watch) = watch() else { return };
    let opened = clock();
    go.send(()).unwrap();
    let (tid, begin, end, _) = told.recv().unwrap();
    let intervals = watch.poll().intervals;
    thread.join().unwrap();
    assert!(begin >= opened);
    assert_eq!(off(&intervals, tid, begin, end, OffCpu::Unknown), 0);
    assert!(off(&intervals, tid, begin, end, OffCpu::Blocked) >= 40_000_000);
    // Of the time before, nothing is known.
    let before = intervals.iter().find(|of| of.tid == tid).unwrap();
    assert_eq!((before.start, before.state), (Nanos(0), OffCpu::Unknown));
}

#[test]
fn a_process_that_has_ended_is_an_error() {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    assert!(SwitchWatch::start(pid).is_err());
}

#[test]
fn children_of_the_process_are_not_its_threads() {
    let Some(mut watch) = watch() else { return };
    let mut child = std::process::Command::new("sleep").arg("0.01").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    assert!(watch.poll().intervals.iter().all(|of| of.tid != Tid(pid)));
}
