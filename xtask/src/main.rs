//! Housekeeping: `cargo xtask NAME`. Each job can be run alone; `ci` runs those that hold for every
//! change.
#![forbid(unsafe_code)]

mod audit;
mod beside;
mod book;
mod ci;
mod dist;
mod fuzz;
mod java;
mod links;
mod pictures;
mod query;
mod readers;
mod shell;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask JOB

what CI runs
  ci             fmt, tidy, clippy, docs, loom, beside-check, tests: all of the following
  fmt            cargo fmt --check
  clippy         clippy over all targets, warnings are errors
  tidy [--draw]  the crates' edges, circles of files, words of the glossary, links of pages, width
                 of lines, and what the eye forgets: blanks, sizes, open ends, the trace
                 format's hash;
                 --draw makes the picture of the crates in docs/architecture.md
  docs           rustdoc, warnings are errors
  loom           the rings and slots under loom
  fuzz-smoke     every fuzz target on seeded mutations, without libFuzzer (part of the tests)
  beside-check   the fuzz targets and the benchmarks compile
  tests [ARG…]   cargo test --workspace, or with ARG…, and that the tests leave no file and no
                 process

with other tools
  pictures       the pictures of README.md, from a recording of the demo (cargo build --release
                 first)
  readers PROFILE
                 its exports in speedscope's schema and in the Firefox Profiler (node, npm; cargo
                 build --release first)
  fuzz [TARGET…] [--minutes N] [--table]
                 each target under libFuzzer for N minutes (5); the table is of all runs so far
                 (cargo install cargo-fuzz; a C++ compiler; a nightly compiler if rustup has one,
                 else the stable one with RUSTC_BOOTSTRAP=1)
  query [check]  jfathom-query, and its place beside jfathom in target/release; or its format,
                 lints and tests
  book           docs/ as a book in target/book (mdbook)
  dist           a release in target/dist: archives, a Debian package and an image's folder, each
                 with notices (a Debian system; binutils, dpkg-deb, and libc.a for the static
                 binary)
  audit          licences and sources (cargo-deny), known vulnerabilities (cargo-audit)

with a release build (cargo build --release first)
  links WHAT…    with everything instrumented no class links worse; WHAT is a jar or jrt:/NAME
  bench JOB …    the figures of docs/lab, and jobs of hours with real programs: a workspace of its
                 own, built first; bench help lists the jobs
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["ci"] => ci::all(),
        ["fmt"] => ci::fmt(),
        ["clippy"] => ci::clippy(),
        ["tidy"] => tidy::run(),
        ["tidy", "--draw"] => tidy::draw(),
        ["docs"] => ci::docs(),
        ["book"] => book::build(),
        ["loom"] => ci::loom(),
        ["beside-check"] => beside::check(),
        ["tests", rest @ ..] => ci::tests(rest),
        ["audit"] => audit::run(),
        ["dist"] => dist::run(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["fuzz-smoke"] => fuzz::smoke(),
        ["pictures"] => pictures::run(),
        ["query"] => query::run(false),
        ["query", "check"] => query::run(true),
        ["readers", profile] => readers::run(profile),
        ["links", what @ ..] if !what.is_empty() => links::run(what),
        ["bench", words @ ..] => beside::bench(words),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
