//! Waits, pauses and exceptions of real JVMs, held against what the JDK's `jfr print` says.

use jfathom_jfr::{Recording, ThreadEventKind};
use jfathom_testkit::{Javac, Jdk, jdk};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path, process::Command};

const PROGRAM: &str = r#"
package p;

import java.util.concurrent.locks.LockSupport;

public class Waits {
    static final Object LOCK = new Object();

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(Waits::work);
            threads[i].start();
        }
        System.gc();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void work() {
        for (int i = 0; i < 20; i++) {
            synchronized (LOCK) {
                LockSupport.parkNanos(LOCK, 300_000);
            }
            LockSupport.parkNanos(100_000);
            try {
                Thread.sleep(1);
                throw new IllegalStateException("expected");
            } catch (IllegalStateException | InterruptedException e) {
                continue;
            }
        }
        throw new Own();
    }

    static class Own extends Error {}
}
"#;

/// The events of `jfr print`, with their kind and the field of their class.
const EVENTS: [(&str, ThreadEventKind, &str); 6] = [
    ("jdk.JavaMonitorEnter", ThreadEventKind::MonitorEnter, "monitorClass"),
    ("jdk.JavaMonitorWait", ThreadEventKind::MonitorWait, "monitorClass"),
    ("jdk.ThreadPark", ThreadEventKind::Park, "parkedClass"),
    ("jdk.ThreadSleep", ThreadEventKind::Sleep, ""),
    ("jdk.GCPhasePause", ThreadEventKind::GcPause, ""),
    ("jdk.JavaExceptionThrow", ThreadEventKind::Throw, "thrownClass"),
];

/// By kind, class and thread: how many, and how many µs they lasted, rounded down each.
type Sums = BTreeMap<(ThreadEventKind, String, u64), (u64, u64)>;

fn recorded(jdk: &Jdk, folder: &Path) -> std::path::PathBuf {
    let source = folder.join("Waits.java");
    fs::write(&source, PROGRAM).unwrap();
    let classes = folder.join("classes");
    Javac::release(11).compile(&[source], &classes);
    let mut settings = "<configuration version=\"2.0\">\n".to_owned();
    for event in
        EVENTS.map(|event| event.0).iter().chain(&["jdk.SafepointBegin", "jdk.SafepointEnd"])
    {
        settings += &format!(
            "<event name=\"{event}\"><setting name=\"enabled\">true</setting>\
             <setting name=\"threshold\">0 ns</setting><setting name=\"throttle\">off</setting></event>\n"
        );
    }
    settings += "</configuration>\n";
    let (file, jfc) = (folder.join("waits.jfr"), folder.join("waits.jfc"));
    fs::write(&jfc, settings).unwrap();
    let output = Command::new(jdk.tool("java"))
        .arg(format!(
            "-XX:StartFlightRecording=settings={},filename={}",
            jfc.display(),
            file.display()
        ))
        .arg("-cp")
        .arg(&classes)
        .arg("p.Waits")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("p.Waits$Own"), "{errors}");
    file
}

fn printed(jdk: &Jdk, file: &Path) -> Sums {
    let names = EVENTS.map(|event| event.0).join(",");
    let output = Command::new(jdk.tool("jfr"))
        .args(["print", "--json", "--events", &names])
        .arg(file)
        .output()
        .unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut sums = Sums::new();
    for event in document["recording"]["events"].as_array().unwrap() {
        let values = &event["values"];
        let (_, kind, class) = EVENTS
            .into_iter()
            .find(|of| event["type"] == of.0)
            .expect("an event that was asked for");
        let class = values[class]["name"].as_str().unwrap_or_default().replace('.', "/");
        let thread = values["eventThread"]["javaThreadId"].as_u64().unwrap_or(0);
        let seconds = values["duration"].as_str().map_or(0.0, seconds);
        let (count, micros) = sums.entry((kind, class, thread)).or_default();
        (*count, *micros) = (*count + 1, *micros + (seconds * 1e6) as u64);
    }
    sums
}

/// A duration as ISO 8601 has it, below an hour: `PT1M0.5S`.
fn seconds(text: &str) -> f64 {
    let rest = text.strip_prefix("PT").unwrap().strip_suffix('S').unwrap_or("0");
    let (minutes, seconds) = rest.split_once('M').unwrap_or(("0", rest));
    minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
}

#[test]
fn events_are_those_that_the_jdk_prints() {
    for jdk in jdk::main_and_25("waits of recordings") {
        let folder = tempfile::tempdir().unwrap();
        let file = recorded(jdk, folder.path());
        let recording = Recording::read(&mut fs::File::open(&file).unwrap()).unwrap();
        let rate = recording.ticks_per_second.unwrap() as f64;
        let events = &recording.thread_events;
        let mut sums = Sums::new();
        let mut safepoints = 0;
        for event in &events.events {
            assert!(event.begin <= event.end);
            if event.kind == ThreadEventKind::Safepoint {
                safepoints += 1;
                continue;
            }
            let class = events.class(event).map_or(String::new(), |class| class.to_string());
            let thread = recording.threads.get(event.thread).java_id;
            let seconds = (event.end.0 - event.begin.0) as f64 / rate;
            let (count, micros) = sums.entry((event.kind, class, thread)).or_default();
            (*count, *micros) = (*count + 1, *micros + (seconds * 1e6) as u64);
        }
        let printed = printed(jdk, &file);
        assert_eq!(sums.keys().collect::<Vec<_>>(), printed.keys().collect::<Vec<_>>());
        for (name, (count, micros)) in &sums {
            let (expected, expected_micros) = printed[name];
            assert_eq!(*count, expected, "{name:?}");
            // Ticks become ns there by other roundings.
            assert!(micros.abs_diff(expected_micros) <= *count, "{name:?}");
        }
        let of = |kind: ThreadEventKind, class: &str| {
            let named = sums.iter().filter(|((of, name, _), _)| *of == kind && name == class);
            named.map(|(_, (count, _))| count).sum::<u64>()
        };
        assert!(of(ThreadEventKind::Park, "java/lang/Object") >= 60);
        assert!(of(ThreadEventKind::MonitorEnter, "java/lang/Object") > 0);
        assert_eq!(of(ThreadEventKind::Throw, "java/lang/IllegalStateException"), 60);
        // JFR tells an error twice: from the constructors of `Throwable` and of `Error`.
        assert_eq!(of(ThreadEventKind::Throw, "p/Waits$Own"), 6);
        assert!(safepoints > 0);
    }
}
