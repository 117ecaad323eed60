//! One session: its files, its engine, and what it has done to which class.

use crate::classes::retransform::is_retransforming;
use crate::host::agent::Agent;
use crate::live::loaded_classes::Classes;
use crate::lock::lock;
use crate::session_paths::SessionPaths;
use crate::{Actions, ClassName, Engine, IdTable, Options, VersionedPlan};
use jfathom_plan::{ClassPlan, MethodId};
use jfathom_session::{MethodsFileLine, RootState, SessionTotals};
use jfathom_trace::layout as l;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// It begins: nothing is instrumented so far.
pub const STARTING: u8 = 0;
/// Classes are instrumented.
pub const RUNNING: u8 = 1;
/// Classes are being given their original bytes.
pub const RESTORING: u8 = 2;
/// Nothing is done any more: all is restored.
pub const OVER: u8 = 3;
/// The JVM ends. Its threads run on for a moment and record, but classes stay as they are: JVMTI
/// has said its last.
pub const ENDING: u8 = 4;

/// A session.
pub struct Session {
    pub agent: &'static Agent,
    pub options: Options,
    pub place: SessionPaths,
    began: Instant,
    file: File,
    /// What was mapped of it, and where it goes on.
    growth: Mutex<Growth>,
    methods: Mutex<Methods>,
    pub engine: Mutex<Option<Engine<'static>>>,
    /// [`STARTING`] to [`ENDING`]; grows only. Written by whoever begins, restores or ends it.
    phase: AtomicU8,
    /// Hooks and natives that are in the middle of it.
    visitors: AtomicU32,
    pub classes: Classes,
    /// By name, what was done to a class.
    pub changed: Mutex<HashMap<ClassName, RetransformedClass>>,
    /// Classes that were given probes as they were loaded, and are not prepared so far, with the
    /// version of the plan.
    pub loading: Mutex<HashMap<Loading, u32>>,
    pub todo: Mutex<PendingWork>,
    /// Notified when [`Todo::flights`] loses one.
    pub landed: Condvar,
    /// The methods whose first call is being worked on.
    pub calls: Mutex<HashSet<MethodId>>,
    /// Notified when one is done.
    pub called: Condvar,
    /// Whether the agent's thread is to look at once, and its sleep.
    pub wake: (Mutex<bool>, Condvar),
    /// Whether a root has been live: other threads may be inside.
    root_live: AtomicBool,
    pub counts: SessionCounters,
}

/// So much is left free for others where there is another place.
const LEAVE: u64 = 16 << 20;

/// How far the session file has grown.
#[derive(Default)]
struct Growth {
    /// Bytes so far, all of them mapped.
    length: u64,
    /// The overflow file, once it is in use.
    overflow: Option<File>,
    /// Whether there is none to be had, or it is in use.
    tried: bool,
}

/// The methods file.
struct Methods {
    file: File,
    /// The totals that were written last.
    totals: Option<SessionTotals>,
}

/// A class that is being loaded: its name, and
/// [`Jvmti::object_hash`](crate::ffi::Jvmti::object_hash) of its loader.
pub type Loading = (ClassName, i32);

/// What was done to the classes of one name.
#[derive(Clone, Debug, Default)]
pub struct RetransformedClass {
    /// By [`Jvmti::object_hash`](crate::ffi::Jvmti::object_hash) of the loader: hashes of the
    /// class files that we changed, as they were handed to us. From its first change on the
    /// JVM keeps that file and hands it out again. Of a class that nobody changed it keeps
    /// none: it makes one up each time, and may number its constants anew.
    pub originals: HashMap<i32, Vec<u64>>,
    /// The plan that was made live last.
    pub plan: Option<Arc<ClassPlan>>,
    /// Whether the JVM has refused a redefinition: none is tried again.
    pub failed: bool,
}

/// What is decided and not live.
#[derive(Debug, Default)]
pub struct PendingWork {
    /// Classes of which more is chosen than is live.
    pub redefine: HashSet<ClassName>,
    /// Classes whose bytes the engine wants.
    pub need: Vec<ClassName>,
    /// Methods that lose `MODE_FIRST_CALL` when all of `redefine` is live.
    pub timed: Vec<MethodId>,
    /// What is to be said of roots that are live when all of `redefine` is.
    pub roots: Vec<MethodsFileLine>,
    /// Classes that a thread is redefining, by the number of its flight.
    pub running_batches: HashMap<ClassName, u64>,
    /// The last number.
    pub last_flight: u64,
}

