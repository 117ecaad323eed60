//! `calibrate`: what the probes cost, without a program.

use super::support::{Place, java_home, jdk_25};
use serde_json::{Value, json};
use std::os::unix::fs::DirBuilderExt;

#[test]
fn each_jvm_measures_its_probes() {
    let place = Place::new();
    for home in std::iter::once(java_home()).chain(jdk_25()) {
        let java = home.join("bin/java").display().to_string();
        let report: Value = serde_json::from_str(
            &place.jfathom(&["calibrate", "--java-home", &java, "--json"]).fine().out,
        )
        .unwrap();
        assert_eq!(
            (&report["format"], &report["jvms"]),
            (&Value::from("jfathom-calibration"), &Value::from(3))
        );
        assert!(
            ["nanoTime", "tsc"].contains(&report["java"]["clock"]["name"].as_str().unwrap()),
            "{report}"
        );
        let calls = report["calls"].as_array().unwrap();
        for kind in ["return", "throw", "count", "off"] {
            assert!(calls.iter().any(|call| call["kind"] == kind), "no {kind} in {report}");
        }
        let timed = calls.iter().find(|call| call["kind"] == "return").unwrap();
        let (inner, outer) =
            (timed["inner"]["nanos"].as_f64().unwrap(), timed["outer"]["nanos"].as_f64().unwrap());
        assert!(inner > 0.0 && inner + outer > 0.0, "{timed}");
    }
    let home = java_home().display().to_string();
    let text = place.jfathom(&["calibrate", "--clock", "nano", "--java-home", &home]).fine();
    text.says(&["clock     nanoTime", "timed, returns", "timed, throws", "counted", "SD JVM"]);
}

#[test]
fn a_machine_without_java_is_told_where_to_name_one() {
    let place = Place::new();
    let answer = place.jfathom_on_path("", &["calibrate"]);
    answer.refused(1, &["java: command not found", "PATH", "--java-home"]);
}

/// The constants that `calibrate --fit` would have kept for the JVM of a report.
fn fitted_for(report: &Value) -> Value {
    let (meta, jvm) = (&report["meta"], &report["jvms"][0]);
    let constant = json!({ "value": 0.5, "error": 0.25 });
    json!({
        "format": "jfathom-fitted-constants",
        "entries": [{
            "of": {
                "arch": meta["arch"],
                "cpu": meta["cpu"],
                "cpus": meta["cpus"],
                "vendor": jvm["vendor"],
                "vm_name": jvm["vmName"],
                "vm_version": jvm["vmVersion"],
                "clock": jvm["clock"],
            },
            "constants": {
                "taken_millis": 86_400_000,
                "programs": 27,
                "counted": constant,
                "count_record": constant,
                "demoted": constant,
                "inlining": constant,
            },
        }],
    })
}

#[test]
fn a_profile_names_its_constants() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let java = java_home().join("bin/java").display().to_string();
    let recorded = || {
        let words = ["record", "-f", "-o", "p.jfp", "--", &java, "-jar", "out/app.jar"];
        let said = place.jfathom(&words).fine().err;
        let report = place.jfathom(&["report", "--json", "p.jfp"]).fine().out;
        (said, serde_json::from_str::<Value>(&report).unwrap())
    };
    let (_, shipped) = recorded();
    assert_eq!(shipped["times"]["constants"]["source"], "shipped");
    place
        .jfathom(&["report", "--summary", "p.jfp"])
        .fine()
        .says(&["constants as shipped", "calibrate --fit"]);
    assert!(!place.path("config").exists());

    let folder = place.path("config/jfathom");
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).unwrap();
    let file = "config/jfathom/constants-1.json";
    place.write(file, fitted_for(&shipped).to_string().as_bytes());
    let (said, fitted) = recorded();
    assert!(!said.contains("constants"), "{said}");
    assert_eq!(fitted["times"]["constants"]["source"], "fitted");
    assert_eq!(fitted["times"]["constants"]["values"]["countedNanos"]["value"], 0.5);
    let text = "constants fitted on this machine to 27 programs on 1970-01-02";
    place.jfathom(&["report", "--summary", "p.jfp"]).fine().says(&[text]);

    place.write(file, b"{");
    let (said, damaged) = recorded();
    assert!(said.contains("constants-1.json: ignored, and shipped constants are used"), "{said}");
    assert_eq!(damaged["times"]["constants"]["source"], "shipped");
    assert!(damaged["meta"]["notices"].to_string().contains("constants-1.json"));
}

#[test]
fn where_it_cannot_be_done() {
    let place = Place::new();
    place
        .jfathom(&["calibrate", "--fit", "--java-home", "no/such/java"])
        .refused(1, &["no/such/java"]);
    place.jfathom(&["calibrate", "--fit", "--json"]).refused(2, &["--fit", "--json"]);
    place.jfathom(&["calibrate", "--java-home", "/bin/true"]).refused(2, &["/bin/true", "java"]);
    place
        .jfathom(&["calibrate", "--java-home", "no/such/java"])
        .refused(1, &["no/such/java", "not found"]);
    place.write("bin/java", b"#!/bin/sh\nexit 3\n");
    std::fs::set_permissions(
        place.path("bin/java"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    place.jfathom(&["calibrate", "--java-home", "."]).refused(1, &["no JVM joined"]);
}
