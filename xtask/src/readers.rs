//! `cargo xtask readers`: exports in readers that come from npm. Those that need no network are in
//! `crates/export/src/tests`.

use crate::shell;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Versions that `docs/reference/exports.md` names.
const PACKAGES: &[&str] =
    &["speedscope@1.25.0", "ajv@8.20.0", "@firefox-devtools/profiler-cli@0.10.0"];

/// Prints whether a document satisfies a schema, and fails if not.
const VALIDATE: &str = "
const [schema, document] = process.argv.slice(1).map(path =>
    JSON.parse(require('fs').readFileSync(path)));
const Ajv = require('ajv');
const isValid = new Ajv({ strict: false }).compile(schema);
if (!isValid(document)) { console.error(isValid.errors); process.exit(1); }
";

/// Exports a profile, its threads merged and its times as measured, and compares what the readers
/// see with `jfathom report --json`.
pub fn run(profile: &str) -> Result<()> {
    let readers = Readers { folder: shell::target().join("readers"), jfathom: shell::jfathom()? };
    std::fs::create_dir_all(readers.folder.join("home"))?;
    let mut install = Command::new("npm");
    install.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&readers.folder);
    shell::run(install.args(PACKAGES))?;
    readers.check_speedscope(profile)?;
    readers.check_firefox(profile)?;
    eprintln!("readers: all fine");
    Ok(())
}

struct Readers {
    folder: PathBuf,
    jfathom: PathBuf,
}

impl Readers {
    fn export(&self, profile: &str, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(name);
        let mut command = Command::new(&self.jfathom);
        command
            .args(["export", profile, "--filter=times=measured", "--filter=threads=all", "-o"])
            .arg(&path);
        shell::run(&mut command)?;
        Ok(path)
    }

    fn check_speedscope(&self, profile: &str) -> Result<()> {
        let document = self.export(profile, "profile.speedscope.json")?;
        let schema = "node_modules/speedscope/dist/release/file-format-schema.json";
        let mut validate = Command::new("node");
        validate.current_dir(&self.folder).args(["-e", VALIDATE, "--", schema]).arg(document);
        shell::output(&mut validate).map(|_| ())
    }

    fn check_firefox(&self, profile: &str) -> Result<()> {
        let document = self.export(profile, "profile.firefox.json")?;
        self.profiler(&["load"], Some(&document))?;
        let read = ["t-0", "t-1"].map(|thread| self.self_sum(thread));
        // The profiler's process ends whatever it has read.
        self.profiler(&["stop", "--all"], None)?;
        let [millis, calls] = read;
        let [expected_millis, expected_calls] = self.expected(profile)?;
        for (what, read, expected) in
            [("ms", millis?, expected_millis), ("calls", calls?, expected_calls)]
        {
            // Exports round each call path to a nanosecond, and the report each method.
            if (read - expected).abs() > expected * 1e-6 {
                bail!("the Firefox Profiler has {read} {what} and the profile {expected}");
            }
            eprintln!("readers: the Firefox Profiler has {read} {what}, the profile {expected}");
        }
        Ok(())
    }

    /// The self values of a thread's methods.
    fn self_sum(&self, thread: &str) -> Result<f64> {
        let arguments = ["thread", "functions", "--json", "--limit", "0", "--thread", thread];
        let read: Value = serde_json::from_str(&self.profiler(&arguments, None)?)?;
        let functions = read["functions"].as_array().context("no functions")?;
        let is_method = |function: &&Value| {
            function["name"].as_str().is_some_and(|name| !name.starts_with("spawned from "))
        };
        let values = functions.iter().filter(is_method);
        Ok(values.filter_map(|function| function["selfSamples"].as_f64()).sum())
    }

    /// Self times of all methods in ms, and their calls.
    fn expected(&self, profile: &str) -> Result<[f64; 2]> {
        let mut report = Command::new(&self.jfathom);
        report.args(["report", "--json", "--filter=times=measured", "--depth", "0", profile]);
        let read: Value = serde_json::from_str(&shell::output(&mut report)?)?;
        let methods = read["methods"].as_array().context("no methods")?;
        let sum = |key| methods.iter().filter_map(|method: &Value| method[key].as_f64()).sum();
        let nanos: f64 = sum("selfNanos");
        Ok([nanos / 1e6, sum("calls")])
    }

    fn profiler(&self, arguments: &[&str], file: Option<&Path>) -> Result<String> {
        let mut command = Command::new(self.folder.join("node_modules/.bin/profiler-cli"));
        // It keeps its sessions in the home folder.
        command.env("HOME", self.folder.join("home")).args(arguments).args(file);
        shell::output(&mut command)
    }
}
