//! `export`, and the options that choose call paths in reports, too.

use super::support::*;
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
        [&["report", "p.jfp", "--collapsed"][..], &["export", "p.jfp", "--to", "collapsed"]]
    {
        let with = |more: &[&str]| place.jfathom(&[command, more].concat());
        let step = "com.acme.Engine::step(J)V";
        let focused = with(&["--focus", step]).fine().out;
        assert!(focused.lines().all(|line| line.contains("::step(long)")), "{focused}");
        let ignored = with(&["--ignore", step]).fine().out;
        assert!(!ignored.contains("::step(long)") && ignored.contains("::step(int)"), "{ignored}");
        let folded = with(&["--fold", "com.acme.Engine::run"]).fine().out;
        assert!(!folded.contains("::step") && folded.contains("::run"), "{folded}");
        with(&["--fold", "com.acme.Engine::stop"])
            .refused(2, &["--fold com.acme.Engine::stop matches no method of the profile"]);
        with(&["--thread", "none"]).refused(2, &["no thread is called ‘none’", "main"]);
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
    refused(&["walked.jfp", "-o", "b.csv", "--thread", "main"], &["all threads"]);
    refused(&["walked.jfp", "-o", "b.csv", "--raw"], &["no times"]);
    refused(&["p.jfp", "-o", "b.csv"], &["no stacks were walked", "stack/101"]);
    assert!(!place.path("b.csv").exists() && !place.path("t").exists());
}
