//! What a recording notes in its session directory for those who read it: `session.json`.

use crate::{
    Error, RecordOptions,
    drain::{count_rule::CountRule, finish::Origin},
    epoch::millis,
    run::output,
};
use jfathom_plan::{ProbeRule, ProbeRules, Problem};
use jfathom_profile::Labels;
use jfathom_session::{Metrics, names::SESSION_NOTES_FILE};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The most bytes of [`SESSION_NOTES_FILE`]. A command has 6 MiB at most (execve(2)), which JSON
/// makes six times as long at most.
const LIMIT: u64 = 64 << 20;

/// What is recorded, and where its profile will be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub(crate) struct SessionNotes {
    pub tool: String,
    /// What is not UTF-8 is replaced.
    pub command: Vec<String>,
    pub labels: Labels,
    /// In ms since the epoch.
    pub started_millis: u64,
    /// What was asked for beside calls and times.
    pub metrics: Metrics,
    /// Whether JFR samples stacks.
    pub has_stack_samples: bool,
    /// Which methods are counted from the begin.
    pub count: CountRule,
    /// The absolute path of the profile; none if it is not known.
    pub output: Option<PathBuf>,
}

/// The form in the file. Labels, metrics and rules are as on the command line.
#[derive(Serialize, Deserialize)]
struct Stored {
    tool: String,
    command: Vec<String>,
    labels: Vec<String>,
    started_millis: u64,
    metrics: Vec<String>,
    has_stack_samples: bool,
    counts_trivial: bool,
    rules: Vec<String>,
    output: Option<StoredPath>,
}

/// A path: its text, or its bytes if that is not UTF-8.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredPath {
    Text(String),
    Bytes(Vec<u8>),
}

impl SessionNotes {
    /// The notes of a recording that begins now.
    ///
    /// # Errors
    /// Fails if the output's path is relative and the working directory is gone.
    pub(crate) fn new(options: &RecordOptions) -> io::Result<Self> {
        Ok(Self {
            tool: options.tool.clone(),
            command: options.command.iter().map(|word| word.to_string_lossy().into()).collect(),
            labels: options.labels.clone(),
            started_millis: millis(SystemTime::now()),
            metrics: options.metrics,
            has_stack_samples: options.jfr.has_stack_samples(),
            count: options.count.clone(),
            output: Some(output::absolute(&options.output)?),
        })
    }

    /// Writes them whole: who reads meanwhile finds the former file or this one.
    pub(crate) fn write(&self, dir: &Path) -> io::Result<()> {
        jfathom_files::replace(&dir.join(SESSION_NOTES_FILE), 0o600, |file| {
            Ok(serde_json::to_writer_pretty(file, self)?)
        })
    }

    /// The notes in a session directory; empty ones if it has none.
    ///
    /// # Errors
    /// Fails if they cannot be read. The error names the file.
    pub(crate) fn read(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(SESSION_NOTES_FILE);
        let read = match jfathom_files::read(&path, LIMIT) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|e| {
                format!("{e}; if you delete it, the rest is read, without what it says")
            }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(e) => Err(e.to_string()),
        };
        read.map_err(|what| Error::Session { path, what, exit: None })
    }

    /// The origin of a profile of what was recorded.
    pub(crate) fn origin(&self) -> Origin {
        Origin {
            tool: self.tool.clone(),
            command: self.command.clone(),
            labels: self.labels.clone(),
            started_millis: self.started_millis,
            ..Origin::default()
        }
    }
}

impl From<SessionNotes> for Stored {
    fn from(notes: SessionNotes) -> Self {
        let metrics = notes.metrics.join(",");
        Self {
            tool: notes.tool,
            command: notes.command,
            labels: notes.labels.iter().map(|(key, value)| format!("{key}={value}")).collect(),
            started_millis: notes.started_millis,
            metrics: metrics.split_terminator(',').map(str::to_owned).collect(),
            has_stack_samples: notes.has_stack_samples,
            counts_trivial: notes.count.trivial,
            rules: notes.count.rules.list.iter().map(ToString::to_string).collect(),
            output: notes.output.map(|path| match path.into_os_string().into_string() {
                Ok(text) => StoredPath::Text(text),
                Err(path) => StoredPath::Bytes(path.as_bytes().to_vec()),
            }),
        }
    }
}

impl TryFrom<Stored> for SessionNotes {
    type Error = Problem;

    fn try_from(stored: Stored) -> Result<Self, Problem> {
        let labels = stored.labels.iter().map(|label| label.parse()).collect::<Result<Vec<_>, _>>();
        let rules =
            stored.rules.iter().map(|rule| rule.parse()).collect::<Result<Vec<ProbeRule>, _>>();
        let metrics = Metrics::from_names(stored.metrics.iter().map(String::as_str));
        Ok(Self {
            tool: stored.tool,
            command: stored.command,
            labels: labels.and_then(Labels::new).map_err(|e| Problem::from(e.to_string()))?,
            started_millis: stored.started_millis,
            metrics: metrics.map_err(|e| Problem::from(e.to_string()))?,
            has_stack_samples: stored.has_stack_samples,
            count: CountRule {
                trivial: stored.counts_trivial,
                rules: ProbeRules { list: rules.map_err(|e| Problem::from(e.to_string()))? },
            },
            output: stored.output.map(|path| match path {
                StoredPath::Text(text) => PathBuf::from(text),
                StoredPath::Bytes(bytes) => PathBuf::from(OsString::from_vec(bytes)),
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn notes() -> SessionNotes {
        let rules = ["a.B::c=time+stack/7", "a.*=off", "a.B::d(I)V=count"];
        SessionNotes {
            tool: "tool 1".to_owned(),
            command: vec!["java".to_owned(), "\0 \"ä\"\n".to_owned()],
            labels: Labels::new(["a=b=c".parse().unwrap()]).unwrap(),
            started_millis: 1_700_000_000_000,
            metrics: Metrics { waits: true, cpu: true, ..Metrics::default() },
            has_stack_samples: true,
            count: CountRule {
                trivial: true,
                rules: ProbeRules { list: rules.map(|rule| rule.parse().unwrap()).to_vec() },
            },
            output: Some(PathBuf::from(OsString::from_vec(b"/a/\xff.jfp".to_vec()))),
        }
    }

    #[test]
    fn notes_are_read_as_they_were_written() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(SessionNotes::read(dir.path()).unwrap(), SessionNotes::default());
        let text = SessionNotes { output: Some("/a/b.jfp".into()), ..notes() };
        for notes in [notes(), text, SessionNotes::default()] {
            notes.write(dir.path()).unwrap();
            assert_eq!(SessionNotes::read(dir.path()).unwrap(), notes);
        }
    }

    #[test]
    fn cut_off_and_damaged_notes_are_errors_that_name_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(SESSION_NOTES_FILE);
        notes().write(dir.path()).unwrap();
        let whole = fs::read(&path).unwrap();
        let text = String::from_utf8(whole.clone()).unwrap();
        let is_refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let error = SessionNotes::read(dir.path()).unwrap_err().to_string();
            assert!(error.contains(&*path.to_string_lossy()), "{error}");
        };
        (0..whole.len()).for_each(|end| is_refused(&whole[..end]));
        for (old, new) in
            [("waits", "wait"), ("a=b=c", "a"), ("=off", "=of"), ("17000", "-17000"), ("}", "]")]
        {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            is_refused(text.replace(old, new).as_bytes());
        }
        is_refused("[".repeat(100_000).as_bytes());
        fs::File::create(&path).unwrap().set_len(LIMIT + 1).unwrap();
        assert!(SessionNotes::read(dir.path()).is_err());
    }
}
