//! `record --root`, `list`, `stop`, `report --live`, `agent`: what a user sees of live mode.

use super::support::{PRINTS, Place, java_home, jdk_25};
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

fn java() -> String {
    java_home().join("bin/java").display().to_string()
}

/// A program that calls `Ticker::tick` once for each line of its input, and says that it has.
const TICKER: &str = r#"
public class Ticker {
    static int half(int n) { int half = 0; while (half * 2 < n) half++; return half; }
    static int tick(int n) { return half(n) + half(n + 1); }
    public static void main(String[] args) throws Exception {
        var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        System.out.println("ready");
        for (String line; (line = in.readLine()) != null; ) System.out.println(tick(line.length()));
    }
}
"#;

/// A program, running. Ended when dropped.
pub struct Running {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Running {
    pub fn start(place: &Place, class: &str, source: &str) -> Self {
        Self::start_with(&java(), &[], place, class, source)
    }

    /// A program in the JVM of this `java` with these flags.
    fn start_with(java: &str, flags: &[&str], place: &Place, class: &str, source: &str) -> Self {
        let file = format!("{class}.java");
        place.write(&file, source.as_bytes());
        place.compile(&file, ".");
        let mut command = Command::new(java);
        command.args(flags).args(["-cp", "."]).arg(class).current_dir(place.path(""));
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
            command.env_remove(variable);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut running = Self { child, out };
        assert_eq!(running.line(), "ready");
        running
    }

