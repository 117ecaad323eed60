//! The commands as a user types them, one after another, on programs of whom they know nothing.

use crate::{JFATHOM, jar};
use jfathom_tests::{jdk, run, samples, tool::java};
use std::fs;

/// rewrite, record, report, inspect, verify.
#[test]
fn the_path_from_a_jar_to_a_report() {
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    let plain = jar(&samples::compiled().demo, "demo.Market", &place("market.jar"));
    let out = JFATHOM.rewrite(&plain, &place("out"), &["--include", "demo.**"]);

    // The rewritten jar runs by itself, with no flag and no word.
    let expected = run::run(java(jdk::main()).arg("-jar").arg(&plain)).fine();
    let alone = run::run(java(jdk::main()).arg("-jar").arg(&out)).fine();
    assert_eq!((&alone.stdout, alone.stderr.as_str()), (&expected.stdout, ""));

    for jdk in jdk::main_and_25("commands") {
        let profile = place(&format!("market-{}.jfp", jdk.version));
        let mut record = JFATHOM.command();
        record.args(["record", "-o"]).arg(&profile).arg("--").arg(jdk.java()).arg("-jar").arg(&out);
        let recorded = run::run(&mut record).fine();
        assert_eq!(recorded.stdout, expected.stdout, "{recorded}");

        let report = JFATHOM.run(&["report".as_ref(), profile.as_os_str()]).fine().stdout;
        for word in [
            "call tree",
            "hot methods",
            "demo.Market$Hall::settle",
            "4,000",
            "thread north",
            "thread south",
        ] {
            assert!(report.contains(word), "the report lacks {word:?}:\n{report}");
        }
        let json =
            JFATHOM.run(&["report".as_ref(), profile.as_os_str(), "--json".as_ref()]).fine().stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("--json prints JSON");
        assert!(json.is_object());
        for format in ["--as=collapsed", "--view=methods", "--view=threads"] {
            let text = JFATHOM
                .run(&["report".as_ref(), profile.as_os_str(), format.as_ref()])
                .fine()
                .stdout;
            assert!(
                text.contains("demo.Market") || format == "--view=threads",
                "{format}:\n{text}"
            );
        }
        let flame = place("flame.svg");
        let mut command = JFATHOM.command();
        run::run(command.arg("report").arg(&profile).args(["--as=flamegraph", "-o"]).arg(&flame))
            .fine();
        assert!(fs::read_to_string(&flame).unwrap().contains("<svg"));
        let page = place("page.html");
        let mut command = JFATHOM.command();
        run::run(command.arg("report").arg(&profile).args(["--as=html", "-o"]).arg(&page)).fine();
        assert!(fs::read_to_string(&page).unwrap().starts_with("<!DOCTYPE html>"));

        let verified =
            run::run(JFATHOM.command().arg("verify").arg(&out).env("JAVA_HOME", &jdk.home)).fine();
        assert!(verified.stdout.contains("link as before"), "{verified}");
    }

    let inspected = JFATHOM.run(&["inspect".as_ref(), out.as_os_str()]).fine().stdout;
    for word in ["plan ", "placement", "main", "ids 0.."] {
        assert!(inspected.contains(word), "inspect lacks {word:?}:\n{inspected}");
    }
}

/// Two jars, rewritten by two commands into one directory, run together and share no id.
#[test]
fn two_jars_rewritten_one_after_the_other_work_together() {
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    let market = jar(&samples::compiled().demo, "demo.Market", &place("market.jar"));
    let plugin = jar(&samples::compiled().isolated, "isolated.Plugin", &place("plugin.jar"));
    let host = place("host");
    fs::create_dir(&host).unwrap();
    fs::write(
        host.join("Host.java"),
        "public class Host { public static void main(String[] a) throws Exception {
            new isolated.Plugin().run(); demo.Market.main(a); new isolated.Plugin().run(); } }",
    )
    .unwrap();
    let class_path = format!("{}:{}", market.display(), plugin.display());
    samples::javac(&["-cp", &class_path], &host, &place("host-classes"));
    let out = place("out");
    let market = JFATHOM.rewrite(&market, &out, &[]);
    let plugin = JFATHOM.rewrite(&plugin, &out, &[]);
    let class_path =
        format!("{}:{}:{}", market.display(), place("host-classes").display(), plugin.display());
    let (_, profile) = JFATHOM.record(&[], jdk::main(), &["-cp", &class_path, "Host"], 0);
    let calls = |class: &str, name: &str| {
        let found = profile
            .methods
            .iter()
            .find(|method| method.info.key.class == class && method.info.key.name == name);
        found.unwrap_or_else(|| panic!("no {class}::{name}")).calls()
    };
    assert_eq!(calls("isolated/Plugin", "run"), 2);
    assert_eq!(calls("isolated/Plugin", "step"), 10);
    assert_eq!(calls("demo/Market$Hall", "settle"), 4000);
    assert_eq!(profile.meta.jvms[0].provenance.len(), 2, "{:?}", profile.meta.jvms[0].provenance);
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
}

