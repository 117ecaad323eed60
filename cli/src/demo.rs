//! `jfathom demo`: a small program, from its source to its call tree.

use crate::{failure::context, messages};
use anyhow::Result;
use jfathom_instrument::{SourceProgram, build_jar};
use std::{ffi::OsString, path::PathBuf, process::ExitCode};

/// The program; it has no other source file.
const PROGRAM: SourceProgram<'static> = SourceProgram {
    source: include_str!("../../samples/demo/Market.java"),
    package: "demo",
    main_class: "Market",
};

/// Build a small program, rewrite it, run it, and print its call tree
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Work in DIR and keep all files there [default: a temporary directory that is removed]
    #[arg(value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Runs the command; `run_words` runs another command line of this program.
pub(crate) fn run(
    args: &Args,
    run_words: &dyn Fn(Vec<OsString>) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let home = jfathom_instrument::jdk_home()?;
    let temporary = tempfile::Builder::new().prefix("jfathom-demo-").tempdir();
    let temporary = temporary
        .map_err(|error| context(error, &std::env::temp_dir(), "cannot create a directory in"))?;
    let folder = match &args.keep {
        Some(folder) => {
            jfathom_files::create_directories(folder, 0o777)
                .map_err(|error| context(error, folder, "cannot create"))?;
            folder.as_path()
        }
        None => temporary.path(),
    };
    let [jar, out, profile] = ["market.jar", "out", "market.jfp"].map(|name| folder.join(name));
    build_jar(&home, &PROGRAM, folder, &jar)?;
    messages::print(
        "A small market hall, compiled into market.jar. Its call tree in three commands:\n",
    )?;

    let rewritten = out.join("market.jar");
    let java = home.join("bin/java");
    let steps: [(&str, Vec<OsString>); 3] = [
        (
            "rewrite market.jar -o out",
            vec!["rewrite".into(), jar.into(), "-o".into(), out.into(), "--force".into()],
        ),
        (
            "record -o market.jfp -- java -jar out/market.jar",
            vec![
                "record".into(),
                "-o".into(),
                profile.clone().into(),
                "--force".into(),
                "--".into(),
                java.into(),
                "-jar".into(),
                rewritten.into(),
            ],
        ),
        ("report market.jfp", vec!["report".into(), profile.into()]),
    ];
    for (shown, words) in steps {
        messages::print(&format!("\n$ jfathom {shown}\n"))?;
        let code = run_words(std::iter::once("jfathom".into()).chain(words).collect())?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    messages::print("\nNow with a jar of yours: jfathom rewrite app.jar -o out\n")?;
    Ok(ExitCode::SUCCESS)
}
