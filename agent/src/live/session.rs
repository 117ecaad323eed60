//! One session in this JVM.

use super::class_changes::ClassChanges;
use super::first_calls::FirstCalls;
use super::journal::{Journal, is_live_root};
use super::loaded_classes::{LoadedClasses, RetransformedClasses};
use super::pending::{PendingWork, is_retransforming};
use super::phase::{Patience, Phase, PhaseState, SessionGuard};
use super::sampling::Sampling;
use super::session_file::SessionFile;
use crate::Options;
use crate::engine::{Actions, Engine, IdTable, VersionedPlan};
use crate::ffi::{AddressRange, Jvmti};
use crate::jvm::debugger::{self, DebuggerWatch};
use crate::jvm::runtime::Runtime;
use crate::lock::{Alarm, lock};
use crate::session_paths::{SessionFiles, SessionPaths};
use jfathom_plan::MethodId;
use jfathom_session::{MethodsFileLine, SessionTotals};
use jfathom_trace::layout as l;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The state of a session. Each part has its own locks.
///
/// The order of all locks of the agent: `Agent::starting`, engine, [`ClassChanges`] (`changed`
/// before `loading`), [`PendingWork`], [`LoadedClasses`]. Under each of the others no lock is
/// taken; except under `sampling`, under which notes are written. No lock is held while the JVM
/// loads, initialises or retransforms a class, because that may wait for any lock of the program;
/// except `Agent::starting`, which only threads take that begin or end a session.
pub struct Session {
    pub jvmti: Jvmti,
    pub runtime: &'static Runtime,
    pub options: Options,
    pub paths: SessionPaths,
    pub file: SessionFile,
    pub loaded: LoadedClasses,
    pub changes: ClassChanges,
    pub pending: PendingWork,
    pub first_calls: FirstCalls,
    pub patience: Patience,
    pub debugger: DebuggerWatch,
    pub sampling: Mutex<Sampling>,
    /// Wakes the agent's thread.
    pub alarm: Alarm,
    /// Totals that threads count as they work. The other totals come from their own parts.
    totals: Mutex<SessionTotals>,
    /// Whether classes that are prepared get the ids of their methods. Written by the thread that
    /// begins or ends sampling.
    needs_method_ids: AtomicBool,
    phase: PhaseState,
    journal: Journal,
    /// None before the session runs and after it is over.
    engine: Mutex<Option<Engine<'static>>>,
}

impl Session {
    pub fn new(
        jvmti: Jvmti,
        runtime: &'static Runtime,
        range: &'static AddressRange,
        options: Options,
        paths: SessionPaths,
        files: SessionFiles,
    ) -> Self {
        Self {
            jvmti,
            runtime,
            options,
            file: SessionFile::new(files.session, paths.clone(), range),
            paths,
            loaded: LoadedClasses::default(),
            changes: ClassChanges::default(),
            pending: PendingWork::default(),
            first_calls: FirstCalls::default(),
            patience: Patience::default(),
            debugger: DebuggerWatch::default(),
            sampling: Mutex::default(),
            alarm: Alarm::default(),
            totals: Mutex::default(),
            needs_method_ids: AtomicBool::new(false),
            phase: PhaseState::default(),
            journal: Journal::new(files.methods),
            engine: Mutex::default(),
        }
    }

    pub fn phase(&self) -> Phase {
        self.phase.get()
    }

    pub fn is_running(&self) -> bool {
        self.phase() == Phase::Running
    }

    /// Goes from one phase to a later one; whether it was `from` before.
    pub fn advance_phase(&self, from: Phase, to: Phase) -> bool {
        self.phase.advance(from, to)
    }

