//! `export`, and the options that choose call paths in reports, too.

use super::support::*;
use jfathom_export::Format;
use jfathom_profile::Profile;
use jfathom_testkit::{small_profile, walks::walked};

fn place() -> Place {
    let place = Place::new();
    let mut bytes = Vec::new();
    small_profile::calibrated().write(&mut bytes).unwrap();
    place.write("p.jfp", &bytes);
    place
}

#[test]
fn the_name_of_the_output_chooses_the_format() {
    let place = place();
    for (name, begin) in [
        ("a.pb.gz", &b"\x1f\x8b"[..]),
        ("a.speedscope.json", b"{\"$schema\":"),
        ("a.firefox.json", b"{\"meta\":"),
        ("a.jfr", b"FLR\0\0\x02\0\x01"),
        ("callgrind.out.a", b"# callgrind format"),
        ("a.csv", b"node,parent,"),
        ("a.folded", b"thread main #1;com.acme.Engine::run "),
        ("a.md", b"- **Quality:** NOT CLEAN"),
    ] {
        place.jfathom(&["export", "p.jfp", "-o", name]).fine();
        let written = place.read(name);
        assert!(written.starts_with(begin), "{name}: {}", String::from_utf8_lossy(&written));
    }
    place.jfathom(&["export", "p.jfp", "--to", "otlp", "-o", "any"]).fine();
    place.jfathom(&["export", "p.jfp", "-o", "a.json"]).refused(2, &["a.json", "--to"]);
    place.jfathom(&["export", "p.jfp"]).refused(2, &["--to"]);
    assert!(!place.path("a.json").exists());
}

#[test]
fn call_paths_are_chosen_alike_in_reports_and_exports() {
    let place = place();
    for command in
        [&["report", "p.jfp", "--as=collapsed"][..], &["export", "p.jfp", "--to", "collapsed"]]
    {
        let with = |more: &[&str]| place.jfathom(&[command, more].concat());
        let step = "com.acme.Engine::step(J)V";
        let focused = with(&["--filter", &format!("focus={step}")]).fine().out;
        assert!(focused.lines().all(|line| line.contains("::step(long)")), "{focused}");
        let ignored = with(&["--filter", &format!("ignore={step}")]).fine().out;
        assert!(!ignored.contains("::step(long)") && ignored.contains("::step(int)"), "{ignored}");
        let folded = with(&["--filter=fold=com.acme.Engine::run"]).fine().out;
        assert!(!folded.contains("::step") && folded.contains("::run"), "{folded}");
        with(&["--filter=fold=com.acme.Engine::stop"])
            .refused(2, &["--filter fold=com.acme.Engine::stop matches no method of the profile"]);
        with(&["--filter=thread=none"]).refused(2, &["no thread is called ‘none’", "main"]);
    }
}

#[test]
fn walked_stacks_are_exported_where_a_format_has_stacks() {
    let place = place();
    let mut bytes = Vec::new();
    walked(small_profile::calibrated()).write(&mut bytes).unwrap();
    place.write("walked.jfp", &bytes);
    for (name, begin) in [
        ("a.pb.gz", &b"\x1f\x8b"[..]),
        ("a.speedscope.json", b"{\"$schema\":"),
        ("a.csv", b"node,parent,depth,name,"),
        ("a.folded", b"com.acme.Engine::step"),
    ] {
        place.jfathom(&["export", "--walks", "walked.jfp", "-o", name]).fine();
        let written = place.read(name);
        assert!(written.starts_with(begin), "{name}: {}", String::from_utf8_lossy(&written));
    }
    let refused = |words: &[&str], said: &[&str]| {
        place.jfathom(&[&["export", "--walks"], words].concat()).refused(2, said)
    };
    refused(&["walked.jfp", "-o", "a.jfr"], &["pprof, speedscope", "csv"]);
    refused(&["walked.jfp", "--to", "parquet", "-o", "t"], &["tables have"]);
    refused(&["walked.jfp", "-o", "b.csv", "--filter=thread=main"], &["all threads"]);
    refused(&["walked.jfp", "-o", "b.csv", "--filter=times=measured"], &["no times"]);
    place
        .jfathom(&["export", "--walks", "p.jfp", "-o", "b.csv"])
        .refused(1, &["p.jfp: nothing to write", "no stacks were walked", "stack/101"]);
    assert!(!place.path("b.csv").exists() && !place.path("t").exists());
}

/// A recording in which nothing was called, such as a slice of an idle hour.
fn idle() -> Vec<u8> {
    let full = small_profile::calibrated();
    let mut bytes = Vec::new();
    Profile::without_records(full.rate, &full.meta).write(&mut bytes).unwrap();
    bytes
}

#[test]
fn an_output_that_would_be_empty_is_refused_and_leaves_the_file_there() {
    let place = place();
    place.write("idle.jfp", &idle());
    place.write("there", b"older");
    let formats = Format::all().map(|(_, name, _)| name);
    for name in formats.filter(|name| !["markdown", "perfetto"].contains(name)) {
        place
            .jfathom(&["export", "idle.jfp", "--to", name, "-o", "there"])
            .refused(1, &["idle.jfp: nothing to write: it has no calls"]);
    }
    for words in [&["--as=collapsed", "-o", "there"][..], &["--as=flamegraph", "-o", "there"]] {
        place
            .jfathom(&[&["report", "idle.jfp"], words].concat())
            .refused(1, &["idle.jfp: nothing to write: it has no calls"]);
    }
    for profile in ["idle.jfp", "p.jfp"] {
        place
            .jfathom(&["export", profile, "--to", "perfetto", "-o", "there"])
            .refused(1, &[profile, "nothing to write: no slow calls", "record --slowest 20"]);
    }
    let step = "com.acme.Engine::step(J)V";
    let focus = format!("focus={step}");
    place
        .jfathom(&[
            "export",
            "p.jfp",
            "-o",
            "a.pprof",
            "--filter",
            &focus,
            "--filter=ignore=com.acme.**",
        ])
        .refused(1, &["p.jfp: nothing to write", "--filter"]);
    place
        .jfathom(&["export", "p.jfp", "--to", "perfetto", "-o", "there", "--filter=thread=main"])
        .refused(2, &["--to perfetto", "all threads"]);
    assert_eq!(place.read("there"), b"older");
    assert!(!place.path("a.pprof").exists());
    let lines = place.jfathom(&["export", "idle.jfp", "--to", "markdown"]).fine().out;
    assert!(lines.contains("0 calls of 0 methods"), "{lines}");
    let report = place.jfathom(&["report", "idle.jfp"]).fine().out;
    assert!(report.contains("calls     none was recorded"), "{report}");
    for (view, said) in [
        ("walks", "no stacks were walked"),
        ("virtual-threads", "none: "),
        ("slowest", "--slowest 20"),
    ] {
        let report = place.jfathom(&["report", "idle.jfp", "--view", view]).fine().out;
        assert!(report.contains(said), "{view}: {report}");
    }
}
