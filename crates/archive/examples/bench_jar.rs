//! Rewrites a jar with every class replaced by itself, so that each is inflated, deflated and
//! written, and prints the time.
//!
//! `cargo run --release -p jfathom-archive --example bench_jar -- app.jar out.jar [threads] [keep]`

use std::process::ExitCode;
use std::time::Instant;

use jfathom_archive::{Additions, Destination, Error, Input, Replace, Work, rewrite};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, rest @ ..] = args.as_slice() else {
        eprintln!("usage: bench_jar IN.jar OUT.jar [THREADS] [keep]");
        return ExitCode::from(2);
    };
    let threads = rest.first().and_then(|n| n.parse().ok());
    let keep = rest.iter().any(|a| a == "keep");
    match run(input, output, Work { threads, ..Work::default() }, keep) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn run(input: &str, output: &str, work: Work<'_>, keep: bool) -> Result<(), Error> {
    let start = Instant::now();
    let opened = Input::open(input)?;
    let open = start.elapsed();
    let replace = |_: &jfathom_archive::Entry<'_>, bytes: &[u8]| match keep {
        true => Replace::Keep,
        false => Replace::Bytes(bytes.to_vec()),
    };
    let to = Destination::whole(output).force(true);
    let outcome = rewrite(&opened, &to, &work, replace, |_| Additions::none())?;
    let total = start.elapsed();
    println!(
        "{} classes, {} bytes out, open {open:.2?}, total {total:.2?}",
        outcome.counts.classes, outcome.bytes
    );
    outcome.notices.iter().chain(opened.notices()).for_each(|n| println!("{n}"));
    Ok(())
}