    /// Takes part in a running session: classes are not restored while the guard lives.
    pub fn enter(&self) -> Option<SessionGuard<'_>> {
        self.phase.enter()
    }

    /// How many load hooks and native methods are in the middle of the session.
    pub fn visitors(&self) -> u32 {
        self.phase.visitors()
    }

    /// Whether a root has been live: other threads may be inside.
    pub fn has_live_root(&self) -> bool {
        self.journal.has_live_root()
    }

    /// Whether classes that are prepared get the ids of their methods: stacks are sampled.
    pub fn needs_method_ids(&self) -> bool {
        self.needs_method_ids.load(Ordering::Acquire)
    }

    pub fn set_needs_method_ids(&self, needs: bool) {
        self.needs_method_ids.store(needs, Ordering::Release);
    }

    pub fn lock_engine(&self) -> MutexGuard<'_, Option<Engine<'static>>> {
        lock(&self.engine)
    }

    /// Begins to plan.
    pub fn set_engine(&self, engine: Engine<'static>) {
        *self.lock_engine() = Some(engine);
    }

    /// Ends planning. Returns the ids, for the next session.
    pub fn take_ids(&self) -> Option<IdTable> {
        self.lock_engine().take().map(Engine::into_ids)
    }

    /// Sends the engine an event. Writes the lines and sets the modes that it answers, before any
    /// other thread can send one. Retransformations become [`Session::pending`].
    pub fn with_engine(
        &self,
        event: impl FnOnce(&mut Engine<'static>) -> Actions,
    ) -> Option<VersionedPlan> {
        let mut engine = self.lock_engine();
        let actions = event(engine.as_mut()?);
        self.apply(actions)
    }

    fn apply(&self, actions: Actions) -> Option<VersionedPlan> {
        let Actions {
            at_load,
            retransform,
            need,
            mut lines,
            first,
            counted,
            walked,
            reading,
            timed,
        } = actions;
        // A root is live when its class is retransformed, not before.
        let waits = !retransform.is_empty() || is_retransforming();
        let is_late = |line: &mut MethodsFileLine| waits && is_live_root(line);
        let roots: Vec<MethodsFileLine> = lines.extract_if(.., is_late).collect();
        if !lines.is_empty() {
            self.write(lines);
        }
        for id in counted {
            self.file.set_counted(id);
        }
        for (id, interval) in walked {
            self.file.set_stack_walks(id, interval);
        }
        for id in reading {
            self.file.set_reading(id);
        }
        for id in first {
            self.file.set_first_call_trigger(id);
        }
        if !retransform.is_empty() || !need.is_empty() || !timed.is_empty() || !roots.is_empty() {
            let mut pending = self.pending.lock();
            pending.roots.extend(roots);
            pending.retransform.extend(retransform);
            pending.need.extend(need);
            pending.timed.extend(timed);
        }
        at_load
    }

    /// Writes lines to the methods file.
    pub fn write(&self, lines: Vec<MethodsFileLine>) {
        if self.journal.write(lines) && self.phase() <= Phase::Running {
            self.file.set_state(l::LIVE_ROOT);
        }
    }

    /// Tells the user what the recording lacks: it is not clean.
    pub fn add_loss(&self, sentence: String) {
        self.write(vec![MethodsFileLine::Loss(sentence)]);
    }

    /// Adds a note for the user.
    pub fn add_note(&self, sentence: String) {
        self.write(vec![MethodsFileLine::Note(sentence)]);
    }

    /// Tells the user, once, what a debugger loses that is connected now. Before a class is
    /// retransformed, where the debugger has come before.
    pub fn look_for_debugger(&self) {
        if self.debugger.finds_one() {
            self.add_note(debugger::NOTICE.to_owned());
        }
    }

    /// Changes the totals. Their lock is held only for the change.
    pub fn count<T>(&self, change: impl FnOnce(&mut SessionTotals) -> T) -> T {
        change(&mut lock(&self.totals))
    }

    /// Writes the totals if they have changed.
    pub fn write_totals(&self) {
        let skipped = self.lock_engine().as_ref().map(Engine::skipped_methods).unwrap_or_default();
        let RetransformedClasses { classes, most } = self.loaded.retransformed();
        let totals = SessionTotals {
            refused: skipped,
            retransformed_classes: classes,
            most_retransformed: most,
            ..*lock(&self.totals)
        };
        if self.journal.replace_totals(totals) {
            self.write(vec![MethodsFileLine::Totals(totals)]);
        }
    }

    /// Writes the last lines. Nothing is planned afterwards.
    pub fn close(&self) {
        self.with_engine(Engine::end);
        self.write_totals();
    }

    /// A thread is in a method's first call while the JVM ends: its callees get no probes.
    pub fn count_late_at_end(&self, id: MethodId) {
        if self.phase() == Phase::Ending && self.file.has_first_call_trigger(id) {
            self.file.clear_first_call_trigger(id);
            self.count(|totals| totals.late += 1);
            self.write_totals();
        }
    }
}
