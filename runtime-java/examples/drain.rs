//! Runs a command that records into a session, consumes its records, and prints them: `drain
//! [--late] java …`.

#[path = "../tests/all/support/mod.rs"]
#[allow(dead_code, reason = "an example uses its part")]
mod support;

use std::process::Command;
use support::{Collector, run};

fn main() {
    let mut args: Vec<_> = std::env::args_os().skip(1).collect();
    let mut collector = Collector::Live;
    if args.first().is_some_and(|arg| arg == "--late") {
        args.remove(0);
        collector = Collector::Late;
    }
    let outcome = run(Command::new(&args[0]).args(&args[1..]), collector);
    print!("{}", outcome.stdout);
    eprint!("{}", outcome.stderr);
    println!(
        "{:?} ended={} {:?} {:?}",
        outcome.status, outcome.ended, outcome.counters, outcome.session.damaged
    );
    if let Some(header) = &outcome.header {
        println!("{:?} {:?} ids {}", header.clock, header.recording, header.ids);
    }
    for entry in &outcome.info {
        println!("info {}: {}", entry.kind, entry.text);
    }
    println!(
        "virtual {:?} others {:?} records {}",
        outcome.virtual_calls,
        outcome.others,
        outcome.session.words()
    );
    for thread in outcome.session.threads.iter().take(20) {
        println!("{thread:?}");
    }
}
