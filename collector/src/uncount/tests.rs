use super::*;
use jfathom_profile::BuilderSink;
use jfathom_testkit::session_writer::{NewSession, SessionWriter};
use jfathom_trace::{OpenOutcome, SessionDir};

fn id(value: u32) -> MethodId {
    MethodId::new(value).unwrap()
}

const WINDOW: Duration = Duration::from_millis(250);

/// The methods that are hot after these windows, by hand: in each, calls of methods 1 and 2.
fn hot(windows: &[[u64; 2]]) -> Vec<u32> {
    let mut rates = Rates::default();
    let mut sums = [0; 2];
    for calls in windows {
        sums = [sums[0] + calls[0], sums[1] + calls[1]];
        // In parts, as records and counters have them.
        let parts = [(id(1), sums[0] / 2), (id(2), sums[1]), (id(1), sums[0] - sums[0] / 2)];
        rates.add_window(WINDOW, parts.into_iter());
    }
    let mut hot: Vec<u32> = rates.hot_for(HOT_TIME).map(MethodId::get).collect();
    hot.sort_unstable();
    hot
}

#[test]
fn a_method_is_hot_after_a_second_in_a_row() {
    // 10⁷ calls per second are 2.5 million in a window.
    let (hot_calls, few) = (2_500_000, 2_499_999);
    assert_eq!(hot(&[[hot_calls, few]; 3]), [0; 0]);
    assert_eq!(hot(&[[hot_calls, few]; 4]), [1]);
    assert_eq!(hot(&[[hot_calls, hot_calls * 9]; 5]), [1, 2]);
    let mut broken = [[hot_calls, hot_calls]; 7];
    broken[3][0] = few;
    assert_eq!(hot(&broken), [2]);
}

#[test]
fn only_counted_methods_are_requested_and_only_once() {
    let temp = tempfile::tempdir().unwrap();
    let dir = SessionDir::create(&temp.path().join("session")).unwrap();
    let mut writer = SessionWriter::create(&dir, NewSession::default()).unwrap();
    writer.ready();
    let thread = writer.thread("main", 1).unwrap();
    let OpenOutcome::Ready(mut file) = SessionFile::open(writer.path()).unwrap() else {
        panic!("the file is ready")
    };
    let mut sink = BuilderSink::new();
    file.drain(&mut sink);
    for counted in [3, 5] {
        file.set_mode(id(counted), layout::MODE_COUNT as u8);
    }
    let mut uncounter = Uncounter::default();
    for _ in 0..8 {
        // 3 and the timed 4 are hot, 5 is not.
        for (method, calls) in [(3, 1 << 40), (4, 1 << 40), (5, 1)] {
            writer.count_call(&thread, id(method), calls).unwrap();
        }
        uncounter.last = Instant::now().checked_sub(WINDOW).unwrap();
        uncounter.took = Duration::ZERO;
        uncounter.last_request = None;
        uncounter.look_if_due(&mut file, sink.builder());
    }
    assert_eq!(writer.uncounted(), [id(3)]);
    // What does not fit into the header is left out.
    let many: Vec<MethodId> = (10..500).map(id).collect();
    assert_eq!(file.request_uncounted(uncounter.requested, &many), layout::UNCOUNTED_MAX);
    assert_eq!(writer.uncounted().len(), layout::UNCOUNTED_MAX as usize);
    assert_eq!(writer.uncounted()[..2], [id(3), id(10)]);
}
