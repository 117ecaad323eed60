//! The page of a recording that goes on.
//!
//! The page asks for `/data` four times a second. Only then the recording's checkpoints are looked
//! at, and read if one is new, however many pages ask.

use crate::{report::page_summary, running::profile_so_far};
use anyhow::Result;
use jfathom_page::profile_data;
use jfathom_profile::Profile;
use jfathom_serve::{Content, ContentKind, Site};
use jfathom_session::{JvmFile, JvmIdentity, Process};
use jfathom_views::Scope;
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError},
    time::{Duration, Instant, SystemTime},
};

/// The shortest time between two looks.
const EVERY: Duration = Duration::from_millis(250);
/// The time from the beginning of a look to that of the next one is at least this many times what
/// the look took: three quarters of a processor are left to the program.
const SHARE: u32 = 4;

/// A page and what it shows.
pub(super) struct LivePage<S> {
    /// The page, which has no data in it.
    pub html: Arc<Vec<u8>>,
    /// Its policy.
    pub policy: String,
    /// The session directory.
    pub dir: PathBuf,
    /// The same for people.
    pub shown_dir: PathBuf,
    /// The process that records; none if it is not known.
    pub collector: Option<Process>,
    /// Where the profile will be; none if that is not known.
    pub output: Option<PathBuf>,
    /// What part of a profile is shown.
    pub scope: S,
    /// When the next look may be. Held during a look.
    pub next: Mutex<Instant>,
    /// The last state.
    pub seen: Mutex<Seen>,
}

/// What was seen of a recording.
pub(super) struct Seen {
    state: State,
    /// What the data were read from.
    checkpoints: Checkpoints,
    data: Arc<Vec<u8>>,
    /// Counts the different data.
    number: u64,
    every: Duration,
}

/// How a recording is.
enum State {
    /// Nothing of it could be read so far, with the reason.
    Waiting(String),
    Recording,
    Ended,
    /// There are data, and no newer ones, with the reason.
    Stuck(String),
}

impl Default for Seen {
    fn default() -> Self {
        let state = State::Waiting("its first state is being read".to_owned());
        Self { state, checkpoints: Vec::new(), data: Arc::default(), number: 0, every: EVERY }
    }
}

impl Seen {
    fn add(&mut self, data: Vec<u8>) {
        if *self.data != data {
            self.data = Arc::new(data);
            self.number += 1;
        }
    }
}

/// The time from the beginning of a look that `took` so long to that of the next one.
fn every(took: Duration) -> Duration {
    took.saturating_mul(SHARE).max(EVERY)
}

/// The files of checkpoints and of JVMs that have ended, and when each was written. A checkpoint
/// replaces the one before it.
type Checkpoints = Vec<(OsString, SystemTime)>;

fn checkpoints(dir: &Path) -> io::Result<Checkpoints> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let is = |file| JvmIdentity::from_file_name(&name, file).is_some();
        if is(JvmFile::Checkpoint) || is(JvmFile::Profile) {
            found.push((name, entry.metadata()?.modified()?));
        }
    }
    found.sort_unstable();
    Ok(found)
}

impl<S: Fn(&Profile) -> Result<Scope> + Sync> LivePage<S> {
    /// Looks at the recording if it is time to. While another thread looks, nobody waits for it.
    fn keep_up(&self) {
        let mut next = match self.next.try_lock() {
            Ok(next) => next,
            Err(TryLockError::Poisoned(next)) => next.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let begin = Instant::now();
        if begin < *next || matches!(self.seen().state, State::Ended) {
            return;
        }
        // Asked for before they are read: one that is replaced meanwhile is looked at again.
        let checkpoints = checkpoints(&self.dir).unwrap_or_default();
        let data = match !checkpoints.is_empty() && checkpoints == self.seen().checkpoints {
            true => Ok(None),
            false => self.look().map(Some),
        };
        let every = every(begin.elapsed());
        *next = begin + every;
        let mut seen = self.seen();
        seen.every = every;
        match data {
            Ok(data) => {
                seen.state = State::Recording;
                if let Some(data) = data {
                    seen.add(data);
                    seen.checkpoints = checkpoints;
                }
                if self.collector.is_some_and(|collector| !collector.is_alive()) {
                    let dir = self.shown_dir.display();
                    let what = "its collector ended without a profile: this is in";
                    seen.state = State::Stuck(format!("{what} {dir}"));
                }
            }
            Err(_) if self.is_over(seen.number > 0) => seen.state = State::Ended,
            Err(error) if seen.number > 0 => seen.state = State::Stuck(format!("{error:#}")),
            Err(error) => seen.state = State::Waiting(format!("{error:#}")),
        }
    }

    fn look(&self) -> Result<Vec<u8>> {
        let profile = profile_so_far(&self.dir)?;
        let scope = (self.scope)(&profile)?;
        Ok(profile_data(&profile, &scope, &page_summary(&profile, &scope)?)?)
    }

    /// Whether the recording has ended: its directory is gone, or has become empty.
    fn is_over(&self, was_seen: bool) -> bool {
        match fs::read_dir(&self.dir) {
            Ok(mut entries) => was_seen && entries.next().is_none(),
            Err(_) => true,
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn data(&self) -> Content {
        self.keep_up();
        let seen = self.seen();
        let (state, says) = match &seen.state {
            State::Waiting(why) => ("waiting", why.clone()),
            State::Recording => ("recording", String::new()),
            State::Ended => ("ended", self.where_it_is()),
            State::Stuck(why) => ("stuck", why.clone()),
        };
        // The page reads it as percent-encoded.
        let says = says.replace('%', "%25");
        Content {
            kind: ContentKind::Bytes,
            bytes: Arc::clone(&seen.data),
            tag: (seen.number > 0).then(|| seen.number.to_string()),
            headers: vec![
                ("Jfathom-State", state.to_owned()),
                ("Jfathom-Every", seen.every.as_millis().to_string()),
                ("Jfathom-Says", says),
            ],
        }
    }

    fn where_it_is(&self) -> String {
        let place = self.output.as_ref();
        place.map_or_else(String::new, |place| format!("its profile will be {}", place.display()))
    }
}

impl<S: Fn(&Profile) -> Result<Scope> + Sync> Site for LivePage<S> {
    fn policy(&self) -> &str {
        &self.policy
    }

    fn get(&self, path: &str) -> Option<Content> {
        let html = || Content {
            kind: ContentKind::Html,
            bytes: Arc::clone(&self.html),
            tag: None,
            headers: Vec::new(),
        };
        match path {
            "/" => Some(html()),
            "/data" => Some(self.data()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_looks_are_rare() {
        let millis = Duration::from_millis;
        let found = [0, 50, 63, 5_000].map(|took| every(millis(took)));
        assert_eq!(found, [250, 250, 252, 20_000].map(millis));
    }
}