/// The same plan twice gives overlapping ids: the recording ends with an error that names both.
#[test]
fn overlapping_ids_are_refused_with_both_names() {
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    let market = jar(&samples::compiled().demo, "demo.Market", &place("market.jar"));
    let plugin = jar(&samples::compiled().isolated, "isolated.Plugin", &place("plugin.jar"));
    let (market, plugin) = (
        JFATHOM.rewrite(&market, &place("one"), &[]),
        JFATHOM.rewrite(&plugin, &place("two"), &[]),
    );
    let class_path = format!("{}:{}", market.display(), plugin.display());
    let mut command = JFATHOM.command();
    command.args(["record", "-o"]).arg(place("p.jfp")).arg("--").arg(jdk::main().java());
    let done = run::run(command.args(["-cp", &class_path, "demo.Market"])).code(1);
    done.says(&["market.jar", "plugin.jar"]);
}

/// The command of the README, from nothing but a JDK.
#[test]
fn the_demo_shows_a_call_tree() {
    let folder = samples::temp_dir();
    let mut command = JFATHOM.command();
    let done = run::run(command.arg("demo").current_dir(folder.path())).fine();
    for word in ["market closed", "demo.Market$Hall::settle", "call tree"] {
        assert!(done.stdout.contains(word), "the demo lacks {word:?}:\n{done}");
    }
}

/// What a user gets wrong first: exit code 2 for a wrong command, 1 for what failed, and the
/// child's code otherwise.
#[test]
fn exit_codes() {
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    let market = jar(&samples::compiled().demo, "demo.Market", &place("market.jar"));
    JFATHOM.run(&["no-such-command"]).code(2);
    JFATHOM
        .run(&["report".as_ref(), place("no-such.jfp").as_os_str()])
        .code(1)
        .says(&["no-such.jfp"]);
    // One is a broken limit there.
    let gate = ["gate", "no-such.jfp", "no-such.jfp", "--max", "calls=+0"];
    JFATHOM.run(&gate).code(2).says(&["no-such.jfp"]);
    let rewrite = |options: &[&str]| {
        let mut command = JFATHOM.command();
        run::run(command.arg("rewrite").arg(&market).arg("-o").arg(place("out")).args(options))
    };
    rewrite(&["--include", "demo.Markt"]).code(2).says(&["demo.Markt", "demo.Market"]);
    assert!(!place("out").join("market.jar").exists(), "a refused rewrite leaves nothing");
    rewrite(&[]).fine();
    rewrite(&["--include", "demo.Market"]).code(2).says(&["market.jar", "--force"]);
    rewrite(&["--force"]).fine();
    let mut again = JFATHOM.command();
    again.arg("rewrite").arg(place("out/market.jar")).arg("-o").arg(place("out2"));
    run::run(&mut again).code(2).says(&["market.jar"]);
    let child = ["record", "-q", "-o", "x.jfp", "--", "sh", "-c", "exit 7"];
    let done = run::run(JFATHOM.command().args(child).current_dir(folder.path())).code(7);
    done.says(&["no JVM"]);
    let missing = ["record", "--", "no-such-program"];
    run::run(JFATHOM.command().args(missing).current_dir(folder.path()))
        .code(127)
        .says(&["no-such-program"]);
}
