//! A method over recordings: builds of a program, or days of a service.

use crate::{MethodSet, hot_methods_with};
use jfathom_calibration::{CorrectedTimes, Times};
use jfathom_plan::{Digest, MethodKey};
use jfathom_profile::{Labels, Meta, MethodIx, Profile, Ticks};

/// Methods over recordings, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The recordings, the oldest first.
    pub recordings: Vec<Recorded>,
    /// The methods, in the order in which they were first met.
    pub methods: Vec<MethodHistory>,
}

/// A recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What its profile is called.
    pub called: String,
    /// Begin of the recording, in ms since the Unix epoch.
    pub started_millis: u64,
    /// Its labels.
    pub labels: Labels,
    /// Runs of the program; the numbers of its points are means over them.
    pub runs: usize,
    /// Whether nothing was lost or repaired.
    pub is_clean: bool,
    /// Whether its times are corrected.
    pub is_corrected: bool,
}

/// A method over the recordings.
#[derive(Clone, Debug)]
pub struct MethodHistory {
    /// The method.
    pub key: MethodKey,
    /// By recording; none where the method was not called.
    pub points: Vec<Option<HistoryPoint>>,
}

/// A method in a recording: means over its runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistoryPoint {
    /// All calls.
    pub calls: f64,
    /// Timed calls. Without any there are no times.
    pub timed: f64,
    /// Self and total times with their bars, in ns; without correction as measured, without bars.
    pub times: Times,
    /// Whether its code differs from that in the recording before in which it was called.
    pub is_edited: bool,
    /// Digest of its code.
    pub code: Digest,
}

impl History {
    /// Adds the next recording: its methods in `selected`.
    pub fn add(
        &mut self,
        called: String,
        profile: &Profile,
        corrected: Option<&CorrectedTimes>,
        selected: &MethodSet,
    ) {
        let before = self.recordings.len();
        let runs = profile.run_count().max(1);
        let nodes = corrected.map_or(&[][..], CorrectedTimes::nodes);
        for sum in hot_methods_with(profile, |_| true, nodes) {
            if !selected.contains(sum.method) {
                continue;
            }
            let info = &profile.method(sum.method).info;
            let nanos = |ticks: Ticks| ticks.0 as f64 * 1e9 / profile.rate.hz() as f64;
            let times = match corrected {
                Some(_) => sum.times,
                None => Times {
                    self_nanos: nanos(sum.self_time()),
                    total_nanos: nanos(sum.total_time()),
                    ..Times::default()
                },
            };
            self.add_point(
                &info.key,
                before,
                HistoryPoint {
                    calls: sum.calls() as f64 / runs as f64,
                    timed: sum.timed() as f64 / runs as f64,
                    times: per_run(times, runs),
                    is_edited: false,
                    code: info.digest,
                },
            );
        }
        // Calls on virtual threads are in no call path.
        for (at, method) in (0..).map(MethodIx).zip(&profile.methods) {
            if method.virtual_calls > 0 && selected.contains(at) {
                self.add_point(
                    &method.info.key,
                    before,
                    HistoryPoint {
                        calls: method.virtual_calls as f64 / runs as f64,
                        timed: 0.0,
                        times: Times::default(),
                        is_edited: false,
                        code: method.info.digest,
                    },
                );
            }
        }
        for method in &mut self.methods {
            method.points.resize(before + 1, None);
        }
        let Meta { started_millis, labels, .. } = &profile.meta;
        self.recordings.push(Recorded {
            called,
            started_millis: *started_millis,
            labels: labels.clone(),
            runs,
            is_clean: profile.quality.is_clean(),
            is_corrected: corrected.is_some(),
        });
    }

    /// Adds a point to a method's history. A profile of several builds has several of one key:
    /// their sum is the point.
    fn add_point(&mut self, key: &MethodKey, before: usize, point: HistoryPoint) {
        let points = &mut self.method(key, before).points;
        if let Some(Some(sum)) = points.get_mut(before) {
            sum.calls += point.calls;
            sum.timed += point.timed;
            sum.times = sum.times.plus(point.times);
            return;
        }
        let last = points.iter().rev().flatten().next();
        let is_known = |code: Digest| code != Digest::default();
        let is_edited = last.is_some_and(|last| {
            last.code != point.code && is_known(last.code) && is_known(point.code)
        });
        points.push(Some(HistoryPoint { is_edited, ..point }));
    }

