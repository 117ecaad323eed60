//! One method: its edits, in the largest form that fits.

use crate::constructor::{self, Shape};
use crate::hand_off_sites::{HandOffRefs, HandOffSite};
use crate::handlers::Handlers;
use crate::pin::{PinOutcome, PinSource};
use crate::probes::{Probe, ProbeCode, ProbeRefs};
use crate::skips::reason;
use crate::{no_throw, trivial};
use classfile_writer::{
    ACC_STATIC, Bci, Code, Error, ErrorKind, Label, Landing, Member, PoolTail, Scan, Splice,
    VerificationType, opcode,
};
use jfathom_plan::{HugeMethods, MethodId, ProbeKind, SkipReason};

/// The longest code that HotSpot compiles (`-XX:HugeMethodLimit`, in force with
/// `-XX:+DontCompileHugeMethods`).
pub(crate) const HUGE_METHOD_LIMIT: u32 = 8_000;

/// What is to be put into one method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MethodRewrite<'c> {
    pub(crate) member: &'c Member<'c>,
    pub(crate) code: &'c Code<'c>,
    /// Id and kind of its own probes, if it gets any.
    pub(crate) probes: Option<(MethodId, ProbeKind)>,
    /// The local variable for the task probes, if it gets them.
    pub(crate) task: Option<u16>,
    pub(crate) huge: HugeMethods,
    /// Whether its arguments, or what it reads first, are to be tied to the entry probe.
    pub(crate) pin: bool,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MethodOutcome {
    /// Bytes of code.
    pub(crate) code_length: u32,
    /// Handlers without a `handleCatch` probe.
    pub(crate) unmarked_catches: u32,
    /// Whether exceptions that leave it, or leave a part of it, are not seen by a handler.
    pub(crate) inferred_throws: bool,
    /// Call sites that mark a task.
    pub(crate) hand_offs: u32,
    /// Whether it is tied to the entry probe.
    pub(crate) pin: PinOutcome,
}

/// Forms of a method, from the fullest to the leanest. Exceptions that a lean form does not see are
/// inferred by the consumer from the events around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ProbeForm {
    /// Tied to the entry probe.
    Pinned,
    Full,
    /// Without `handleCatch`.
    NoCatches,
    /// Without the catch-all handler too: entry and exits only.
    NoHandler,
}

/// Buffers that serve one method after another.
#[derive(Debug, Default)]
pub(crate) struct ScratchBuffers {
    scan: Scan,
    splice: Splice,
    handlers: Handlers,
    /// Pushes the method's id.
    id: ProbeCode,
    types: Vec<VerificationType>,
    scratch: Vec<u8>,
}

