//! One class: which methods change, and what becomes of the rest.

use crate::hand_off::is_task;
use crate::hand_off_sites::HandOffRefs;
use crate::method::{MethodOutcome, MethodRewrite, ScratchBuffers, SkippedMethod};
use crate::pin::PinOutcome;
use crate::probes::ProbeRefs;
use crate::rows::MethodPlans;
use crate::skips::{class_skip, text};
use crate::{runtime_uses, task_frames};
use classfile_writer::{
    ACC_ABSTRACT, ACC_NATIVE, ACC_STATIC, Assembly, ClassFile, Member, PoolStorage, PoolTail,
    TailStorage,
};
use jfathom_plan::{ClassPlan, MethodId, Placement, ProbeKind, Skip, SkipReason};
use std::mem::take;
use std::ops::Range;

/// What holds for all classes of one rewriting.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Where the runtime will be found, and so which class the probes are methods of
    /// ([`jfathom_plan::probe::class`]). What [`crate::runtime_uses`] names is left alone in
    /// every placement.
    pub placement: Placement,
}

/// A method that got its probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instrumented {
    /// The id that its probes pass.
    pub id: MethodId,
    /// Bytes of its code now.
    pub code_length: u32,
    /// Whether it is tied to its entry probe ([`Pins::pinned`]).
    pub pinned: bool,
}

/// A class after rewriting. The slices live in the rewriter's buffers until its next call.
#[derive(Debug)]
pub struct Rewritten<'r> {
    /// The class file; the input itself, byte for byte, where nothing was changed.
    pub bytes: &'r [u8],
    /// The methods that got probes, in class-file order.
    pub done: &'r [Instrumented],
    /// Methods that were left alone though the plan names them, or though they hand tasks off.
    pub skips: Vec<Skip>,
    /// Exception handlers of instrumented methods that got no `handleCatch` probe.
    pub unmarked_catches: u32,
    /// Instrumented methods in which some exceptional exit has no probe of its own and is inferred
    /// by the consumer: constructors whose call of `super()` is not certain, and methods in a
    /// leaner form because of their size.
    pub inferred_throws: u32,
    /// Call sites that mark a task for another thread.
    pub hand_offs: u32,
    /// Task methods (`run`, `call`, …) that open a spawned tree.
    pub tasks: u32,
    /// Instrumented methods by what became of [`ClassPlan::pin`]; all zero where it is not asked
    /// for.
    pub pins: PinCounts,
}

/// Methods by whether they are tied to the entry probe (their numeric arguments, or where there are
/// none the first number that they read from a field), or why they are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PinCounts {
    /// Tied.
    pub pinned: u32,
    /// They take no number and read none from a field before they branch or call; roots: no `int`
    /// or `long`.
    pub without_numbers: u32,
    /// Constructors and class initializers.
    pub constructors: u32,
    /// Empty bodies, plain getters and setters.
    pub trivial: u32,
    /// The code or the constant pool would not fit a limit; such a method is instrumented all the
    /// same.
    pub too_large: u32,
}

impl PinCounts {
    fn add(&mut self, pin: PinOutcome) {
        match pin {
            PinOutcome::NotRequested => {}
            PinOutcome::Pinned => self.pinned += 1,
            PinOutcome::NoNumber => self.without_numbers += 1,
            PinOutcome::Constructor => self.constructors += 1,
            PinOutcome::Trivial => self.trivial += 1,
            PinOutcome::Size => self.too_large += 1,
        }
    }
}

impl std::ops::AddAssign for PinCounts {
    fn add_assign(&mut self, other: Self) {
        self.pinned += other.pinned;
        self.without_numbers += other.without_numbers;
        self.constructors += other.constructors;
        self.trivial += other.trivial;
        self.too_large += other.too_large;
    }
}

/// Rewrites classes one after another with the same buffers; make one per thread.
#[derive(Debug, Default)]
pub struct Rewriter {
    options: Options,
    out: Vec<u8>,
    done: Vec<Instrumented>,
    offsets: PoolStorage,
    tail: TailStorage,
    assembly: Assembly,
    workshop: ScratchBuffers,
    hand_off_refs: HandOffRefs,
    /// The class with room for task variables, before the probes go in.
    roomy: Vec<u8>,
}

/// A method whose frames got room for a task variable.
#[derive(Debug)]
struct WidenedMethod {
    /// Its number in the class.
    method: usize,
    /// Its Code attribute in the class as it was.
    original: Range<usize>,
}

#[derive(Debug, Default)]
struct RewriteCounts {
    unmarked_catches: u32,
    inferred_throws: u32,
    hand_offs: u32,
    tasks: u32,
    pins: PinCounts,
}

impl Rewriter {
    /// A rewriter with empty buffers.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    /// What it was made with.
    pub const fn options(&self) -> Options {
        self.options
    }

