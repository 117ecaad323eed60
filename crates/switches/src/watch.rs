//! The switches of one process, from now on.

use crate::attr::Attr;
use crate::error::{SwitchError, SwitchStep};
use crate::intervals::{Interval, Threads};
use crate::record::{Record, Switch, read};
use crate::sys::{Ring, open, redirect};
use crate::{Nanos, Tid, cpus, namespace_offset};
use rustix::time::{ClockId, clock_gettime};
use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::{fs, io};

/// Pages for the records of one processor. The first is what a user may lock in memory by default
/// (`perf_event_mlock_kb`, with one page more); smaller ones are for users who have less left. A
/// switch takes 24 bytes.
const PAGES: [usize; 4] = [128, 32, 8, 1];
/// Files that this process may still open afterwards.
const RESERVE: usize = 64;
/// So many threads more than the last time, and those that have ended are forgotten.
const FORGET_STEP: usize = 64;
/// Times that the threads are listed until no new one is found: threads that start threads all the
/// time are left to inheritance then.
const LISTINGS: usize = 8;

/// The threads of one process, whose switches are watched.
#[derive(Debug)]
pub struct SwitchWatch {
    pid: u32,
    attr: Attr,
    cpus: Vec<Cpu>,
    /// The other events: threads that are inherited end with them.
    events: Vec<OwnedFd>,
    threads: Threads,
    /// Switches of which an earlier one may be in a ring that was read before.
    early: Vec<Switch>,
    words: Vec<u64>,
    /// Threads that could not be watched, and why the last one.
    missed: Option<(usize, SwitchError)>,
    /// Intervals that opening has found.
    opened: Vec<Interval>,
    /// With more threads, those that have ended are forgotten.
    most_threads: usize,
    /// [`namespace_offset`] of this process.
    offset: i64,
}

/// A processor, with the event whose ring has its records.
#[derive(Debug)]
struct Cpu {
    number: u32,
    event: OwnedFd,
    ring: Ring,
}

/// What has come since the last poll.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polled {
    /// Intervals that have ended, in the order of their ends by thread.
    pub intervals: Vec<Interval>,
    /// Switches that were told.
    pub switches: u64,
    /// Records that the kernel could not write, or that make no sense.
    pub lost: u64,
}

/// Whether this process may watch switches.
///
/// # Errors
/// Says why not.
pub fn check() -> Result<(), SwitchError> {
    let cpu = cpus::online()?.first().copied().unwrap_or(0);
    open_any(0, cpu).map(|_| ())
}

/// Opens an event, and returns with which request.
fn open_any(tid: u32, cpu: u32) -> Result<(Attr, OwnedFd), SwitchError> {
    let attr = Attr::switches(false);
    match open(&attr, tid, cpu) {
        Err(error) if error.cause.raw_os_error() == Some(libc::EINVAL) => {
            let attr = Attr::switches(true);
            Ok((attr, open(&attr, tid, cpu)?))
        }
        event => Ok((attr, event?)),
    }
}

impl SwitchWatch {
    /// Watches all threads of a process, and those that they start.
    ///
    /// # Errors
    /// Fails if no thread can be watched.
    pub fn start(pid: u32) -> Result<Self, SwitchError> {
        let reserve = reserve()?;
        let cpus = cpus::online()?;
        let first = cpus.first().copied().unwrap_or(0);
        let (attr, _) = open_any(0, first)?;
        let mut watch = Self {
            pid,
            attr,
            cpus: Vec::new(),
            events: Vec::new(),
            threads: Threads::default(),
            early: Vec::new(),
            words: Vec::new(),
            missed: None,
            opened: Vec::new(),
            most_threads: FORGET_STEP,
            offset: namespace_offset(None),
        };
        let mut known = HashSet::new();
        for _ in 0..LISTINGS {
            let new: Vec<Tid> = tids(pid)?.into_iter().filter(|tid| known.insert(*tid)).collect();
            if new.is_empty() {
                break;
            }
            for tid in new {
                watch.add(tid, &cpus)?;
            }
        }
        if watch.cpus.is_empty() {
            let gone =
                || SwitchError::new(SwitchStep::List, io::Error::from(io::ErrorKind::NotFound));
            return Err(watch.missed.take().map_or_else(gone, |(_, error)| error));
        }
        drop(reserve);
        Ok(watch)
    }

    /// Threads that could not be watched, and why the last one could not.
    pub fn missed(&self) -> Option<(usize, &SwitchError)> {
        self.missed.as_ref().map(|(count, error)| (*count, error))
    }

