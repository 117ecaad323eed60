//! Run series, and roots-only runs.

use crate::world::{holds, known, method, options, program, record_here, shell};
use jfathom_calibration::correct_times;
use jfathom_collector::{
    AnchorChoice, Error, Event, RecordOptions, RunNumber, Side, SideOptions, record,
    record_interleaved,
};
use jfathom_profile::{Frame, Profile};
use jfathom_session::CalibrationPhases;

/// A command that does `first` the first time and `then` later.
fn changing(place: &std::path::Path, first: &str, then: &str) -> [String; 3] {
    let mark = place.join("mark").display().to_string();
    [
        "sh".into(),
        "-c".into(),
        format!("if test -e '{mark}'; then {then}; else touch '{mark}'; {first}; fi"),
    ]
}

fn measuring(options: &mut RecordOptions) {
    options.calibrate = CalibrationPhases::BOTH;
    options.files = vec![known()];
}

/// Corrected time in `run` and below, over all runs.
fn time_in_root(profile: &Profile) -> f64 {
    let corrected = correct_times(profile).expect("the JVMs have measured");
    let is_run = |frame| matches!(frame, Frame::Method(method) if profile.method(method).info.key.name == "run");
    let nodes = profile.tree.nodes().filter(|node| is_run(profile.tree.frame(*node)));
    nodes.map(|node| corrected.node(node).total_nanos).sum()
}

#[test]
fn runs_are_kept_apart_in_one_profile() {
    let dir = tempfile::tempdir().unwrap();
    let options = RecordOptions { runs: 3, ..options(dir.path(), &program(&["calls", "1000"])) };
    let mut runs = Vec::new();
    let outcome = record(&options, &crate::world::Directories, &mut |event| {
        if let Event::Run(run) = event {
            runs.push(run);
        }
    });
    let outcome = outcome.unwrap();
    assert_eq!((outcome.exit.code(), outcome.runs, outcome.jvms), (0, 3, 3));
    assert_eq!(
        runs,
        [1, 2, 3].map(|number| RunNumber { number, of: 3, roots_only: false, side: None })
    );
    let profile = crate::world::read_profile(&outcome.profiles[0]);
    holds(&profile, 3, 3000);
    assert_eq!((profile.run_count(), profile.meta.jvms.len(), profile.threads.len()), (3, 3, 1));
    (0..3).for_each(|run| holds(&profile.run(run).unwrap(), 1, 1000));
    assert_eq!(
        std::fs::read_dir(dir.path()).unwrap().count(),
        1,
        "the session directories are gone"
    );
}

#[test]
fn two_sides_go_in_turn() {
    let dir = tempfile::tempdir().unwrap();
    let order = dir.path().join("order");
    let side = |name: &str, calls: &str, more: &str| {
        let script =
            format!("echo {name} >> '{}'; {}{more}", order.display(), shell(&["calls", calls]));
        let output = dir.path().join(format!("{name}.jfp"));
        RecordOptions {
            runs: 2,
            output,
            ..options(dir.path(), &["sh".into(), "-c".into(), script])
        }
    };
    let both = |base: &RecordOptions, new: &RecordOptions| {
        let (mut runs, mut notes) = (Vec::new(), Vec::new());
        let [base, new] = [base, new]
            .map(|options| SideOptions { options, manifests: &crate::world::Directories });
        let found = record_interleaved(base, new, &mut |event| match event {
            Event::Run(run) => runs.push(run),
            Event::Note(note) => notes.push(note),
            _ => {}
        });
        (found, runs, notes)
    };
    let (base, new) = (side("base", "1000", ""), side("new", "500", ""));
    let (found, runs, _) = both(&base, &new);
    let found = found.unwrap();
    assert_eq!(std::fs::read_to_string(&order).unwrap(), "base\nnew\nnew\nbase\n");
    let sides: Vec<_> = runs.iter().map(|run| run.side.unwrap()).collect();
    assert_eq!(sides, [Side::Base, Side::New, Side::New, Side::Base]);
    assert_eq!(runs[3].to_string(), "run 4 of 4, base");
    let profiles = found.map(|outcome| {
        assert_eq!((outcome.exit.code(), outcome.runs, outcome.jvms), (0, 2, 2));
        crate::world::read_profile(&outcome.profiles[0])
    });
    holds(&profiles[0], 2, 2000);
    holds(&profiles[1], 2, 1000);
    assert!(
        profiles[0].meta.interleaving_id.is_some()
            && profiles[0].meta.interleaving_id == profiles[1].meta.interleaving_id
    );

    // The new side's second run fails, which is the third of all: whole rounds are kept.
    let mark = dir.path().join("mark");
    let fails = format!("; test -e '{0}' && exit 7; touch '{0}'", mark.display());
    let (base, new) = (
        RecordOptions { force: true, ..base },
        RecordOptions { force: true, ..side("new", "500", &fails) },
    );
    let (found, _, notes) = both(&base, &new);
    let found = found.unwrap();
    assert_eq!(
        found.clone().map(|outcome| (outcome.exit.code(), outcome.runs, outcome.jvms)),
        [(0, 1, 1), (7, 1, 1)]
    );
    assert!(notes.iter().any(|note| note.starts_with("run 3 of 4, new, is left out")), "{notes:?}");
    let again = crate::world::read_profile(&found[1].profiles[0]);
    holds(&again, 1, 500);
    assert_ne!(again.meta.interleaving_id, profiles[1].meta.interleaving_id);

    let same = RecordOptions { output: dir.path().join("./base.jfp"), ..new };
    let error = both(&base, &same).0.unwrap_err();
    assert!(matches!(error, Error::OneOutput(_)) && error.exit_code() == 2, "{error}");
}

