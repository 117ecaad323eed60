//! One method: its edits, in the largest form that fits.

use crate::constructor::{self, Shape};
use crate::hand_off_sites::{HandOffRefs, HandOffSite};
use crate::handlers::{self, Handlers};
use crate::method_rewrite::MethodRewrite;
use crate::probes::{ProbeCode, ProbeMethod, ProbeRefs};
use crate::region::RegionSplicer;
use crate::skips::reason;
use crate::trivial;
use classfile_writer::{
    ACC_STATIC, Bci, Code, Error, ErrorKind, Label, Landing, PoolTail, Scan, Splice,
    VerificationType, opcode,
};
use jfathom_plan::{HugeMethods, SkipReason};

/// The longest code that HotSpot compiles (`-XX:HugeMethodLimit`, in force with
/// `-XX:+DontCompileHugeMethods`).
pub(crate) const HUGE_METHOD_LIMIT: u32 = 8_000;

/// What became of one method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MethodOutcome {
    /// Bytes of code.
    pub(crate) code_length: u32,
    /// Exception handlers without a `handleCatch` probe.
    pub(crate) unmarked_catches: u32,
    /// Whether exceptions can leave it, or a part of it, without passing a probe.
    pub(crate) inferred_throws: bool,
    /// Call sites with a hand-off probe.
    pub(crate) hand_offs: u32,
}

/// Forms of a method, from the fullest to the leanest. A lean form records fewer exceptions; the
/// consumer infers the others from the records around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ProbeForm {
    Full,
    /// Without `handleCatch`.
    NoCatches,
    /// Without the catch-all handler too: entry and exits only.
    NoHandler,
    /// Of a method that is only counted: the entry alone.
    Entry,
}

/// Buffers that serve one method after another.
#[derive(Debug, Default)]
pub(crate) struct ScratchBuffers {
    scan: Scan,
    splice: Splice,
    handlers: Handlers,
    /// Pushes the method's id.
    id: ProbeCode,
    /// Pushes its token for exit and throw probes: in a root its id.
    token: ProbeCode,
    /// Pushes its token for catch probes.
    catch_token: ProbeCode,
    types: Vec<VerificationType>,
    scratch: Vec<u8>,
}

