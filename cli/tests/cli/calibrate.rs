//! `calibrate`: what the probes cost, without a program.

use super::support::{Place, java_home, jdk_25};
use serde_json::Value;

#[test]
fn each_jvm_measures_its_probes() {
    let place = Place::new();
    for home in std::iter::once(java_home()).chain(jdk_25()) {
        let java = home.join("bin/java").display().to_string();
        let report: Value =
            serde_json::from_str(&place.jfathom(&["calibrate", &java, "--json"]).fine().out)
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
    let text = place.jfathom(&["calibrate", "--clock", "nano", &home]).fine();
    text.says(&["clock     nanoTime", "timed, returns", "timed, throws", "counted", "SD JVM"]);
}

#[test]
fn a_machine_without_java_is_told_where_to_name_one() {
    let place = Place::new();
    let answer = place.jfathom_on_path("", &["calibrate"]);
    answer.refused(1, &["java: command not found", "PATH", "name its home"]);
}

#[test]
fn where_it_cannot_be_done() {
    let place = Place::new();
    place.jfathom(&["calibrate", "/bin/true"]).refused(2, &["/bin/true", "java"]);
    place.jfathom(&["calibrate", "no/such/java"]).refused(1, &["no/such/java", "not found"]);
    place.write("bin/java", b"#!/bin/sh\nexit 3\n");
    std::fs::set_permissions(
        place.path("bin/java"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    place.jfathom(&["calibrate", "."]).refused(1, &["no JVM joined"]);
}