    /// Puts the probes of `plan` into the class file `bytes`. An empty plan gives the same bytes
    /// back, unread.
    ///
    /// A method gets the fullest form that fits: pinned, where that is asked for; with an entry
    /// probe, exit probes, a throw probe behind all handlers of its own and a catch probe at
    /// each of them; without the catch probes; with entry and exits only. A form does not fit
    /// where the code would grow past 8,000 bytes, which HotSpot never compiles (unless it is as
    /// long before, or [`jfathom_plan::HugePolicy::Allow`] is set), or past a limit of JVMS
    /// 4.11. Roots and task methods are never left without the throw probe.
    ///
    /// # Errors
    /// The whole class is left alone, with the reason: malformed, of an unknown version, rewritten
    /// before, or used by the runtime itself. What concerns one method only is in
    /// [`Rewritten::skips`].
    pub fn rewrite<'r>(
        &'r mut self,
        bytes: &'r [u8],
        plan: &ClassPlan,
    ) -> Result<Rewritten<'r>, Skip> {
        self.done.clear();
        self.out.clear();
        let mut skips = Vec::new();
        let mut counts = RewriteCounts::default();
        let mut changed = false;
        if !plan.is_empty() {
            let class = ClassFile::parse_with(bytes, take(&mut self.offsets))
                .map_err(|error| class_skip(bytes, &error))?;
            refuse(&class)?;
            let roomy = if plan.hand_offs {
                self.add_task_local(&class, plan, &mut skips)
            } else {
                Vec::new()
            };
            if roomy.is_empty() {
                changed = self.methods(&class, bytes, &roomy, plan, &mut skips, &mut counts)?;
            } else {
                let widened = take(&mut self.roomy);
                let outcome =
                    ClassFile::parse(&widened).map_err(|error| class_skip(bytes, &error)).and_then(
                        |class| self.methods(&class, bytes, &roomy, plan, &mut skips, &mut counts),
                    );
                self.roomy = widened;
                changed = outcome?;
            }
            self.offsets = class.into_storage();
        }
        Ok(Rewritten {
            bytes: if changed { &self.out } else { bytes },
            done: &self.done,
            skips,
            unmarked_catches: counts.unmarked_catches,
            inferred_throws: counts.inferred_throws,
            hand_offs: counts.hand_offs,
            tasks: counts.tasks,
            pins: counts.pins,
        })
    }

    /// Makes the class, in `roomy`, in which every task method has a local variable more. Gives the
    /// methods.
    fn add_task_local(
        &mut self,
        class: &ClassFile<'_>,
        plan: &ClassPlan,
        skips: &mut Vec<Skip>,
    ) -> Vec<WidenedMethod> {
        let mut found = Vec::new();
        // The Code attribute of versions 45.0 to 45.2 has other field widths; no such class runs
        // tasks.
        if class.major() == 45 && class.minor() < 3 {
            return found;
        }
        self.assembly.clear();
        for (number, member) in class.methods().enumerate() {
            let is_root = || {
                let mut rows = plan.methods.iter();
                rows.any(|row| {
                    row.kind == ProbeKind::Root
                        && row.name.as_bytes() == member.name
                        && row.descriptor.as_bytes() == member.descriptor
                })
            };
            if member.access & (ACC_STATIC | ACC_ABSTRACT | ACC_NATIVE) != 0
                || !is_task(member.name, member.descriptor)
                || is_root()
            {
                continue;
            }
            // What is wrong with unreadable code is said when it is its turn.
            let Ok(Some(code)) = member.code() else { continue };
            let range = code.range();
            match self
                .assembly
                .replace_with(range.clone(), |out| task_frames::with_one_more_local(&code, out))
            {
                Ok(()) => found.push(WidenedMethod { method: number, original: range }),
                Err(reason) => {
                    skips.push(method_skip(class, &member, reason, Some("as a task method")))
                }
            }
        }
        if !found.is_empty() {
            self.roomy.clear();
            let tail = PoolTail::new(class.pool());
            if self.assembly.finish(class, &tail, &mut self.roomy).is_err() {
                found.clear();
            }
        }
        found
    }

    /// Rewrites the methods of `class` into `out`; false where nothing changed.
    fn methods(
        &mut self,
        class: &ClassFile<'_>,
        original: &[u8],
        roomy: &[WidenedMethod],
        plan: &ClassPlan,
        skips: &mut Vec<Skip>,
        counts: &mut RewriteCounts,
    ) -> Result<bool, Skip> {
        let mut pool = PoolTail::with(class.pool(), take(&mut self.tail));
        let mut refs = ProbeRefs::new(self.options.placement);
        let mut rows = MethodPlans::new(&plan.methods);
        let mut roomy = roomy.iter().peekable();
        let mut changed = false;
        self.hand_off_refs = HandOffRefs::default();
        if plan.hand_offs {
            self.hand_off_refs.find(class);
        }
        self.assembly.clear();
        for (number, member) in class.methods().enumerate() {
            let task = roomy.next_if(|task| task.method == number);
            let row = rows.find(member.name, member.descriptor);
            if row.is_none() && task.is_none() && self.hand_off_refs.is_empty() {
                continue;
            }
            // Looked at in place: it is a large value.
            let parsed = member.code();
            let code = match &parsed {
                Ok(Some(code)) => code,
                Ok(None) if row.is_none() => continue,
                Ok(None) => {
                    skips.push(method_skip(class, &member, without_code(&member), None));
                    continue;
                }
                Err(_) => {
                    if let Err(error) = parsed {
                        let SkippedMethod { reason, detail } = error.into();
                        skips.push(method_skip(class, &member, reason, Some(&detail)));
                    }
                    continue;
                }
            };
            let order = MethodRewrite {
                member: &member,
                code,
                probes: row.map(|row| (row.id, row.kind)),
                task: task.map(|_| code.max_locals() - 1),
                huge: plan.huge,
                pin: plan.pin_probes,
            };
            let (workshop, hand_off_refs) = (&mut self.workshop, &self.hand_off_refs);
            let mut outcome = None;
            let made = self.assembly.replace_with(code.range(), |out| {
                match workshop.rewrite(&order, hand_off_refs, &mut refs, &mut pool, out) {
                    Ok(Some(made)) => {
                        outcome = Some(made);
                        Ok(())
                    }
                    Ok(None) => Err(None),
                    Err(refusal) => Err(Some(refusal)),
                }
            });
            match (made, outcome) {
                (Ok(()), Some(outcome)) => {
                    changed = true;
                    counts.unmarked_catches += outcome.unmarked_catches;
                    counts.inferred_throws += u32::from(outcome.inferred_throws);
                    counts.hand_offs += outcome.hand_offs;
                    counts.tasks += u32::from(task.is_some());
                    counts.pins.add(outcome.pin);
                    if let Some(row) = row {
                        let MethodOutcome { code_length, pin, .. } = outcome;
                        self.done.push(Instrumented {
                            id: row.id,
                            code_length,
                            pinned: pin == PinOutcome::Pinned,
                        });
                    }
                }
                (refusal, _) => {
                    if let Some(task) = task {
                        // Without the probe nothing sets the variable that its frames ask for.
                        self.assembly.replace(
                            code.range(),
                            original.get(task.original.clone()).unwrap_or_default(),
                        );
                    }
                    if let Err(Some(SkippedMethod { reason, detail })) = refusal {
                        skips.push(method_skip(class, &member, reason, Some(&detail)));
                    }
                }
            }
        }
        if refs.has_existing_probes() {
            return Err(Skip {
                class: class.name().map(text).unwrap_or_default(),
                method: None,
                reason: SkipReason::AlreadyRewritten,
                detail: Some("it calls the probes already; rewrite the original".to_owned()),
            });
        }
        for row in rows.missing() {
            skips.push(Skip {
                class: class.name().map(text).unwrap_or_default(),
                method: Some(format!("{}{}", row.name, row.descriptor)),
                reason: SkipReason::Malformed,
                detail: Some("the class has no such method".to_owned()),
            });
        }
        if changed {
            self.assembly
                .finish(class, &pool, &mut self.out)
                .map_err(|error| class_skip(original, &error))?;
        }
        self.tail = pool.into_storage();
        Ok(changed)
    }
}

/// Refuses classes that must not call a probe.
fn refuse(class: &ClassFile<'_>) -> Result<(), Skip> {
    let skip = |reason, detail: Option<String>| Skip {
        class: class.name().map(text).unwrap_or_default(),
        method: None,
        reason,
        detail,
    };
    let name =
        class.name().map_err(|error| skip(SkipReason::Malformed, Some(error.to_string())))?;
    if runtime_uses::uses(name) {
        return Err(skip(SkipReason::RuntimeUses, None));
    }
    Ok(())
}

fn without_code(member: &Member<'_>) -> SkipReason {
    match member.access {
        access if access & ACC_ABSTRACT != 0 => SkipReason::Abstract,
        access if access & ACC_NATIVE != 0 => SkipReason::Native,
        _ => SkipReason::Malformed,
    }
}

#[cold]
fn method_skip(
    class: &ClassFile<'_>,
    member: &Member<'_>,
    reason: SkipReason,
    detail: Option<&str>,
) -> Skip {
    Skip {
        class: class.name().map(text).unwrap_or_default(),
        method: Some(format!("{}{}", text(member.name), text(member.descriptor))),
        reason,
        detail: detail.map(str::to_owned),
    }
}