    pub fn pid(&self) -> String {
        self.child.id().to_string()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// A recording of the ticker, whose root is live.
    pub fn record(&self, place: &Place, output: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jfathom"));
        command
            .args(["record", "--root", "Ticker::tick", "-p", &self.pid(), "-o", output])
            .current_dir(place.path(""));
        command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
        // What a killed recorder leaves goes with the place.
        command.env("TMPDIR", place.path(""));
        let mut recorder = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(recorder.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("Ticker::tick(I)I is live") {
            line.clear();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "it has ended");
        }
        recorder.stderr = Some(said.into_inner());
        recorder
    }

    pub fn tick(&mut self) {
        use std::io::Write;
        writeln!(self.child.stdin.as_mut().unwrap(), "123456789").unwrap();
        assert_eq!(self.line(), "10");
    }
}

/// The program `Ticker`, running.
pub fn ticker(place: &Place) -> Running {
    Running::start(place, "Ticker", TICKER)
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        jfathom_testkit::remove_attach_files(self.child.id());
    }
}

/// Entries of a method.
fn entries(report: &serde_json::Value, class: &str, name: &str) -> u64 {
    let methods = report["methods"].as_array().unwrap();
    let method = methods.iter().find(|method| method["class"] == class && method["name"] == name);
    method.unwrap_or_else(|| panic!("no {class}::{name} in {methods:?}"))["calls"].as_u64().unwrap()
}

fn json(place: &Place, profile: &str) -> serde_json::Value {
    serde_json::from_str(&place.jfathom(&["report", "--json", profile]).fine().out).unwrap()
}

#[test]
fn a_plain_jar_is_recorded() {
    let place = Place::new();
    let root = ["record", "--root", "acme.Engine::run", "-o", "p.jfp"];
    let command = ["--", &java(), "-jar", "app.jar"];
    let answer = place.jfathom(&[&root[..], &command].concat()).fine();
    assert_eq!(answer.out, PRINTS);
    assert!(answer.err.contains("acme.Engine::run()V is live after "), "{}", answer.err);
    let report = json(&place, "p.jfp");
    assert_eq!(entries(&report, "acme/Engine", "step"), 10);
    assert_eq!(entries(&report, "acme/Engine$Wheel", "turn"), 10);
    assert_eq!(report["quality"]["clean"], true, "{}", report["quality"]);
    let live = &report["jvms"][0]["live"];
    assert_eq!(
        (&live["scheme"], &live["roots"][0]["selector"]),
        (&"lazy".into(), &"acme.Engine::run".into())
    );
    assert!(
        live["roots"][0]["liveAt"].is_u64() && report["methods"][0]["since"].is_u64(),
        "{live}"
    );
    place
        .jfathom(&["report", "--view=summary", "p.jfp"])
        .fine()
        .says(&["live      lazy, acme.Engine::run live after "]);

    // Roots only, twice.
    let arguments = [
        "record",
        "--root",
        "acme.Engine::run",
        "-o",
        "a.jfp",
        "--probe=**=off",
        "--runs",
        "2",
        "-q",
    ];
    place.jfathom(&[&arguments[..], &command].concat()).fine();
    let report = json(&place, "a.jfp");
    assert_eq!(
        (report["runs"].as_u64(), report["methods"].as_array().unwrap().len()),
        (Some(2), 1)
    );
    assert_eq!(entries(&report, "acme/Engine", "run"), 2);
}

#[test]
fn roots_that_are_nowhere_end_with_what_is_like_them() {
    let place = Place::new();
    let command = ["--", &java(), "-jar", "app.jar"];
    // An entry that is not there may have the root later, so that the program starts.
    let later = ["--", &java(), "-cp", "app.jar:later", "acme.Engine"];
    let answer = place.jfathom(&[&["record", "--root", "acme.Engine::rnu"][..], &later].concat());
    assert_eq!((answer.code, answer.out.as_str()), (1, PRINTS), "{}", answer.err);
    assert!(answer.err.contains("did you mean acme.Engine::run?"), "{}", answer.err);
    assert!(!place.path("profile.jfp").exists());
    // And without a root there is a hint.
    let answer = place.jfathom(&[&["record"][..], &command].concat());
    assert_eq!(answer.code, 1);
    assert!(answer.err.contains("jfathom record --root"), "{}", answer.err);
}

#[test]
fn a_running_jvm_is_listed_recorded_looked_at_and_stopped() {
    let place = Place::new();
    let mut ticker = ticker(&place);
    let pid = ticker.pid();
    let listed = |place: &Place| -> serde_json::Value {
        let all: serde_json::Value =
            serde_json::from_str(&place.jfathom(&["ps", "--json"]).fine().out).unwrap();
        let own =
            all.as_array().unwrap().iter().find(|jvm| jvm["pid"].as_u64() == pid.parse().ok());
        own.unwrap_or_else(|| panic!("{pid} is not in {all}")).clone()
    };
    let before = listed(&place);
    assert_eq!((&before["command"], &before["attachable"]), (&"Ticker".into(), &true.into()));
    assert_eq!((&before["agent"], before["session"].is_null()), (&false.into(), true));
    place.jfathom(&["stop", &pid]).refused(1, &["is not being recorded"]);
    place.jfathom(&["report", "--live", &pid]).refused(1, &["is not being recorded"]);

    let mut recorder = ticker.record(&place, "t.jfp");
    // Live is said before the probes are in place: calls are counted from when the session says so.
    while listed(&place)["session"]["state"] != "recording" {}
    let recording = listed(&place);
    assert_eq!(recording["session"]["collector"].to_string(), recorder.id().to_string());
    assert!(recording["session"]["output"].as_str().unwrap().ends_with("/t.jfp"), "{recording}");
    place.jfathom(&["ps"]).fine().says(&[&format!("recording, by {}", recorder.id()), "Ticker"]);
    let mut look = loop {
        ticker.tick();
        let answer = place.jfathom(&["report", "--live", &pid, "--json"]);
        if answer.code == 0 {
            break serde_json::from_str::<serde_json::Value>(&answer.out).unwrap();
        }
        assert!(answer.err.contains("nothing was recorded so far"), "{}", answer.err);
    };
    assert!(look["meta"]["notices"].take().to_string().contains("goes on"));
    let seen = entries(&look, "Ticker", "tick");
    assert!(seen > 0);

    let stopped = place.jfathom(&["stop", &pid]).fine();
    assert!(stopped.out.contains("/t.jfp"), "{}", stopped.out);
    assert!(recorder.wait().unwrap().success());
    ticker.tick();
    let report = json(&place, "t.jfp");
    assert!(entries(&report, "Ticker", "tick") >= seen);
    assert_eq!(entries(&report, "Ticker", "half"), 2 * entries(&report, "Ticker", "tick"));
    assert_eq!(report["quality"]["clean"], true, "{}", report["quality"]);
    assert_eq!(report["meta"]["command"][1], "-cp");
    let after = listed(&place);
    assert_eq!((&after["agent"], after["session"].is_null()), (&true.into(), true));
}

#[test]
fn arguments_of_live_mode_that_make_no_sense() {
    let place = Place::new();
    let refused = |arguments: &[&str], words: &[&str]| {
        place.jfathom(arguments).refused(2, words);
    };
    refused(&["record", "--scheme", "eager", "--", "java"], &["--root"]);
    refused(&["record", "-d", "3s", "--", "java"], &["--root"]);
    refused(
        &["record", "--root", "a.B", "-p", "1", "--", "java"],
        &["--pid", "cannot be used with"],
    );
    refused(&["record", "--root", "a.B", "-p", "1", "--runs", "2"], &["--pid", "--runs"]);
    refused(&["record", "--root", "a.B", "-p", "0"], &["0"]);
    refused(&["record", "--root", "a.B", "-d", "soon", "--", "java"], &["30s"]);
    refused(&["record", "--root", "a.B"], &["COMMAND"]);
    refused(&["record", "--root", "!a.B", "--", "java"], &["every selector is an exclusion"]);
    refused(
        &["record", "--root", "a.B", "--", "sh", "-c", "true"],
        &["`sh` is not `java`", "--use-java-tool-options"],
    );
    refused(&["report", "--live", "1", "p.jfp"], &["--live"]);
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let rewritten = ["record", "--root", "acme.Engine::run", "--", &java(), "-jar", "out/app.jar"];
    refused(&rewritten, &["out/app.jar was rewritten", "without --root"]);
    let own = std::process::id().to_string();
    place
        .jfathom(&["record", "--root", "a.B", "-p", &own])
        .refused(1, &["is no JVM", "jfathom ps"]);
    place.jfathom(&["record", "-p", &own]).refused(1, &["is no JVM", "jfathom ps"]);
    place.jfathom(&["stop", &own]).refused(1, &["is no JVM"]);
    place.jfathom(&["stop", "4000000000"]).refused(1, &["no process 4000000000"]);
}

/// A program that works all the time in `Shop::handle`, beside a thread that waits.
const SHOP: &str = r#"
public class Shop {
    static int sink;
    static int price(int n) { int sum = 0; for (int i = 0; i < 100_000; i++) sum += i % (n + 1); return sum; }
    static int handle(int n) { return price(n) + price(n + 1); }
    static void work() { for (int n = 0; ; n++) sink += handle(n & 7); }
    static void rest() { try { Thread.sleep(1 << 30); } catch (InterruptedException e) { } }
    public static void main(String[] args) {
        new Thread(Shop::rest).start();
        System.out.println("ready");
        work();
    }
}
"#;

#[test]
fn roots_are_proposed_for_a_running_jvm() {
    let place = Place::new();
    let shop = Running::start(&place, "Shop", SHOP);
    let pid = shop.pid();
    let answer = place.jfathom(&["record", "-p", &pid, "-d", "1s", "-o", "s.jfp"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{}", answer.err);
    assert!(
        answer.err.contains("hot methods") && answer.err.contains("Shop::price"),
        "{}",
        answer.err
    );
    assert!(
        !answer.err.contains("Shop::rest") && !answer.err.contains("Thread::"),
        "{}",
        answer.err
    );
    let commands = answer.err.lines().map(str::trim).filter(|line| line.starts_with("jfathom "));
    let words: Vec<Vec<&str>> = commands.map(|line| line.split(' ').collect()).collect();
    assert_eq!(words.len(), 3, "{}", answer.err);
    // The lowest method that has callees. `main` and `work` run on and on.
    let command =
        ["jfathom", "record", "--root", "Shop::handle", "-p", &pid, "-d", "1s", "-o", "s.jfp"];
    assert_eq!(words[0], command);
    // Sampling has loaded no agent; the command as it stands records.
    let list = place.jfathom(&["ps", "--json"]).fine().out;
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let jvms = list.as_array().unwrap();
    let jvm = jvms.iter().find(|jvm| jvm["pid"].as_u64() == pid.parse().ok()).unwrap();
    assert_eq!(jvm["agent"], false, "{jvm}");
    place.jfathom(&words[0][1..]).fine();
    assert!(entries(&json(&place, "s.jfp"), "Shop", "handle") > 0);
}

/// Test methods are roots by their annotation, each with a tree of its own.
#[test]
fn annotated_methods_are_roots() {
    let place = Place::new();
    place.write(
        "src/org/junit/Test.java",
        b"package org.junit;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    );
    // Annotations of annotations, in a circle.
    place.write(
        "src/Quick.java",
        b"import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Marked public @interface Quick {}",
    );
    place.write(
        "src/Marked.java",
        b"import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Quick @org.junit.Test public @interface Marked {}",
    );
    place.write(
        "src/ShopTest.java",
        b"public class ShopTest {
    static int price(int n) { return n > 0 ? price(n - 1) + 1 : 0; }
    @org.junit.Test public void cheap() { price(1); }
    @org.junit.Test public void dear() { price(9); price(9); }
    @Quick public void quick() { price(1); }
    public void helper() { price(99); }
    public static void main(String[] args) throws Exception {
        for (var method : ShopTest.class.getDeclaredMethods())
            if (method.isAnnotationPresent(org.junit.Test.class)) method.invoke(new ShopTest());
        new ShopTest().quick();
        new ShopTest().helper();
    }
}",
    );
    let sources = ["org/junit/Test.java", "Quick.java", "Marked.java", "ShopTest.java"];
    let sources = sources.map(|file| place.path(&format!("src/{file}")));
    let root = ["--root", "@org.junit.Test"];
    jfathom_testkit::Javac::release(11).compile(&sources, &place.path("classes"));
    place.jfathom(&[&["rewrite", "classes", "-o", "out"], &root[..]].concat()).fine();
    for (options, classes) in [(&root[..], "classes"), (&[], "out/classes")] {
        let record = [&["record", "-f", "-o", "t.jfp"], options].concat();
        place.jfathom(&[&record[..], &["--", &java(), "-cp", classes, "ShopTest"]].concat()).fine();
        let report = json(&place, "t.jfp");
        let names = ["cheap", "dear", "quick", "price"];
        let calls = names.map(|name| entries(&report, "ShopTest", name));
        assert_eq!(calls, [1, 1, 1, 2 + 10 + 10 + 2], "{classes}");
        let methods = report["methods"].as_array().unwrap();
        let called = methods.iter().filter(|method| method["calls"] != 0).count();
        assert_eq!(called, names.len(), "{classes}: no call outside of a test");
    }
}

#[test]
fn an_idle_jvm_suggests_no_root() {
    let place = Place::new();
    let ticker = ticker(&place);
    let answer = place.jfathom(&["record", "-p", &ticker.pid()]);
    answer.refused(2, &["no thread ran code of the program", "name a root"]);
}

#[test]
fn the_agent_has_a_path() {
    let place = Place::new();
    let path = place.jfathom(&["agent-path"]).fine().out;
    assert!(path.ends_with("/libjfathom.so\n"), "{path}");
    assert_eq!(place.jfathom(&["agent-path"]).fine().out, path);
    assert!(std::fs::read(path.trim_end()).unwrap().starts_with(b"\x7fELF"));
}

/// The JDK of the tests, and 25 if this machine has it.
fn javas() -> Vec<String> {
    let newest = jdk_25().map(|home| home.join("bin/java").display().to_string());
    std::iter::once(java()).chain(newest).collect()
}

#[test]
fn what_jfr_records_is_refused_before_a_jvm_without_it_starts() {
    let place = Place::new();
    place.write("flags", b"-XX:-FlightRecorder");
    for java in javas() {
        for (asked, flag) in [
            (&["--metrics", "waits"][..], "-XX:-FlightRecorder"),
            (&["--metrics", "exceptions"], "@flags"),
            (&["--metrics=samples"], "-XX:VMOptionsFile=flags"),
            (&["--probe", "acme.Engine::step=time+stack/3"], "@flags"),
        ] {
            let root = ["record", "--root", "acme.Engine::run", "-o", "p.jfp"];
            let command = ["--", &java, flag, "-jar", "app.jar"];
            place
                .jfathom(&[&root[..], asked, &command].concat())
                .refused(1, &[&java, ": -XX:-FlightRecorder turns off JFR", "take the flag out"]);
        }
        let mut by_environment = place.command(&["record", "--metrics", "waits", "--root"]);
        by_environment.args(["acme.Engine::run", "--", &java, "-jar", "app.jar"]);
        by_environment.env("JDK_JAVA_OPTIONS", "-XX:-FlightRecorder");
        let answer = place.run(&mut by_environment);
        answer.refused(1, &["-XX:-FlightRecorder turns off JFR", "JDK_JAVA_OPTIONS"]);
        let of_trust = format!("{java} -XX:-FlightRecorder -jar app.jar");
        place.write("p.jfp", &small());
        place
            .jfathom(&["trust", "p.jfp", "--uninstrumented", &of_trust])
            .refused(1, &["--uninstrumented", "-XX:-FlightRecorder turns off JFR"]);
    }
}

#[test]
fn nothing_is_loaded_into_a_jvm_that_lacks_the_jfr_that_is_asked_for() {
    for java in javas() {
        let place = Place::new();
        let off = ["-XX:-FlightRecorder"];
        let mut ticker = Running::start_with(&java, &off, &place, "Ticker", TICKER);
        place
            .jfathom(&[
                "record",
                "--root",
                "Ticker::tick",
                "--metrics",
                "waits",
                "-p",
                &ticker.pid(),
            ])
            .refused(1, &["has no JFR", " is disabled", "-XX:-FlightRecorder"]);
        let mapped = std::fs::read_to_string(format!("/proc/{}/maps", ticker.pid())).unwrap();
        assert!(!mapped.contains("libjfathom"), "{java}");
        ticker.tick();
    }
}

/// A profile.
fn small() -> Vec<u8> {
    let mut bytes = Vec::new();
    jfathom_testkit::small_profile::calibrated().write(&mut bytes).unwrap();
    bytes
}
