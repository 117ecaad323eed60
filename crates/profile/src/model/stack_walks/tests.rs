use super::*;
use crate::ThreadIx;

fn recorded(method: u32) -> SampleFrame {
    SampleFrame::Recorded(Frame::Method(MethodIx(method)))
}

fn walks(count: u64) -> SampleCounts {
    SampleCounts { running: count, ..SampleCounts::default() }
}

fn walked(method: u32, due: u64) -> WalkedMethod {
    let method = MethodIx(method);
    WalkedMethod { method, interval: 10, due, truncated: 1, unknown: 2 }
}

/// Method 1 with eight walks: five from method 0, two of them through a frame without recorded
/// calls, and three from the bottom of a thread.
fn some() -> StackWalks {
    let mut builder = SampleTreeBuilder::default();
    let (class, name) = ("p/A".to_owned(), "lambda".to_owned());
    let lambda = SampleFrame::Sampled(builder.name(&SampledName { class, name }));
    builder.add([recorded(1), recorded(0)], walks(3));
    builder.add([recorded(1), lambda, recorded(0)], walks(2));
    builder.add([recorded(1)], walks(3));
    StackWalks::new(vec![walked(1, 11)], builder, 0)
}

#[test]
fn walks_of_a_method_are_those_of_all_its_callers() {
    let walks = some();
    assert!(walks.is_recorded() && walks.check(2).is_ok());
    assert_eq!((walks.walks(MethodIx(1)), walks.walks(MethodIx(0))), (8, 0));
    let root = walks.root(MethodIx(1)).unwrap();
    let callers: Vec<(SampleFrame, u64)> = walks
        .tree
        .children(root)
        .map(|child| (walks.tree.node(child).frame, walks.tree.total(child).all()))
        .collect();
    assert_eq!(callers, [(recorded(0), 3), (SampleFrame::Sampled(0), 2)]);
}

#[test]
fn sums_map_frames_and_forget_intervals_that_differ() {
    let shift = |frame| match frame {
        Frame::Method(method) => Frame::Method(MethodIx(method.0 + 1)),
        frame => frame,
    };
    let mut sum = some();
    sum.add(&some(), |frame| frame);
    assert_eq!(sum.walks(MethodIx(1)), 16);
    let expected = WalkedMethod { truncated: 2, unknown: 4, ..walked(1, 22) };
    assert_eq!(sum.methods, [expected]);
    sum.add(&some(), shift);
    assert_eq!((sum.walks(MethodIx(1)), sum.walks(MethodIx(2))), (16, 8));
    assert_eq!(sum.methods, [expected, walked(2, 11)]);
    let mut other = some();
    other.methods[0].interval = 7;
    sum.add(&other, |frame| frame);
    assert_eq!((sum.methods[0].interval, sum.methods[0].due), (0, 33));
    assert!(sum.check(3).is_ok());
}

#[test]
fn contradictions_are_found() {
    let is_wrong = |change: &dyn Fn(&mut StackWalks)| {
        let mut walks = some();
        change(&mut walks);
        walks.check(2).is_err()
    };
    assert!(!is_wrong(&|_| {}));
    // More walks than were due, or walks of a method without an interval.
    assert!(is_wrong(&|walks| walks.methods[0].due = 9));
    assert!(is_wrong(&|walks| walks.methods[0].unknown = u64::MAX));
    assert!(is_wrong(&|walks| walks.methods[0].truncated = 9));
    assert!(is_wrong(&|walks| walks.methods[0].method = MethodIx(0)));
    // Methods that are not there, or there twice.
    assert!(is_wrong(&|walks| walks.methods.push(walked(2, 0))));
    assert!(is_wrong(&|walks| walks.methods.push(walked(1, 0))));
    assert!(is_wrong(&|walks| walks.names.clear()));
    let with = |frames: &[SampleFrame]| {
        let mut builder = SampleTreeBuilder::default();
        builder.add(frames.iter().copied(), walks(1));
        StackWalks::new(vec![walked(1, 11)], builder, 0)
    };
    assert!(with(&[recorded(1), recorded(0)]).check(2).is_ok());
    assert!(with(&[recorded(1), recorded(2)]).check(2).is_err());
    assert!(with(&[SampleFrame::Sampled(0)]).check(2).is_err());
    let thread = SampleFrame::Recorded(Frame::Thread(ThreadIx(0)));
    assert!(with(&[recorded(1), thread]).check(2).is_err());
}