#[test]
fn a_run_that_ends_otherwise_is_the_last() {
    let place = tempfile::tempdir().unwrap();
    let command = changing(place.path(), &shell(&["calls", "1000"]), &shell(&["exit", "500", "3"]));
    let recorded = record_here(&command, |options| options.runs = 4);
    let outcome = recorded.result.as_ref().unwrap();
    assert_eq!((outcome.exit.code(), outcome.runs, outcome.jvms), (3, 1, 1));
    let why = "run 2 of 4 is left out, and it was the last: the command ended with code 3, and with \
               code 0 in the runs before";
    assert!(recorded.notes.iter().any(|note| note == why), "{:?}", recorded.notes);
    holds(&recorded.profile(), 1, 1000);

    // A signal, in the first run or later.
    for (first, runs) in [("kill -KILL $$", 1), ("exit 0", 2)] {
        let place = tempfile::tempdir().unwrap();
        let calls = shell(&["calls", "1000"]);
        let (first, then) = (format!("{calls}; {first}"), format!("{calls}; kill -KILL $$"));
        let command = changing(place.path(), &first, &then);
        let recorded = record_here(&command, |options| options.runs = 4);
        let outcome = recorded.result.as_ref().unwrap();
        assert_eq!((outcome.exit.code(), outcome.runs), (137, 1));
        let start = format!("run {runs} of 4 ");
        let note = recorded.notes.iter().find(|note| note.starts_with(&start));
        assert!(note.is_some_and(|note| note.contains("signal 9")), "{:?}", recorded.notes);
    }

    // A run that records nothing leaves those before it.
    let place = tempfile::tempdir().unwrap();
    let command = changing(place.path(), &shell(&["calls", "1000"]), "true");
    let recorded = record_here(&command, |options| options.runs = 4);
    assert!(matches!(recorded.result, Err(Error::NoJvm { .. })));
    holds(&crate::world::read_profile(&recorded.dir.path().join("profile.jfp")), 1, 1000);
}

#[test]
fn a_series_goes_on_while_its_runs_end_with_one_code() {
    let recorded = record_here(&program(&["exit", "500", "10"]), |options| options.runs = 3);
    let outcome = recorded.result.as_ref().unwrap();
    assert_eq!((outcome.exit.code(), outcome.runs, outcome.jvms), (10, 3, 3));
    assert_eq!(recorded.profile().run_count(), 3);
    assert_eq!(method(&recorded.profile(), "step").entries, 3 * 501);
    let said = |note: &&String| note.starts_with("the command ended with code 10: ");
    assert_eq!(recorded.notes.iter().filter(said).count(), 1, "{:?}", recorded.notes);
}

#[test]
fn roots_alone() {
    let recorded = record_here(&program(&["calls", "1000"]), |options| {
        measuring(options);
        options.roots_only = true;
    });
    let profile = recorded.profile();
    profile.check().unwrap();
    assert_eq!((method(&profile, "run").entries, method(&profile, "run").returns), (1, 1));
    assert_eq!(
        (profile.methods.len(), profile.quality.is_clean()),
        (1, true),
        "{:?}",
        profile.methods
    );
    assert!(
        profile.meta.notices.iter().any(|notice| notice.contains("only the roots")),
        "{:?}",
        profile.meta.notices
    );
    assert!(time_in_root(&profile) > 0.0);

    let unknown = record_here(&program(&["calls", "1000"]), |options| options.roots_only = true);
    let error = unknown.result.unwrap_err();
    assert!(matches!(error, Error::NoRoot { files: 0 }) && error.exit_code() == 2, "{error}");
    assert!(!unknown.dir.path().join("session").exists());
}

