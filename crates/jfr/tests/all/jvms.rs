//! Files of real JVMs, held against what the JDK's `jfr print` says of them.

use jfathom_jfr::{SampleKind, Samples};
use jfathom_testkit::{Javac, Jdk, jdk};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path, process::Command};

const PROGRAM: &str = r#"
package p;

import java.util.ArrayList;
import java.util.List;

public class Busy {
    static volatile Object sink;

    public static void main(String[] arguments) throws Exception {
        long end = System.nanoTime() + 1_500_000_000L;
        Thread worker = new Thread(() -> {
            while (System.nanoTime() < end) {
                deep(200);
            }
        });
        worker.start();
        while (System.nanoTime() < end) {
            lists();
        }
        worker.join();
    }

    static int deep(int depth) {
        return depth == 0 ? work() : deep(depth - 1) + 1;
    }

    static int work() {
        int sum = 0;
        for (int i = 0; i < 200_000; i++) {
            sum += i % 7;
        }
        return sum;
    }

    static void lists() {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            list.add("ä" + i);
        }
        list.sort((a, b) -> b.compareTo(a));
        sink = list;
    }
}
"#;

/// Records the program, and returns the file's path.
fn recorded(jdk: &Jdk, folder: &Path, options: &[&str]) -> std::path::PathBuf {
    let source = folder.join("Busy.java");
    fs::write(&source, PROGRAM).unwrap();
    let classes = folder.join("classes");
    Javac::release(11).compile(&[source], &classes);
    let file = folder.join("busy.jfr");
    let _ = fs::remove_file(&file);
    let output = Command::new(jdk.tool("java"))
        .args(options)
        .arg(format!("-XX:StartFlightRecording=settings=profile,filename={}", file.display()))
        .arg("-cp")
        .arg(&classes)
        .arg("p.Busy")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

/// How often each stack was sampled, by kind: whether it is truncated, and its frames.
type Stacks = BTreeMap<(String, bool, Vec<String>), u64>;

fn stacks(file: &Path) -> (Stacks, Samples) {
    let mut file = fs::File::open(file).unwrap();
    let samples = Samples::read(&mut file).unwrap();
    let mut stacks = Stacks::new();
    for sample in &samples.samples {
        let kind = match sample.kind {
            SampleKind::Java => "jdk.ExecutionSample",
            SampleKind::Native => "jdk.NativeMethodSample",
        };
        let stack = &samples.stacks[sample.stack as usize];
        let frame = |frame: &u32| {
            let method = &samples.methods[*frame as usize];
            let class = method.class.replace('/', ".");
            format!("{class}.{}{}", method.name, method.descriptor)
        };
        let frames = stack.frames.iter().map(frame).collect();
        *stacks.entry((kind.to_owned(), stack.is_truncated, frames)).or_default() += 1;
    }
    (stacks, samples)
}

/// The same by `jfr print`.
fn printed(jdk: &Jdk, file: &Path) -> Stacks {
    let output = Command::new(jdk.tool("jfr"))
        .args(["print", "--json", "--stack-depth", "4096", "--events"])
        .arg("jdk.ExecutionSample,jdk.NativeMethodSample")
        .arg(file)
        .output()
        .unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut stacks = Stacks::new();
    for event in document["recording"]["events"].as_array().unwrap() {
        let stack = &event["values"]["stackTrace"];
        if stack.is_null() {
            continue;
        }
        let frame = |frame: &Value| {
            let method = &frame["method"];
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let class = text(&method["type"]["name"]).replace('/', ".");
            format!("{class}.{}{}", text(&method["name"]), text(&method["descriptor"]))
        };
        let frames = stack["frames"].as_array().unwrap().iter().map(frame).collect();
        let key = (event["type"].as_str().unwrap().to_owned(), stack["truncated"] == true, frames);
        *stacks.entry(key).or_default() += 1;
    }
    stacks
}

#[test]
fn samples_are_those_that_the_jdk_prints() {
    for jdk in jdk::main_and_25("samples of recordings") {
        let folder = tempfile::tempdir().unwrap();
        let options = ["-XX:FlightRecorderOptions=stackdepth=2048"];
        for (options, is_cut) in [(&options[..], false), (&[][..], true)] {
            let file = recorded(jdk, folder.path(), options);
            let (found, samples) = stacks(&file);
            assert_eq!(found, printed(jdk, &file));
            let count: u64 = found.values().sum();
            assert!(count > 20, "{count} samples");
            let has_cut = found.keys().any(|(_, is_truncated, _)| *is_truncated);
            assert_eq!(has_cut, is_cut, "{options:?}");
            assert_eq!(samples.unfinished_chunks, 0);
            assert!(samples.period_nanos.is_some_and(|nanos| nanos <= 20_000_000));
        }
    }
}
