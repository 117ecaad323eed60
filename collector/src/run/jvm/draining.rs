//! The thread that drains a JVM's session file.

use super::{Jvm, Slicing, State};
use crate::{
    RecordOptions,
    drain::{
        consumer::{Drained, Job},
        cpu::CpuWatch,
        demote::Demoter,
        memory,
        modes::InitialModes,
        slices::{Cut, Cutter},
    },
    jfr::thread_events::timeline_from,
};
use jfathom_profile::Limits;
use jfathom_session::Process;
use jfathom_trace::{OpenOutcome, SessionFile, TraceError};
use std::{
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Receiver, Sender, channel},
    },
    thread::JoinHandle,
};

/// A job, the way to tell it of manifests, and the slices that it ends.
type NewJob = (Job, Sender<InitialModes>, Option<Receiver<Cut>>);

impl Jvm {
    /// Raises the heartbeat, and looks whether the draining thread has ended.
    pub(super) fn poll_draining(
        &mut self,
        file: Box<SessionFile>,
        thread: JoinHandle<Drained>,
        has_ended: bool,
    ) {
        file.heartbeat();
        if self.restoring {
            file.request_restore();
        }
        if !has_ended {
            self.state = State::Draining(file, thread);
            return;
        }
        // A panic of the draining thread ends its JVM's recording and no other.
        match thread.join() {
            Ok(drained) => self.state = State::Drained(Box::new(drained)),
            Err(_) => self.is_lost = true,
        }
    }

    /// Starts to drain the file; false to try again. Where no thread can be started, what a JVM has
    /// left is drained here. One that runs is told of no collector, and waits for none.
    pub(super) fn start(
        &mut self,
        file: Box<SessionFile>,
        options: &RecordOptions,
        note: &mut dyn FnMut(String),
    ) -> Result<bool, TraceError> {
        let is_over = !self.process.is_some_and(Process::is_alive)
            || self.progress.stop.load(Ordering::Relaxed);
        let limits = self.process.map(Process::limits).unwrap_or_default();
        self.limits = Limits { milli_cpus: limits.milli_cpus, memory_bytes: limits.memory_bytes };
        let Some((job, known, cuts)) = self.job(options, note)? else { return Ok(false) };
        match job.start() {
            Ok(thread) => {
                self.known = Some(known);
                self.cuts = cuts;
                self.state = State::Draining(file, thread);
                Ok(true)
            }
            Err(_) if is_over => {
                let Some((job, ..)) = self.job(options, note)? else { return Ok(false) };
                self.state = State::Drained(Box::new(job.run()));
                Ok(true)
            }
            Err(error) => {
                if !std::mem::replace(&mut self.has_noted_thread, true) {
                    note(format!(
                        "no thread can be started to read what a JVM records ({error}); tried again \
                         until there can be one"
                    ));
                }
                Ok(false)
            }
        }
    }

    /// What there is to drain, the way to tell of manifests, and that of slices; none if the file
    /// is not ready.
    fn job(
        &mut self,
        options: &RecordOptions,
        note: &mut dyn FnMut(String),
    ) -> Result<Option<NewJob>, TraceError> {
        let OpenOutcome::Ready(file) = SessionFile::open(&self.entry.path)? else {
            return Ok(None);
        };
        let (sender, manifests) = channel();
        let cutter = |slicing: &Slicing| {
            Cutter::new(slicing.every, slicing.recording, Arc::clone(&self.progress))
        };
        let (cutter, cuts) = self.slicing.as_ref().map(cutter).unzip();
        let metrics = options.metrics;
        let cpu = if file.header().has_thread_clock || metrics.cpu && metrics.thread_clock {
            Some(CpuWatch::of_own_clocks(file.header()))
        } else {
            metrics.cpu.then(|| self.watch_switches(&file, note))
        };
        let job = Job {
            file,
            path: self.entry.path.clone(),
            process: self.process,
            progress: Arc::clone(&self.progress),
            demoter: Demoter::new(options.budget, self.process),
            manifests,
            cutter,
            slowest: options.slowest,
            max_memory: options.max_memory.or_else(memory::default_bound),
            timeline_from: self
                .companion
                .as_ref()
                .and_then(|_| timeline_from(metrics, self.has_samples)),
            cpu,
        };
        Ok(Some((job, sender, cuts)))
    }

    /// Watches when its threads run. The user hears of what cannot be watched, once.
    fn watch_switches(&mut self, file: &SessionFile, note: &mut dyn FnMut(String)) -> CpuWatch {
        let (cpu, error) = CpuWatch::start(self.process, file.header());
        let what = match (&error, cpu.missed()) {
            (Some(error), _) => Some(format!("it is not known when its threads run: {error}")),
            (None, Some((threads, error))) => {
                Some(format!("of {threads} of its threads it is not known when they run: {error}"))
            }
            (None, None) => None,
        };
        if let Some(what) = what
            && !std::mem::replace(&mut self.has_noted_switches, true)
        {
            note(format!("JVM {}: {what}", self.entry.jvm.pid));
        }
        cpu
    }
}