impl ScratchBuffers {
    /// Appends the new Code attribute of one method to `out`; nothing where there is nothing to
    /// change in it.
    pub(crate) fn rewrite(
        &mut self,
        order: &MethodRewrite<'_>,
        hand_off_refs: &HandOffRefs,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<MethodOutcome>, SkippedMethod> {
        let mut sites = Vec::new();
        hand_off_refs.sites(order.code, &mut sites)?;
        if order.probes.is_none() && order.task.is_none() && sites.is_empty() {
            return Ok(None);
        }
        let is_constructor = order.member.name == b"<init>";
        self.scan.run(order.code, is_constructor)?;
        self.handlers.find(order.code, &self.scan);
        self.id = match order.probes {
            Some((id, _)) => ProbeCode::id(id, pool)?,
            None => ProbeCode::default(),
        };
        let mut refusal = None;
        let tie = PinSource::of(order, &self.scan);
        for form in [ProbeForm::Pinned, ProbeForm::Full, ProbeForm::NoCatches, ProbeForm::NoHandler]
        {
            let (tied, pin) = match tie {
                Ok(tie) if form == ProbeForm::Pinned => (Some(tie), PinOutcome::Pinned),
                Ok(_) => (None, PinOutcome::Size),
                Err(_) if form == ProbeForm::Pinned => continue,
                Err(why) => (None, why),
            };
            if form == ProbeForm::NoHandler && must_close(order) {
                break;
            }
            let start = out.len();
            let made = self.form(order, form, tied, &sites, refs, pool).and_then(|outcome| {
                self.splice.apply(order.member, order.code, &self.scan, pool, out)?;
                Ok(outcome)
            });
            match made {
                Ok(outcome) if self.fits(order) => {
                    return Ok(Some(MethodOutcome {
                        code_length: self.splice.code_length(),
                        pin,
                        ..outcome
                    }));
                }
                Ok(_) => {
                    out.truncate(start);
                    refusal.get_or_insert(SkippedMethod::huge(self.splice.code_length()));
                }
                Err(error) => {
                    refusal.get_or_insert(error);
                }
            }
        }
        Err(refusal.unwrap_or_else(|| SkippedMethod::huge(0)))
    }

    /// Whether the code that was made does not cross the limit that the original kept.
    fn fits(&self, order: &MethodRewrite<'_>) -> bool {
        order.huge == HugeMethods::Allow
            || self.splice.code_length() <= HUGE_METHOD_LIMIT
            || order.code.bytes().len() > HUGE_METHOD_LIMIT as usize
    }

    /// Sets the splice's edits for one form; `tie` for the pinned one only.
    fn form(
        &mut self,
        order: &MethodRewrite<'_>,
        form: ProbeForm,
        tie: Option<PinSource>,
        sites: &[HandOffSite<'_>],
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<MethodOutcome, SkippedMethod> {
        let mut outcome =
            MethodOutcome { hand_offs: sites.len() as u32, ..MethodOutcome::default() };
        self.splice.clear();
        self.entry(order, tie, refs, pool)?;
        if order.probes.is_some() {
            if form <= ProbeForm::Full {
                self.catches(order.code, refs, pool)?;
            } else {
                outcome.unmarked_catches = self.handlers.list().len() as u32;
            }
        }
        self.exits(order, refs, pool)?;
        if order.probes.is_some() || order.task.is_some() {
            outcome.inferred_throws =
                form == ProbeForm::NoHandler || !self.cover(order, refs, pool)?;
            if outcome.inferred_throws && must_close(order) {
                return Err(SkippedMethod::uncovered());
            }
        }
        let free = order.code.max_locals();
        for site in sites {
            site.insert(&mut self.splice, refs, pool, free, &mut self.scratch)?;
        }
        Ok(outcome)
    }

    fn entry(
        &mut self,
        order: &MethodRewrite<'_>,
        tie: Option<PinSource>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        let mut code = ProbeCode::default();
        if let Some(local) = order.task {
            code = code
                .push(&[opcode::ALOAD_0])
                .call(refs.get(Probe::TASK_ENTRY, pool)?)
                .local(opcode::ISTORE, local);
        }
        if let Some((_, kind)) = order.probes {
            let probe = if tie.is_some() { Probe::pinned_entry(kind) } else { Probe::entry(kind) };
            code = code.append(self.id).call(refs.get(probe, pool)?);
        }
        if let Some(tie) = tie {
            tie.insert(order, code, refs, pool, &mut self.splice, &mut self.scratch)?;
        } else if !code.is_empty() {
            self.splice.need_stack(1);
            self.splice.insert(Bci(0), &code.bytes(), Landing::After);
        }
        Ok(())
    }

    fn exits(
        &mut self,
        order: &MethodRewrite<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        let mut code = ProbeCode::default();
        if let Some((_, kind)) = order.probes {
            code = code.append(self.id).call(refs.get(Probe::exit(kind), pool)?);
        }
        if let Some(local) = order.task {
            code = code.local(opcode::ILOAD, local).call(refs.get(Probe::TASK_EXIT, pool)?);
        }
        if !code.is_empty() && !self.scan.returns.is_empty() {
            self.splice.deepen_stack(1);
            self.splice.insert_at_each(&self.scan.returns, &code.bytes(), Landing::Before);
        }
        Ok(())
    }

    /// Marks each catch: in front of the handler where only exceptions lead there, through a stub
    /// elsewhere.
    fn catches(
        &mut self,
        code: &Code<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        if self.handlers.list().is_empty() {
            return Ok(());
        }
        let probe = self.id.call(refs.get(Probe::CATCH, pool)?).bytes();
        self.splice.need_stack(2);
        for handler in self.handlers.list() {
            if !handler.shared {
                self.splice.insert(handler.bci, &probe, Landing::Before);
                continue;
            }
            let stub = self.splice.stub(handler.bci, &probe);
            for (number, entry) in code.exceptions().enumerate() {
                if entry.handler == handler.bci {
                    self.splice.retarget(number, stub);
                }
            }
        }
        Ok(())
    }

    /// Covers the method by a handler that records the exception's exit. False where some part is
    /// left uncovered that could throw.
    fn cover(
        &mut self,
        order: &MethodRewrite<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<bool, Error> {
        let code = order.code;
        let end = Bci(code.bytes().len() as u32);
        let is_static = order.member.access & ACC_STATIC != 0;
        if order.task.is_none() && trivial::cannot_throw(code.class(), code.bytes(), is_static) {
            return Ok(true);
        }
        if order.member.name != b"<init>" {
            self.cover_part(order, Bci(0), end, false, refs, pool)?;
            return Ok(true);
        }
        match constructor::shape(code, &self.scan) {
            Shape::Uncertain => Ok(false),
            Shape::OnlyPrologue { cover_prologue } => {
                if cover_prologue {
                    self.cover_part(order, Bci(0), end, true, refs, pool)?;
                }
                Ok(cover_prologue)
            }
            Shape::Certain { call, cover_prologue } => {
                if cover_prologue {
                    self.cover_part(order, Bci(0), call, true, refs, pool)?;
                }
                self.cover_part(order, Bci(call.0 + 3), end, false, refs, pool)?;
                Ok(cover_prologue)
            }
        }
    }

    /// Covers `start..end` but for its returns and what cannot throw.
    fn cover_part(
        &mut self,
        order: &MethodRewrite<'_>,
        start: Bci,
        end: Bci,
        uninitialized: bool,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        let code = order.code.bytes();
        let mut handler = None;
        let mut from = start;
        let first = self.scan.returns.partition_point(|&at| at < start);
        let inside = self.scan.returns.partition_point(|&at| at < end);
        for i in first..=inside {
            let to = if i < inside { self.scan.returns[i] } else { end };
            let range = from.0 as usize..to.0 as usize;
            if from < to
                && (order.task.is_some()
                    || !no_throw::cannot_throw(code.get(range).unwrap_or_default()))
            {
                let label = match handler {
                    Some(label) => label,
                    None => *handler.insert(self.handler(order, uninitialized, refs, pool)?),
                };
                self.splice.cover(from..to, label);
            }
            from = Bci(to.0 + 1);
        }
        Ok(())
    }

    /// The block that records the exceptional exit and rethrows.
    fn handler(
        &mut self,
        order: &MethodRewrite<'_>,
        uninitialized: bool,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<Label, Error> {
        let mut code = ProbeCode::default();
        if let Some((_, kind)) = order.probes {
            code = code.append(self.id).call(refs.get(Probe::throw(kind), pool)?);
        }
        self.types.clear();
        if uninitialized {
            self.types.push(VerificationType::UninitializedThis);
        }
        if let Some(local) = order.task {
            code = code.local(opcode::ILOAD, local).call(refs.get(Probe::TASK_EXIT, pool)?);
            self.types.resize(usize::from(local), VerificationType::Top);
            self.types.push(VerificationType::Integer);
        }
        code = code.push(&[opcode::ATHROW]);
        let throwable = VerificationType::Object(refs.throwable(pool)?);
        self.splice.need_stack(2);
        Ok(self.splice.block(&code.bytes(), &self.types, &[throwable]))
    }
}

/// Whether an exception out of the method must be seen where it happens: a root or a spawned tree
/// that is left unseen would keep its thread recording, and no consumer can mend that.
fn must_close(order: &MethodRewrite<'_>) -> bool {
    order.task.is_some() || matches!(order.probes, Some((_, ProbeKind::Root)))
}

/// Why a method stays as it was.
#[derive(Debug)]
pub(crate) struct SkippedMethod {
    pub(crate) reason: SkipReason,
    pub(crate) detail: String,
}

impl SkippedMethod {
    #[cold]
    fn huge(length: u32) -> Self {
        let detail = format!(
            "would grow to {length} bytes of code; --allow-huge instruments it all the same"
        );
        Self { reason: SkipReason::HugeMethodLimit, detail }
    }

    #[cold]
    fn uncovered() -> Self {
        let detail =
            "a root must be covered as a whole, and the call of super() is not certain".to_owned();
        Self { reason: SkipReason::ConstructorShape, detail }
    }
}

impl From<Error> for SkippedMethod {
    #[cold]
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::MissingFrame { .. } => SkipReason::Frames,
            ErrorKind::BranchTooFar { .. } => SkipReason::BranchTooFar,
            other => reason(other),
        };
        Self { reason: kind, detail: error.to_string() }
    }
}
