//! `jfathom-query`: SQL over profiles and tables of profiles. `jfathom query` runs it.
//!
//! It has a workspace of its own, since its SQL engine, DataFusion, is larger than all of jfathom.
//! It makes profiles to tables, registers tables by name, and only reads. A named query is a file
//! in `named/` and a variant in `named.rs`. `cargo xtask query` builds it, `cargo xtask query
//! check` tests it.
#![forbid(unsafe_code)]

mod args;
mod engine;
mod named;
mod output;
mod sources;
mod stores;

use args::Args;
use clap::Parser;
use futures::StreamExt;
use jfathom_plan::printable;
use std::{
    io::{self, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let is_usage = error.is::<args::Usage>();
            // Where stderr is closed, the exit code says it.
            let _ = io::stderr().write_all(message(&error).as_bytes());
            ExitCode::from(if is_usage { 2 } else { 1 })
        }
    }
}

/// An error with its causes, but for those that only repeat another one, as the engine's do.
fn message(error: &anyhow::Error) -> String {
    let mut texts: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if !texts.iter().any(|text| text.contains(&cause)) {
            texts.push(cause);
        }
    }
    let text = texts.join(": ");
    let lines: Vec<_> = text.lines().map(printable).collect();
    format!("jfathom: {}\n", lines.join("\n  "))
}

fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(sql) = args.shown() {
        return Ok(io::stdout().write_all(sql.as_bytes())?);
    }
    let (question, format) = (args.question()?, args.format()?);
    let sources = sources::Sources::open(&question.sources)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut rows = runtime.block_on(async {
        let context = engine::context(&sources).await?;
        engine::rows(&context, &question).await
    })?;
    let schema = rows.schema();
    let next = || Some(runtime.block_on(rows.next())?.map_err(Into::into));
    output::write(schema, next, format, args.output.as_deref())
}

#[cfg(test)]
mod tests;