impl ScratchBuffers {
    /// Appends the new Code attribute of one method to `out`. `None`: nothing changes in it.
    pub(crate) fn rewrite(
        &mut self,
        request: &MethodRewrite<'_>,
        hand_off_refs: &HandOffRefs,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<MethodOutcome>, SkippedMethod> {
        let mut sites = Vec::new();
        hand_off_refs.sites(request.code, &mut sites)?;
        let is_probed = request.probes.is_some() || !request.regions.is_empty();
        if !is_probed && !request.is_task && sites.is_empty() {
            return Ok(None);
        }
        let is_constructor = request.member.name == b"<init>";
        self.scan.run(request.code, is_constructor)?;
        self.handlers.find(request.code, &self.scan);
        (self.id, self.token, self.catch_token) = Default::default();
        if let Some((id, _)) = request.probes {
            self.id = ProbeCode::id(id, pool)?;
            (self.token, self.catch_token) = match request.token_local() {
                Some(local) => [ProbeCode::default().local(opcode::ILOAD, local); 2].into(),
                None => (self.id, ProbeCode::root_token(id, pool)?),
            };
        }
        let mut skipped = None;
        let forms: &[ProbeForm] = match request.is_counted() {
            true => &[ProbeForm::Entry],
            false => &[ProbeForm::Full, ProbeForm::NoCatches, ProbeForm::NoHandler],
        };
        for &form in forms {
            // Only the handler closes a region before the next record of a frame around the method.
            let must_cover = request.must_close() || !request.regions.is_empty();
            if form == ProbeForm::NoHandler && must_cover {
                break;
            }
            let start = out.len();
            let made = self.form(request, form, &sites, refs, pool).and_then(|outcome| {
                self.splice.apply(request.member, request.code, &self.scan, pool, out)?;
                Ok(outcome)
            });
            match made {
                Ok(outcome) if self.fits(request) => {
                    return Ok(Some(MethodOutcome {
                        code_length: self.splice.code_length(),
                        ..outcome
                    }));
                }
                Ok(_) => {
                    out.truncate(start);
                    skipped.get_or_insert(SkippedMethod::huge(self.splice.code_length()));
                }
                Err(error) => {
                    skipped.get_or_insert(error);
                }
            }
        }
        Err(skipped.unwrap_or_else(|| SkippedMethod::huge(0)))
    }

    /// Whether the new code keeps within HotSpot's limit, if the original did.
    fn fits(&self, request: &MethodRewrite<'_>) -> bool {
        request.huge == HugeMethods::Allow
            || self.splice.code_length() <= HUGE_METHOD_LIMIT
            || request.code.bytes().len() > HUGE_METHOD_LIMIT as usize
    }

    /// Sets the splice's edits for one form.
    fn form(
        &mut self,
        request: &MethodRewrite<'_>,
        form: ProbeForm,
        sites: &[HandOffSite<'_>],
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<MethodOutcome, SkippedMethod> {
        let mut outcome =
            MethodOutcome { hand_offs: sites.len() as u32, ..MethodOutcome::default() };
        self.splice.clear();
        self.entry(request, refs, pool)?;
        self.resumed(request, refs, pool)?;
        let is_counted = form == ProbeForm::Entry;
        let is_probed = !is_counted && (request.probes.is_some() || !request.regions.is_empty());
        let is_marked = is_probed && form == ProbeForm::Full;
        if is_probed && !is_marked {
            outcome.unmarked_catches = self.handlers.list().len() as u32;
        }
        if request.regions.is_empty() && !is_counted {
            if is_marked {
                self.catches(request.code, refs, pool)?;
            }
            self.exits(request, refs, pool)?;
        }
        if is_probed || request.is_task {
            let is_covered = if request.regions.is_empty() {
                form != ProbeForm::NoHandler && self.cover(request, refs, pool)?
            } else {
                self.with_regions(request, is_marked, refs, pool)?
            };
            outcome.inferred_throws = !is_covered;
            if outcome.inferred_throws && request.must_close() {
                return Err(SkippedMethod::uncovered());
            }
        }
        let new = request.new_locals();
        self.splice.add_locals(new);
        let free = request.code.max_locals().saturating_add(new);
        for site in sites {
            site.insert(&mut self.splice, refs, pool, free, &mut self.scratch)?;
        }
        Ok(outcome)
    }

    /// Inserts all probes behind the method's entry, its own and those of its regions. Returns
    /// [`Self::cover`].
    fn with_regions(
        &mut self,
        request: &MethodRewrite<'_>,
        is_marked: bool,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<bool, Error> {
        let Self { scan, splice, handlers, .. } = self;
        let mut regions = RegionSplicer::new(request, scan, splice, refs, pool);
        regions.catches(handlers, is_marked)?;
        regions.flow()?;
        let covers = regions.cover()?;
        self.exits(request, refs, pool)?;
        Ok(covers)
    }

    fn entry(
        &mut self,
        request: &MethodRewrite<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        if let Some(local) = request.task_local() {
            let code = ProbeCode::default()
                .push(&[opcode::ALOAD_0])
                .call(refs.get(ProbeMethod::TaskEntry, pool)?)
                .local(opcode::ISTORE, local);
            self.first(code);
        }
        for number in 0..request.regions.list().len() {
            let local = request.region_local(number);
            self.first(ProbeCode::default().push(&[opcode::ICONST_0]).local(opcode::ISTORE, local));
        }
        if let Some((_, kind)) = request.probes {
            let probe = match request.is_counted() {
                true => ProbeMethod::counted_entry(kind),
                false => ProbeMethod::entry(kind),
            };
            let call = self.id.call(refs.get(probe, pool)?);
            let Some(local) = request.token_local() else {
                self.first(call);
                return Ok(());
            };
            let entry = call.local(opcode::ISTORE, local);
            match refs.enabled(pool)? {
                Some(enabled) => {
                    self.first(ProbeCode::unless_enabled(local, enabled, &entry.bytes()));
                    self.first(entry);
                    self.splice.frame_behind_entry();
                }
                None => self.first(entry),
            }
        }
        Ok(())
    }

    /// Inserts code that runs once in each call, behind what was inserted so.
    fn first(&mut self, code: ProbeCode) {
        self.splice.need_stack(1);
        self.splice.insert(Bci(0), &code.bytes(), Landing::After);
    }

    fn resumed(
        &mut self,
        request: &MethodRewrite<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        if let Some((id, switch)) = request.resumed {
            let callee = refs.get(ProbeMethod::Resumed, pool)?;
            let probe = ProbeCode::id(id, pool)?.resumed(callee).bytes();
            self.splice.deepen_stack(ProbeCode::RESUMED_STACK);
            self.splice.insert(switch, &probe, Landing::Before);
        }
        Ok(())
    }

    fn exits(
        &mut self,
        request: &MethodRewrite<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        let mut code = ProbeCode::default();
        if let Some((_, kind)) = request.probes {
            code = code.append(self.token).call(refs.get(ProbeMethod::exit(kind), pool)?);
        }
        if let Some(local) = request.task_local() {
            code = code.local(opcode::ILOAD, local).call(refs.get(ProbeMethod::TaskExit, pool)?);
        }
        if !code.is_empty() && !self.scan.returns.is_empty() {
            self.splice.deepen_stack(1);
            self.splice.insert_at_each(&self.scan.returns, &code.bytes(), Landing::Before);
        }
        Ok(())
    }

    /// Puts a probe into each exception handler: in front of it where only exceptions lead there,
    /// else through a stub.
    fn catches(
        &mut self,
        code: &Code<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        if self.handlers.list().is_empty() {
            return Ok(());
        }
        self.splice.need_stack(ProbeCode::CATCH_STACK);
        for handler in self.handlers.list() {
            let callee = refs.get(ProbeMethod::catch(handler.any), pool)?;
            let probe = self.catch_token.catch(handler.any, callee).bytes();
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

    /// Covers the method by a handler that records the exceptional exit. False if a part that could
    /// throw stays uncovered.
    fn cover(
        &mut self,
        request: &MethodRewrite<'_>,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<bool, Error> {
        let code = request.code;
        let end = Bci(code.bytes().len() as u32);
        let is_static = request.member.access & ACC_STATIC != 0;
        if !request.is_task && trivial::cannot_throw(code.class(), code.bytes(), is_static) {
            return Ok(true);
        }
        if request.member.name != b"<init>" {
            self.cover_part(request, Bci(0), end, false, refs, pool)?;
            return Ok(true);
        }
        match constructor::shape(code, &self.scan) {
            Shape::Uncertain => Ok(false),
            Shape::OnlyPrologue { cover_prologue } => {
                if cover_prologue {
                    self.cover_part(request, Bci(0), end, true, refs, pool)?;
                }
                Ok(cover_prologue)
            }
            Shape::Certain { call, cover_prologue } => {
                if cover_prologue {
                    self.cover_part(request, Bci(0), call, true, refs, pool)?;
                }
                self.cover_part(request, Bci(call.0 + 3), end, false, refs, pool)?;
                Ok(cover_prologue)
            }
        }
    }

    /// Covers `start..end`, without its returns and code that cannot throw.
    fn cover_part(
        &mut self,
        request: &MethodRewrite<'_>,
        start: Bci,
        end: Bci,
        uninitialized: bool,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<(), Error> {
        let code = request.code.bytes();
        let mut handler = None;
        let mut from = start;
        let first = self.scan.returns.partition_point(|&at| at < start);
        let inside = self.scan.returns.partition_point(|&at| at < end);
        for i in first..=inside {
            let to = if i < inside { self.scan.returns[i] } else { end };
            let range = from.0 as usize..to.0 as usize;
            if from < to
                && (request.is_task || !handlers::cannot_throw(code.get(range).unwrap_or_default()))
            {
                let label = match handler {
                    Some(label) => label,
                    None => {
                        *handler.insert(self.throw_handler(request, uninitialized, refs, pool)?)
                    }
                };
                self.splice.cover(from..to, label);
            }
            from = Bci(to.0 + 1);
        }
        Ok(())
    }

    /// The block that records the exceptional exit and rethrows.
    fn throw_handler(
        &mut self,
        request: &MethodRewrite<'_>,
        uninitialized: bool,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
    ) -> Result<Label, Error> {
        let mut code = ProbeCode::default();
        if let Some((_, kind)) = request.probes {
            code = code.append(self.token).call(refs.get(ProbeMethod::throw(kind), pool)?);
        }
        if let Some(local) = request.task_local() {
            code = code.local(opcode::ILOAD, local).call(refs.get(ProbeMethod::TaskExit, pool)?);
        }
        request.handler_locals(uninitialized, &mut self.types);
        code = code.push(&[opcode::ATHROW]);
        let throwable = VerificationType::Object(refs.throwable(pool)?);
        self.splice.need_stack(2);
        Ok(self.splice.block(&code.bytes(), &self.types, &[throwable]))
    }
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
            "would grow to {length} bytes of code; --probe huge=time instruments it all the same"
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
