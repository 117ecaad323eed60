//! The command line.

use crate::{named::Named, output::Format};
use anyhow::Result;
use std::{fmt, path::PathBuf};

/// Ask profiles in SQL: any number of .jfp files and of directories of tables
///
/// The tables are runs, methods, totals, nodes, edges, threads, events and walks
/// (docs/reference/tables.md), and names: a name for each method. Sources are profiles, directories
/// of profiles, directories that `jfathom export --to parquet` wrote, and patterns of these (in
/// quotes). Profiles are made to tables in a temporary directory first; export them once if you ask
/// often.
#[derive(Debug, clap::Parser)]
#[command(name = "jfathom query", version, max_term_width = 100)]
#[command(group = clap::ArgGroup::new("named").multiple(false))]
#[command(after_help = "Examples:\n  \
    jfathom query 'SELECT name, sum(calls) AS calls FROM totals JOIN names USING (method) GROUP BY \
    name ORDER BY calls DESC LIMIT 5' runs/*.jfp\n  \
    jfathom query --top tables\n  \
    jfathom query --callers com.acme.Dao::find tables --format csv\n  \
    jfathom query --regressions baselines\n  \
    jfathom query --show top")]
pub struct Args {
    /// A query, unless one of the named ones is asked; then files and directories
    #[arg(value_name = "SQL|SOURCE", required_unless_present = "show")]
    words: Vec<String>,
    /// The methods with the largest self time, over all runs
    #[arg(long, group = "named", help_heading = "Named queries")]
    top: bool,
    /// The methods with the most calls, over all runs
    #[arg(long, group = "named", help_heading = "Named queries")]
    top_calls: bool,
    /// Who calls a method, how often, and with what time
    #[arg(long, group = "named", value_name = "METHOD", help_heading = "Named queries")]
    callers: Option<String>,
    /// What a method calls, how often, and with what time
    #[arg(long, group = "named", value_name = "METHOD", help_heading = "Named queries")]
    callees: Option<String>,
    /// Calls and times of a method, run by run
    #[arg(long, group = "named", value_name = "METHOD", help_heading = "Named queries")]
    history: Option<String>,
    /// What the newest run calls more often, or does slower beyond the bars, than the mean of the
    /// clean ones before it
    #[arg(long, group = "named", help_heading = "Named queries")]
    regressions: bool,
    /// What other runs call and the newest one never does
    #[arg(long, group = "named", help_heading = "Named queries")]
    never_called: bool,
    /// What only the newest run calls
    #[arg(long, group = "named", help_heading = "Named queries")]
    new: bool,
    /// Methods whose code differs between runs
    #[arg(long, group = "named", help_heading = "Named queries")]
    edited: bool,
    /// Methods that exceptions left
    #[arg(long, group = "named", help_heading = "Named queries")]
    exceptions: bool,
    /// The call paths with the largest self time
    #[arg(long, group = "named", help_heading = "Named queries")]
    paths: bool,
    /// Time by name of thread
    #[arg(long, group = "named", help_heading = "Named queries")]
    threads: bool,
    /// Why threads did not run, and what they threw, by method, kind and class
    #[arg(long, group = "named", help_heading = "Named queries")]
    why: bool,
    /// The runs, the oldest first
    #[arg(long, group = "named", help_heading = "Named queries")]
    runs: bool,
    /// Runs with losses, and what was lost
    #[arg(long, group = "named", help_heading = "Named queries")]
    unclean: bool,
    /// Print the SQL of a named query, to begin with
    #[arg(long, value_name = "NAME", conflicts_with = "named", help_heading = "Named queries")]
    show: Option<Named>,
    /// Rows of a named query; --history, --runs and --unclean have all
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    limit: u32,
    /// How the result is written [default: by the end of the output's name, else text]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What is asked of which sources.
#[derive(Debug)]
pub struct Question {
    /// The query.
    pub sql: String,
    /// The value of `$method` in it, if it has one.
    pub method: Option<String>,
    /// Files, directories and patterns.
    pub sources: Vec<String>,
}

/// A wrong argument.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

impl Args {
    /// The SQL that is only to be printed.
    pub fn shown(&self) -> Option<String> {
        self.show.map(|named| named.sql(self.limit))
    }

    /// What is asked.
    ///
    /// # Errors
    /// [`Usage`] if there is no source.
    pub fn question(&self) -> Result<Question> {
        let (sql, method, sources) = match self.named() {
            Some((named, method)) => (named.sql(self.limit), method, &self.words[..]),
            None => match self.words.split_first() {
                Some((sql, sources)) => (sql.clone(), None, sources),
                None => return Err(Usage("what is asked?".to_owned()).into()),
            },
        };
        if sources.is_empty() {
            return Err(Usage("name profiles, or a directory of profiles or tables".into()).into());
        }
        Ok(Question { sql, method, sources: sources.to_vec() })
    }

    fn named(&self) -> Option<(Named, Option<String>)> {
        let methods = [
            (Named::Callers, &self.callers),
            (Named::Callees, &self.callees),
            (Named::History, &self.history),
        ];
        if let Some((named, method)) = methods.into_iter().find(|(_, method)| method.is_some()) {
            return Some((named, method.clone()));
        }
        let flags = [
            (Named::Top, self.top),
            (Named::TopCalls, self.top_calls),
            (Named::Regressions, self.regressions),
            (Named::NeverCalled, self.never_called),
            (Named::New, self.new),
            (Named::Edited, self.edited),
            (Named::Exceptions, self.exceptions),
            (Named::Why, self.why),
            (Named::Paths, self.paths),
            (Named::Threads, self.threads),
            (Named::Runs, self.runs),
            (Named::Unclean, self.unclean),
        ];
        flags.into_iter().find(|(_, is_asked)| *is_asked).map(|(named, _)| (named, None))
    }

    /// How the result is written.
    ///
    /// # Errors
    /// [`Usage`] if that is bytes and there is no file.
    pub fn format(&self) -> Result<Format> {
        let by_name = || Some(Format::of_file_name(&self.output.as_ref()?.to_string_lossy()));
        let format = self.format.or_else(|| by_name().flatten()).unwrap_or_default();
        match (format, &self.output) {
            (Format::Parquet, None) => {
                Err(Usage("Parquet is bytes, not text: name a file with -o".to_owned()).into())
            }
            _ => Ok(format),
        }
    }
}
