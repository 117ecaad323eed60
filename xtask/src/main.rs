//! Housekeeping: `cargo xtask NAME`. Each job can be run alone; `ci` runs those that hold for every
//! change.
#![forbid(unsafe_code)]

mod audit;
mod bench;
mod book;
mod ci;
mod corpus;
mod dist;
mod fuzz;
mod java;
mod links;
mod methods;
mod osgi;
mod pictures;
mod query;
mod readers;
mod recall;
mod shell;
mod storm;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask JOB

what CI runs
  ci             fmt, tidy, clippy, docs, loom, fuzz-check, tests: all of the following
  fmt            cargo fmt --check
  clippy         clippy over all targets, warnings are errors
  tidy [--draw]  the crates' edges, circles of files, words of the glossary, links of pages, width
                 of lines, and what the eye forgets: blanks, sizes, open ends, the trace
                 format's hash;
                 --draw makes the picture of the crates in docs/architecture.md
  docs           rustdoc, warnings are errors
  loom           the ring under loom
  fuzz-smoke     every fuzz target on seeded mutations, without libFuzzer (part of the tests)
  fuzz-check     the fuzz targets compile
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
  query profiles DIR
                 200 recordings of real programs with small inputs, and their tables (the corpus)
  query compare TABLES [ballista]
                 the same queries in jfathom-query, DuckDB and Spark (python3, a JDK), and in
                 Ballista, which takes half an hour to build
  book           docs/ as a book in target/book (mdbook)
  dist           a release in target/dist: archives, a Debian package and an image's folder, each
                 with notices (a Debian system; binutils, dpkg-deb, and libc.a for the static
                 binary)
  audit          licences and sources (cargo-deny), known vulnerabilities (cargo-audit)

with real JVMs, for hours
  storm [--rounds N] [--seed S] [--one K] [--again]
                 recordings that are killed, stopped and starved, held against what the program
                 did; goes on where it was interrupted

with larger programs (cargo build --release first)
  corpus [NAME…] real programs plain and rewritten print the same; JFATHOM_CORPUS names the folder
                 with fetch.sh and run.sh
  corpus --live [NAME…]
                 the plain programs recorded live from their main methods, lazily and in total,
                 print the same
  recall [NAME…] plans of real programs' roots beside what a JVM really calls; --each for JVM 25
                 too, --list for what is missed;
                 --live lazy|eager for live recordings in the place of plans
  osgi           a rewritten bundle in an OSGi container
  links WHAT…    with everything instrumented no class links worse; WHAT is a jar or module:NAME
  bench NAME     rewriting, jar, identity, slowdown, ecj, steady, overhead, live, cycles [N],
                 calibration, anchor, coverage, shares, gate, probe, consumer; prints a table for
                 docs/lab
  bench gate [--busy] [--kind equal|slow|edited|call]… [--pairs N] [--for SECONDS]
                 equal and slower builds before the gate
  bench coverage --generated [FAMILY…] [--seed N] [--programs K] [--busy] [--for SECONDS]
                 programs that the seed draws, plain and recorded once, on both JVMs
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
        ["fuzz-check"] => fuzz::check(),
        ["tests", rest @ ..] => ci::tests(rest),
        ["audit"] => audit::run(),
        ["dist"] => dist::run(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["fuzz-smoke"] => fuzz::smoke(),
        ["storm", rest @ ..] => storm::run(rest),
        ["corpus", names @ ..] => corpus::run(names),
        ["recall", rest @ ..] => recall::run(rest),
        ["osgi"] => osgi::run(),
        ["pictures"] => pictures::run(),
        ["query"] => query::run(false),
        ["query", "check"] => query::run(true),
        ["query", "profiles", place] => query::profiles(place),
        ["query", "compare", tables] => query::compare(tables, false),
        ["query", "compare", tables, "ballista"] => query::compare(tables, true),
        ["readers", profile] => readers::run(profile),
        ["links", what @ ..] if !what.is_empty() => links::run(what),
        ["bench", name, rest @ ..] => bench::run(name, rest),
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