    /// Watches one thread on all processors. A thread that has ended is left out, and so is a
    /// processor that was switched off. An error is that of a ring: without rings there is nothing.
    fn add(&mut self, tid: Tid, cpus: &[u32]) -> Result<(), SwitchError> {
        let before = self.events.len();
        for cpu in cpus {
            let event = match open(&self.attr, tid.0, *cpu) {
                Ok(event) => event,
                Err(error) if error.cause.raw_os_error() == Some(libc::ENODEV) => continue,
                // A thread that is watched on some processors alone would seem to wait.
                Err(error) => {
                    self.events.truncate(before);
                    if error.cause.raw_os_error() != Some(libc::ESRCH) {
                        let count = self.missed.take().map_or(0, |(count, _)| count);
                        self.missed = Some((count + 1, error));
                    }
                    return Ok(());
                }
            };
            match self.cpus.iter().find(|of| of.number == *cpu) {
                Some(cpu) => {
                    redirect(&event, &cpu.event)?;
                    self.events.push(event);
                }
                None => {
                    let ring = map_largest(&event)?;
                    self.cpus.push(Cpu { number: *cpu, event, ring });
                }
            }
        }
        let now = self.now();
        self.opened.push(self.threads.open(tid, now));
        Ok(())
    }

    /// The time now, as the kernel tells that of switches.
    fn now(&self) -> Nanos {
        let time = clock_gettime(ClockId::Monotonic);
        let nanos = time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec);
        Nanos(u64::try_from(nanos.saturating_sub(self.offset)).unwrap_or(0))
    }

    /// Takes the switches that have come. All are there that lie before what the process did before
    /// this call: whoever knows of something that a thread has done gets its switches before.
    pub fn poll(&mut self) -> Polled {
        let mut polled =
            Polled { intervals: std::mem::take(&mut self.opened), ..Polled::default() };
        // A switch that comes while the rings are read may stand in one that was read before,
        // whereas the one after it is found in the next ring.
        let until = self.now();
        let mut switches = std::mem::take(&mut self.early);
        for cpu in &self.cpus {
            let mut lost = u64::from(!cpu.ring.take(&mut self.words));
            let is_whole = read(&self.words, |record| match record {
                Record::Switch(switch) if switch.pid == self.pid => switches.push(switch),
                Record::Switch(_) => {}
                Record::Lost(count) => lost = lost.saturating_add(count),
            });
            polled.lost = polled.lost.saturating_add(lost).saturating_add(u64::from(!is_whole));
        }
        switches.sort_unstable();
        self.early = switches.split_off(switches.partition_point(|of| of.time <= until));
        polled.switches = switches.len() as u64;
        let intervals = switches.iter().filter_map(|switch| self.threads.switch(switch));
        polled.intervals.extend(intervals);
        self.forget_ended();
        polled
    }

    /// Forgets threads that have ended, once there are many more than the last time.
    fn forget_ended(&mut self) {
        if self.threads.len() <= self.most_threads {
            return;
        }
        if let Ok(tids) = tids(self.pid) {
            let tids: HashSet<Tid> = tids.into_iter().collect();
            self.threads.retain(|tid| tids.contains(&tid));
        }
        self.most_threads = 2 * self.threads.len() + FORGET_STEP;
    }
}

/// Files that take the place of later ones: a collector without any could not write its profile.
fn reserve() -> Result<Vec<fs::File>, SwitchError> {
    let file = || fs::File::open("/dev/null");
    let files: io::Result<Vec<fs::File>> = (0..RESERVE).map(|_| file()).collect();
    files.map_err(|source| SwitchError::new(SwitchStep::Open, source))
}

/// The largest ring that may be had.
fn map_largest(event: &OwnedFd) -> Result<Ring, SwitchError> {
    let mut result = Ring::map(event, PAGES[0]);
    for pages in &PAGES[1..] {
        if result.is_ok() {
            break;
        }
        result = Ring::map(event, *pages);
    }
    result
}

/// The threads of a process; none if it has ended.
fn tids(pid: u32) -> Result<Vec<Tid>, SwitchError> {
    let entries = match fs::read_dir(format!("/proc/{pid}/task")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|source| SwitchError::new(SwitchStep::List, source))?,
    };
    let tid = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok().map(Tid);
    Ok(entries.flatten().filter_map(tid).collect())
}

#[cfg(test)]
mod tests;