/// Counts for [`LiveTotals`]. Each is written by any thread, and only grows.
#[derive(Debug, Default)]
pub struct SessionCounters {
    pub redefinitions: AtomicU64,
    pub batches: AtomicU64,
    pub at_load: AtomicU64,
    pub classes_loaded: AtomicU64,
    pub first_calls: AtomicU64,
    pub late: AtomicU64,
    pub failed: AtomicU64,
    pub pause_nanos: AtomicU64,
    pub hook_nanos: AtomicU64,
    pub restored: AtomicU64,
    pub restored_unlike: AtomicU64,
}

/// Adds to a count.
pub fn add(count: &AtomicU64, more: u64) {
    count.fetch_add(more, Ordering::Relaxed);
}

/// A hook or native in the middle of a session that runs.
pub struct SessionGuard<'s>(&'s Session);

impl Drop for SessionGuard<'_> {
    fn drop(&mut self) {
        self.0.visitors.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Session {
    pub fn new(
        agent: &'static Agent,
        options: Options,
        place: SessionPaths,
        (file, methods): (File, File),
    ) -> Self {
        Self {
            agent,
            options,
            place,
            began: Instant::now(),
            file,
            growth: Mutex::default(),
            methods: Mutex::new(Methods { file: methods, totals: None }),
            engine: Mutex::default(),
            phase: AtomicU8::new(STARTING),
            visitors: AtomicU32::new(0),
            classes: Classes::default(),
            changed: Mutex::default(),
            loading: Mutex::default(),
            todo: Mutex::default(),
            landed: Condvar::new(),
            calls: Mutex::default(),
            called: Condvar::new(),
            wake: Default::default(),
            root_live: AtomicBool::new(false),
            counts: SessionCounters::default(),
        }
    }

    pub fn phase(&self) -> u8 {
        self.phase.load(Ordering::Acquire)
    }

    /// Goes on to a later phase; whether it was `from` before.
    pub fn advance_phase(&self, from: u8, to: u8) -> bool {
        self.phase.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Takes part in the session, unless it does not run: until the visit is over, no restoration
    /// begins.
    pub fn visit(&self) -> Option<SessionGuard<'_>> {
        self.visitors.fetch_add(1, Ordering::AcqRel);
        let visit = SessionGuard(self);
        (self.phase() == RUNNING).then_some(visit)
    }

    /// How many hooks and natives are in the middle of it.
    pub fn visitors(&self) -> u32 {
        self.visitors.load(Ordering::Acquire)
    }

    /// Whether a root has been live.
    pub fn root_is_live(&self) -> bool {
        self.root_live.load(Ordering::Relaxed)
    }

    /// Wakes the agent's thread.
    pub fn wake(&self) {
        *lock(&self.wake.0) = true;
        self.wake.1.notify_all();
    }

    /// Appends so many zeros to the session file, or to its overflow file, and maps them; their
    /// offset.
    pub fn grow(&self, bytes: u64) -> Option<u64> {
        let page = u64::from(l::AREA_ALIGN);
        let mut growth = lock(&self.growth);
        let from = growth.length;
        let bytes = bytes.checked_next_multiple_of(page)?;
        let to = from.checked_add(bytes)?;
        let range = self.agent.range()?;
        // The header is the session file's, however little space there is.
        if from != 0
            && growth.overflow.is_none()
            && self.free(None).is_none_or(|free| free < LEAVE + bytes)
        {
            self.move_on(&mut growth);
        }
        let file = growth.overflow.as_ref().unwrap_or(&self.file);
        if range.map(file, from, to).is_err() {
            if from == 0 || growth.overflow.is_some() {
                return None;
            }
            self.move_on(&mut growth);
            range.map(growth.overflow.as_ref()?, from, to).ok()?;
        }
        growth.length = to;
        if from == 0 {
            // Before anybody can know that the file is ready.
            self.set_state(l::LIVE_WAITING);
        }
        Some(from)
    }

    /// Bytes that the file may grow by, in both places.
    pub fn space(&self) -> u64 {
        let growth = lock(&self.growth);
        let here = self.free(growth.overflow.as_ref()).unwrap_or(0);
        let other =
            self.place.overflow_dir().filter(|_| !growth.tried).and_then(|dir| free_bytes(&dir));
        here.saturating_add(other.unwrap_or(0))
    }

    fn free(&self, overflow: Option<&File>) -> Option<u64> {
        let stat = rustix::fs::fstatvfs(overflow.unwrap_or(&self.file)).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }

    /// Goes on in the overflow file, if there may be one with more space.
    fn move_on(&self, growth: &mut Growth) {
        if std::mem::replace(&mut growth.tried, true) {
            return;
        }
        let Some(there) = self.place.overflow_dir().and_then(|dir| free_bytes(&dir)) else {
            return;
        };
        if self.free(None).is_some_and(|here| there <= here) {
            return;
        }
        let (Ok(file), Some(word)) =
            (self.place.create_overflow(), self.word64(l::HEADER_OVERFLOW))
        else {
            return;
        };
        word.store(growth.length, Ordering::Release);
        growth.overflow = Some(file);
    }

    /// `HEADER_LIVE_STATE`.
    pub fn set_state(&self, state: u32) {
        if let Some(word) = self.word32(l::HEADER_LIVE_STATE) {
            word.store(state, Ordering::Release);
        }
    }

    /// A word of the header.
    pub fn word32(&self, offset: usize) -> Option<&'static AtomicU32> {
        self.agent.range()?.u32(offset as u64)
    }

    /// A word of the header.
    pub fn word64(&self, offset: usize) -> Option<&'static AtomicU64> {
        self.agent.range()?.u64(offset as u64)
    }

    /// The mode byte of a method.
    fn mode(&self, id: MethodId) -> Option<&'static AtomicU8> {
        let header = |offset| Some(self.word32(offset)?.load(Ordering::Relaxed));
        let index = id.get().checked_sub(header(l::HEADER_ID_FIRST)?)?;
        if index >= header(l::HEADER_ID_COUNT)? {
            return None;
        }
        let modes = self.word64(l::HEADER_MODES_OFFSET)?.load(Ordering::Relaxed);
        self.agent.range()?.u8(modes.checked_add(u64::from(index))?)
    }

    /// Whether the next call of the method is to be told.
    pub fn is_first(&self, id: MethodId) -> bool {
        self.mode(id)
            .is_some_and(|mode| mode.load(Ordering::Acquire) & l::MODE_FIRST_CALL as u8 != 0)
    }

    /// Its calls are not told any more.
    pub fn clear_first(&self, id: MethodId) {
        if let Some(mode) = self.mode(id) {
            mode.fetch_and(!(l::MODE_FIRST_CALL as u8), Ordering::AcqRel);
        }
    }

    /// Asks the engine, and does at once what its answer wants done before anything else: lines and
    /// modes. What is to be redefined is put down in [`Session::todo`].
    pub fn step(&self, ask: impl FnOnce(&mut Engine<'static>) -> Actions) -> Option<VersionedPlan> {
        let mut engine = lock(&self.engine);
        let step = ask(engine.as_mut()?);
        self.note(step)
    }

    fn note(&self, step: Actions) -> Option<VersionedPlan> {
        let Actions { at_load, retransform: redefine, need, mut lines, first, counted, timed } =
            step;
        // A root is live when its class is redefined, not before.
        let waits = !redefine.is_empty() || is_retransforming();
        let is_late = |line: &mut MethodsFileLine| waits && is_live_root(line);
        let roots: Vec<MethodsFileLine> = lines.extract_if(.., is_late).collect();
        if !lines.is_empty() {
            self.write(lines);
        }
        for id in counted {
            if let Some(mode) = self.mode(id) {
                let counted = |old: u8| Some(old & !(l::MODE_MASK as u8) | l::MODE_COUNT as u8);
                let _ = mode.fetch_update(Ordering::AcqRel, Ordering::Acquire, counted);
            }
        }
        for id in first {
            if let Some(mode) = self.mode(id) {
                mode.fetch_or(l::MODE_FIRST_CALL as u8, Ordering::AcqRel);
            }
        }
        if !redefine.is_empty() || !need.is_empty() || !timed.is_empty() || !roots.is_empty() {
            let mut todo = lock(&self.todo);
            todo.roots.extend(roots);
            todo.redefine.extend(redefine);
            todo.need.extend(need);
            todo.timed.extend(timed);
        }
        at_load
    }

    /// Writes lines to the methods file.
    pub fn write(&self, lines: Vec<MethodsFileLine>) {
        let at = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let mut text = Vec::new();
        let mut live = false;
        for mut line in lines {
            line.set_time(at);
            live |= is_live_root(&line);
            if serde_json::to_writer(&mut text, &line).is_ok() {
                text.push(b'\n');
            }
        }
        // A full disk: the collector finds ids without a name and says so.
        let _ = lock(&self.methods).file.write_all(&text);
        if live && !self.root_live.swap(true, Ordering::AcqRel) && self.phase() <= RUNNING {
            self.set_state(l::LIVE_ROOT);
        }
    }

    /// A sentence for the user about something that the recording lacks: it is not clean.
    pub fn add_loss(&self, sentence: String) {
        self.write(vec![MethodsFileLine::Loss(sentence)]);
    }

    /// A sentence for the user.
    pub fn add_note(&self, sentence: String) {
        self.write(vec![MethodsFileLine::Note(sentence)]);
    }

    /// All that is counted.
    pub fn totals(&self) -> SessionTotals {
        let totals = lock(&self.engine).as_ref().map(Engine::totals).unwrap_or_default();
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let (retransformed_classes, most_retransformed) = self.classes.totals();
        let counts = &self.counts;
        SessionTotals {
            retransformations: of(&counts.redefinitions),
            batches: of(&counts.batches),
            retransformed_classes,
            most_retransformed,
            at_load: of(&counts.at_load),
            classes_loaded: of(&counts.classes_loaded),
            first_calls: of(&counts.first_calls),
            late: of(&counts.late),
            refused: totals.refused,
            failed: of(&counts.failed),
            pause_nanos: of(&counts.pause_nanos),
            hook_nanos: of(&counts.hook_nanos),
            restored: of(&counts.restored),
            restored_differently: of(&counts.restored_unlike),
        }
    }

    /// Writes the totals, unless they stand there.
    pub fn write_totals(&self) {
        let totals = self.totals();
        if lock(&self.methods).totals.replace(totals) != Some(totals) {
            self.write(vec![MethodsFileLine::Totals(totals)]);
        }
    }

    /// Says what is to be said at the end.
    pub fn close(&self) {
        self.step(Engine::end);
        self.write_totals();
    }

    /// The same, and gives up the engine. The ids are the next session's.
    pub fn end(&self) -> Option<IdTable> {
        self.close();
        lock(&self.engine).take().map(Engine::into_ids)
    }

    /// A method is called for the first time while the JVM ends: its callees get no probes any
    /// more.
    pub fn too_late(&self, id: MethodId) {
        if self.phase() == ENDING && self.is_first(id) {
            self.clear_first(id);
            add(&self.counts.late, 1);
            self.write_totals();
        }
    }

    /// A thread or all of them stood still for so long.
    pub fn paused_all(&self, nanos: u64) {
        let (Some(paused), Some(epoch), Some(hz)) = (
            self.word64(l::HEADER_PAUSED),
            self.word32(l::HEADER_MODE_EPOCH),
            self.word64(l::HEADER_CLOCK_HZ),
        ) else {
            return;
        };
        let hz = hz.load(Ordering::Relaxed);
        let ticks = u128::from(nanos) * u128::from(hz) / 1_000_000_000;
        paused.fetch_add(u64::try_from(ticks).unwrap_or(u64::MAX), Ordering::AcqRel);
        epoch.fetch_add(1, Ordering::AcqRel);
    }
}

/// Whether the line says that a root is live.
fn is_live_root(line: &MethodsFileLine) -> bool {
    matches!(line, MethodsFileLine::Root(root) if root.state == RootState::Live)
}

/// Bytes that can still be written in a directory.
fn free_bytes(dir: &std::path::Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(dir).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Nanoseconds, which fit for 500 years.
pub fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