#[test]
fn an_anchor_is_the_time_in_the_roots() {
    let recorded = record_here(&program(&["calls", "20000"]), |options| {
        measuring(options);
        (options.anchor, options.runs) = (AnchorChoice::Required, 3);
    });
    let outcome = recorded.result.as_ref().unwrap();
    assert_eq!((outcome.runs, outcome.jvms), (3, 3));
    let profile = recorded.profile();
    holds(&profile, 3, 60_000);
    let anchor = profile.anchor.unwrap();
    assert_eq!((anchor.roots_only_runs, anchor.full_runs), (3, 3));
    let time = time_in_root(&profile) / 3.0;
    // Times are kept in 64ths of a nanosecond.
    assert!((time - anchor.roots_only_nanos).abs() < 1.0, "{time} by the full runs, {anchor:?}");
    assert!(anchor.roots_only_deviation >= 0.0 && anchor.residual_nanos != 0.0, "{anchor:?}");
}

#[test]
fn no_anchor_for_other_work() {
    let place = tempfile::tempdir().unwrap();
    let twice = format!("{0}; {0}", shell(&["calls", "500"]));
    let command = changing(place.path(), &shell(&["calls", "500"]), &twice);
    let recorded = record_here(&command, |options| {
        measuring(options);
        (options.anchor, options.runs) = (AnchorChoice::Required, 2);
    });
    let error = recorded.result.unwrap_err().to_string();
    assert!(error.contains("called 1 times") && error.contains("2 times in run 2"), "{error}");
    assert!(
        !recorded.dir.path().join("profile.jfp").exists(),
        "no full run was like the one before it"
    );
}

#[test]
fn a_root_that_the_jvm_ends_in_lasts_until_then() {
    let anchored = |how: &str| {
        record_here(&program(&[how, "500", "0"]), |options| {
            measuring(options);
            (options.anchor, options.runs) = (AnchorChoice::IfComparable, 2);
        })
    };
    let recorded = anchored("exit");
    assert_eq!(recorded.result.as_ref().unwrap().runs, 2);
    let profile = recorded.profile();
    let (run, step) = (method(&profile, "run"), method(&profile, "step"));
    assert_eq!((run.entries, run.open, run.returns), (2, 2, 0));
    assert_eq!((step.entries, step.open), (1002, 2));
    // The program sleeps for 50 ms behind the last record.
    let anchor = profile.anchor.unwrap();
    assert!(anchor.roots_only_nanos > 45e6, "{anchor:?}");
    let last = profile.tree.nodes().find(|node| profile.tree.depth(*node) == 2).unwrap();
    let measured = profile.tree.self_time(last).0 as f64 * 1e9 / profile.rate.hz() as f64;
    assert!(measured > 90e6, "{measured} ns in the open calls of both runs");
    let time = time_in_root(&profile) / 2.0;
    assert!((time - anchor.roots_only_nanos).abs() < 1.0, "{time} by the full runs, {anchor:?}");

    // Nothing marks the end.
    let recorded = anchored("halt");
    let outcome = recorded.result.as_ref().unwrap();
    assert_eq!((outcome.runs, recorded.profile().anchor), (2, None));
    let why = recorded.notes.iter().find(|note| note.contains("no anchor"));
    assert!(why.is_some_and(|why| why.contains("shutdown hooks")), "{:?}", recorded.notes);
}

#[test]
fn runs_that_differ_are_recorded_without_an_anchor_if_none_is_required() {
    let place = tempfile::tempdir().unwrap();
    let twice = format!("{0}; {0}", shell(&["calls", "500"]));
    let command = changing(place.path(), &shell(&["calls", "500"]), &twice);
    let recorded = record_here(&command, |options| {
        measuring(options);
        (options.anchor, options.runs) = (AnchorChoice::IfComparable, 3);
    });
    let outcome = recorded.result.as_ref().unwrap();
    let why = recorded.notes.iter().find(|note| note.contains("no anchor")).unwrap();
    assert!(why.contains("called 1 times") && why.contains("2 times in run 2"), "{why}");
    // The first round has both kinds of runs, and the others a full run each.
    assert_eq!((outcome.runs, recorded.profile().anchor), (3, None));
}
