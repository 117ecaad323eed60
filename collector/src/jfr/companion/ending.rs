//! What JFR has recorded after the session's end, which is no part of the recording.

use jfathom_jfr::{JfrTicks, Recording, SessionClock};
use jfathom_profile::Ticks;

/// Takes away what JFR recorded from the session's end on: a JVM of a command may go on without the
/// session, until JFR writes its file. A call that was open at the end would have all of it.
pub(crate) fn end_with_session(recording: &mut Recording, end: Ticks) {
    let Some(clock) = SessionClock::new(&recording.clock) else { return };
    // What was before the session's begin has a negative time, and is in no call.
    let is_before_end = |at: JfrTicks| {
        let at = clock.at(at).0;
        at < 0 || at.unsigned_abs() < end.0
    };
    recording.samples.samples.retain(|sample| is_before_end(sample.at));
    recording.thread_events.events.retain_mut(|event| {
        let end = end_within(event.begin, event.end, &is_before_end);
        event.end = end.unwrap_or(event.end);
        end.is_some()
    });
}

/// Where an event ends that is cut at the end of what is within; none if it begins later.
fn end_within(
    begin: JfrTicks,
    end: JfrTicks,
    is_within: &dyn Fn(JfrTicks) -> bool,
) -> Option<JfrTicks> {
    if !is_within(begin) {
        return None;
    }
    if end <= begin || is_within(end) {
        return Some(end);
    }
    // The clocks rise together, so there is one place where it changes.
    let (mut within, mut beyond) = (begin.0, end.0);
    while beyond - within > 1 {
        let middle = within.midpoint(beyond);
        match is_within(JfrTicks(middle)) {
            true => within = middle,
            false => beyond = middle,
        }
    }
    Some(JfrTicks(within))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_jfr::{ClockReading, Sample, SampleKind, SessionTicks};

    #[test]
    fn events_that_last_longer_are_cut() {
        let is_within = |at: JfrTicks| at.0 < 200;
        let end = |begin, end| end_within(JfrTicks(begin), JfrTicks(end), &is_within);
        for (begin, told, kept) in [
            (50, 120, Some(120)),
            (190, 260, Some(199)),
            (199, 199, Some(199)),
            (0, u64::MAX, Some(199)),
            (200, 210, None),
            // A damaged file may have any numbers.
            (100, 50, Some(50)),
        ] {
            assert_eq!(end(begin, told), kept.map(JfrTicks), "{begin} {told}");
        }
    }

    #[test]
    fn samples_after_the_end_are_left_out() {
        let mut recording = Recording::default();
        // Two ticks of JFR are one of the session, which begins at 100.
        for (at, ticks) in [(100, 0), (300, 100)] {
            let (at, ticks) = (JfrTicks(at), SessionTicks(ticks));
            recording.clock.push(ClockReading { at, number: 0, before: ticks, after: ticks });
        }
        let sample = |at| Sample {
            stack: 0,
            kind: SampleKind::Java,
            at: JfrTicks(at),
            thread: Default::default(),
        };
        recording.samples.samples = [50, 199, 200, 250].map(sample).to_vec();
        end_with_session(&mut recording, Ticks(50));
        let left: Vec<_> = recording.samples.samples.iter().map(|sample| sample.at.0).collect();
        assert_eq!(left, [50, 199]);
    }
}