    /// The history of a method over the recordings before this one.
    fn method(&mut self, key: &MethodKey, recordings: usize) -> &mut MethodHistory {
        let at = self.methods.iter().position(|method| method.key == *key).unwrap_or_else(|| {
            let points = vec![None; recordings];
            self.methods.push(MethodHistory { key: key.clone(), points });
            self.methods.len() - 1
        });
        &mut self.methods[at]
    }
}

/// A mean over runs. The bar of a sum over runs is that of their mean times their number.
fn per_run(times: Times, runs: usize) -> Times {
    let part = |nanos: f64| nanos / runs as f64;
    Times {
        self_nanos: part(times.self_nanos),
        total_nanos: part(times.total_nanos),
        self_error_nanos: part(times.self_error_nanos),
        total_error_nanos: part(times.total_error_nanos),
        self_between_runs_nanos: part(times.self_between_runs_nanos),
        total_between_runs_nanos: part(times.total_between_runs_nanos),
        total_queue_nanos: part(times.total_queue_nanos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_calibration::correct_times;
    use jfathom_testkit::small_profile;

    fn selected(profile: &Profile, selector: &str) -> MethodSet {
        MethodSet::new(&profile.methods, &[selector.parse().unwrap()]).unwrap_or_default()
    }

    #[test]
    fn a_method_has_a_point_for_each_recording_that_calls_it() {
        let first = small_profile::profile();
        let name = format!(
            "{}::{}",
            first.methods[0].info.key.class.replace('/', "."),
            first.methods[0].info.key.name
        );
        let mut without = first.clone();
        without.methods[0].info.key.name = "renamed".to_owned();
        let mut edited = first.clone();
        edited.methods[0].info.digest = Digest(4711);
        let mut history = History::default();
        for (called, profile) in [("1", &first), ("2", &without), ("3", &edited), ("4", &edited)] {
            let corrected = correct_times(profile);
            history.add(called.to_owned(), profile, corrected.as_ref(), &selected(profile, &name));
        }
        assert_eq!(history.recordings.len(), 4);
        let [method] = &history.methods[..] else { panic!("{:?}", history.methods) };
        let calls: Vec<_> =
            method.points.iter().map(|point| point.map(|point| point.calls)).collect();
        assert_eq!((calls[1], calls[0]), (None, calls[2]));
        let edits: Vec<_> = method.points.iter().flatten().map(|point| point.is_edited).collect();
        assert_eq!(edits, [false, true, false]);
    }

    #[test]
    fn methods_of_one_key_and_calls_on_virtual_threads_are_added_up() {
        let calls_of = |profile: &Profile| {
            let mut history = History::default();
            history.add(String::new(), profile, None, &selected(profile, "**"));
            let points = history.methods.iter().map(|method| method.points.len());
            assert!(points.clone().all(|points| points == 1), "{:?}", points.collect::<Vec<_>>());
            let point = |method: &MethodHistory| method.points[0].unwrap().calls;
            (history.methods.len(), history.methods.iter().map(point).sum::<f64>())
        };
        let mut profile = small_profile::profile();
        let (methods, calls) = calls_of(&profile);
        profile.methods[0].virtual_calls += 41;
        assert_eq!(calls_of(&profile), (methods, calls + 41.0));
        profile.methods[1].info.key = profile.methods[0].info.key.clone();
        assert_eq!(calls_of(&profile), (methods - 1, calls + 41.0));
    }

    #[test]
    fn numbers_are_means_over_runs() {
        let one = small_profile::profile();
        let series = crate::into_series(vec![one.clone(), one.clone()]).unwrap();
        let of = |profile: &Profile| {
            let mut history = History::default();
            history.add(String::new(), profile, None, &selected(profile, "**"));
            history.methods
        };
        let (one, series) = (of(&one), of(&series));
        assert_eq!(one.len(), series.len());
        for (one, series) in one.iter().zip(&series) {
            let [one, series] = [one, series].map(|method| method.points[0].unwrap());
            assert_eq!((one.calls, one.timed), (series.calls, series.timed));
            assert!((one.times.self_nanos - series.times.self_nanos).abs() < 1.0);
        }
    }
}
