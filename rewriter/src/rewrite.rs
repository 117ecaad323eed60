//! One class: which methods change, and what becomes of the rest.

use crate::hand_off::is_task;
use crate::hand_off_sites::HandOffRefs;
use crate::method::{MethodOutcome, ScratchBuffers, SkippedMethod};
use crate::method_rewrite::MethodRewrite;
use crate::probes::ProbeRefs;
use crate::region::{RefusedRegion, RegionProbes, Regions};
use crate::resumable::label_switch;
use crate::rows::{MethodPlans, same};
use crate::runtime_uses;
use crate::skips::{class_skip, text};
use crate::small::SmallMethods;
use classfile_writer::{
    ACC_ABSTRACT, ACC_NATIVE, ACC_STATIC, Assembly, Bci, ClassFile, Code, Member, PoolStorage,
    PoolTail, TailStorage,
};
use jfathom_plan::{
    ClassPlan, EntryAlone, LineRange, MethodId, Placement, ProbeKind, RegionPlan, Skip, SkipReason,
};
use std::mem::take;

/// Options for all classes of a [`Rewriter`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Where the runtime is put. It decides which class has the probes
    /// ([`jfathom_plan::probe::class`]). Classes that the runtime itself uses
    /// ([`crate::is_used_by_runtime`]) are skipped in every placement.
    pub placement: Placement,
}

/// A method or region that has its probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instrumented {
    /// The id that its probes pass.
    pub id: MethodId,
    /// Bytes of its new code; 0 for a region.
    pub code_length: u32,
    /// Whether it has an entry probe alone ([`ClassPlan::entry_alone`]).
    pub counted: bool,
}

/// A class after rewriting. The slices live in the rewriter's buffers until its next call.
#[derive(Debug)]
pub struct Rewritten<'r> {
    /// The class file. If nothing changed, it is the input, byte for byte.
    pub bytes: &'r [u8],
    /// The methods and regions that got probes, in class-file order; a method's regions after it.
    pub done: &'r [Instrumented],
    /// Methods that were skipped although the plan names them or they hand tasks off.
    pub skips: Vec<Skip>,
    /// Exception handlers of instrumented methods that have no `handleCatch` probe.
    pub unmarked_catches: u32,
    /// Instrumented methods in which an exceptional exit may pass no probe, so that the consumer
    /// infers it. These are constructors whose call of `super()` is not certain, and methods in a
    /// leaner form because of their size.
    pub inferred_throws: u32,
    /// Call sites with a hand-off probe.
    pub hand_offs: u32,
    /// Task methods (`run`, `call`, …) that open a spawned tree.
    pub tasks: u32,
}

/// Rewrites classes one after another in the same buffers. Make one per thread.
#[derive(Debug, Default)]
pub struct Rewriter {
    options: Options,
    out: Vec<u8>,
    done: Vec<Instrumented>,
    offsets: PoolStorage,
    tail: TailStorage,
    assembly: Assembly,
    buffers: ScratchBuffers,
    hand_off_refs: HandOffRefs,
    small: SmallMethods,
}

#[derive(Debug, Default)]
struct RewriteCounts {
    unmarked_catches: u32,
    inferred_throws: u32,
    hand_offs: u32,
    tasks: u32,
}

impl RewriteCounts {
    fn add(&mut self, outcome: &MethodOutcome, is_task: bool) {
        self.unmarked_catches += outcome.unmarked_catches;
        self.inferred_throws += u32::from(outcome.inferred_throws);
        self.hand_offs += outcome.hand_offs;
        self.tasks += u32::from(is_task);
    }
}

/// The method, its resumptions and its regions, as what has probes.
fn instrumented(
    request: &MethodRewrite<'_>,
    code_length: u32,
) -> impl Iterator<Item = Instrumented> {
    let counted = request.is_counted();
    let method = request.probes.map(|(id, _)| Instrumented { id, code_length, counted });
    let of = |id, counted| Instrumented { id, code_length: 0, counted };
    let resumed = request.resumed.map(|(id, _)| of(id, true));
    let regions = request.regions.list().iter().map(move |region| of(region.id, false));
    method.into_iter().chain(resumed).chain(regions)
}

impl Rewriter {
    /// A rewriter with empty buffers.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    /// The options that it was made with.
    pub const fn options(&self) -> Options {
        self.options
    }

    /// Puts the probes of `plan` into the class file `bytes`. An empty plan gives the same bytes
    /// back, unread.
    ///
    /// A method gets the fullest of these forms that fits:
    /// - with an entry probe, exit probes, a throw probe behind all its own handlers, and a catch
    ///   probe at each of them;
    /// - without the catch probes;
    /// - with entry and exits only. Roots and task methods never get this form.
    ///
    /// As [`ClassPlan::entry_alone`] says, it gets an entry probe alone, unless it is a root, a
    /// task method, or has regions.
    ///
    /// A form does not fit if the code would exceed a limit of JVMS 4.11, or grow past 8,000 bytes,
    /// which HotSpot never compiles. The second limit does not count for code that was longer
    /// before, nor with [`jfathom_plan::HugeMethods::Allow`].
    ///
    /// # Errors
    /// The whole class is skipped: it is malformed, of an unknown version, rewritten before, or
    /// used by the runtime itself. Skips of single methods are in [`Rewritten::skips`].
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
            check_allowed(&class)?;
            changed = self.methods(&class, plan, &mut skips, &mut counts)?;
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
        })
    }

    /// Rewrites the methods of `class` into `out`. False: nothing changed.
    fn methods(
        &mut self,
        class: &ClassFile<'_>,
        plan: &ClassPlan,
        skips: &mut Vec<Skip>,
        counts: &mut RewriteCounts,
    ) -> Result<bool, Skip> {
        let mut pool = PoolTail::with(class.pool(), take(&mut self.tail));
        let mut refs = ProbeRefs::new(self.options.placement);
        let mut rows = MethodPlans::new(&plan.methods);
        let mut changed = false;
        let mut found_regions = vec![false; plan.regions.len()];
        match plan.hand_offs {
            true => self.hand_off_refs.find(class),
            false => self.hand_off_refs.clear(),
        }
        match plan.entry_alone {
            EntryAlone::Leaves => self.small.find(class, true),
            EntryAlone::Small => self.small.find(class, false),
            EntryAlone::None | EntryAlone::All => self.small.clear(),
        }
        self.assembly.clear();
        for (number, member) in class.methods().enumerate() {
            let row = rows.find(member.name, member.descriptor);
            let is_task = plan.hand_offs
                && member.access & (ACC_STATIC | ACC_ABSTRACT | ACC_NATIVE) == 0
                && is_task(member.name, member.descriptor)
                && !row.is_some_and(|row| row.kind == ProbeKind::Root);
            let wanted = regions_of(plan, &member, &mut found_regions);
            if row.is_none() && wanted.is_empty() && !is_task && self.hand_off_refs.is_empty() {
                continue;
            }
            // Borrowed, not moved: the value is large.
            let parsed = member.code();
            let code = match &parsed {
                Ok(Some(code)) => code,
                Ok(None) => {
                    let reason = without_code(&member);
                    skips.extend(row.map(|_| method_skip(class, &member, reason, None)));
                    for region in &wanted {
                        skips.push(region_skip(class, &member, region.lines, reason, None));
                    }
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
            let mut refused = Vec::new();
            let regions = match Regions::new(code, wanted, &mut refused) {
                Ok(regions) => regions,
                Err(error) => {
                    let SkippedMethod { reason, detail } = error.into();
                    skips.push(method_skip(class, &member, reason, Some(&detail)));
                    continue;
                }
            };
            for RefusedRegion { lines, reason, detail } in refused {
                skips.push(region_skip(class, &member, lines, reason, Some(&detail)));
            }
            let request = MethodRewrite {
                member: &member,
                code,
                probes: row.map(|row| (row.id, row.kind)),
                resumed: resumed(plan, class, &member, code).filter(|_| row.is_some()),
                is_task,
                regions: &regions,
                huge: plan.huge,
                entry_alone: match plan.entry_alone {
                    EntryAlone::None => false,
                    EntryAlone::Leaves | EntryAlone::Small => self.small.contains(number),
                    EntryAlone::All => true,
                },
            };
            let (buffers, hand_off_refs) = (&mut self.buffers, &self.hand_off_refs);
            let mut outcome = None;
            let made = self.assembly.replace_with(code.range(), |out| {
                match buffers.rewrite(&request, hand_off_refs, &mut refs, &mut pool, out) {
                    Ok(Some(made)) => {
                        outcome = Some(made);
                        Ok(())
                    }
                    Ok(None) => Err(None),
                    Err(skipped) => Err(Some(skipped)),
                }
            });
            match (made, outcome) {
                (Ok(()), Some(outcome)) => {
                    changed = true;
                    counts.add(&outcome, is_task);
                    self.done.extend(instrumented(&request, outcome.code_length));
                }
                (made, _) => {
                    if let Err(Some(SkippedMethod { reason, detail })) = made {
                        if row.is_some() || regions.is_empty() {
                            skips.push(method_skip(class, &member, reason, Some(&detail)));
                        }
                        for region in regions.list() {
                            let lines = region.lines;
                            skips.push(region_skip(class, &member, lines, reason, Some(&detail)));
                        }
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
        let missing = rows.missing().map(|row| format!("{}{}", row.name, row.descriptor));
        skips.extend(missing.map(|method| no_such_method(class, method)));
        let missing = plan.regions.iter().zip(&found_regions).filter(|(_, found)| !**found);
        let missing = missing.map(|(region, _)| format!("{}{}", region.name(), region.descriptor));
        skips.extend(missing.map(|method| no_such_method(class, method)));
        if changed {
            self.assembly
                .finish(class, &pool, &mut self.out)
                .map_err(|error| class_skip(class.bytes(), &error))?;
        }
        self.tail = pool.into_storage();
        Ok(changed)
    }
}

/// Skips classes that must not call a probe.
fn check_allowed(class: &ClassFile<'_>) -> Result<(), Skip> {
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

/// The id of a method's resumptions and the switch that tells them, if the plan names one and the
/// method has the other.
fn resumed(
    plan: &ClassPlan,
    class: &ClassFile<'_>,
    member: &Member<'_>,
    code: &Code<'_>,
) -> Option<(MethodId, Bci)> {
    let row = plan
        .resumptions
        .iter()
        .find(|row| same(&row.method, member.name) && same(&row.descriptor, member.descriptor))?;
    Some((row.id, label_switch(class, member, code)?))
}

/// The regions of a method, which are marked in `found`.
fn regions_of(plan: &ClassPlan, member: &Member<'_>, found: &mut [bool]) -> Vec<RegionProbes> {
    let mut wanted = Vec::new();
    for (region, found) in plan.regions.iter().zip(found) {
        if same(&region.method, member.name) && same(&region.descriptor, member.descriptor) {
            *found = true;
            let RegionPlan { id, kind, lines, .. } = *region;
            wanted.push(RegionProbes { id, kind, lines, number: 0 });
        }
    }
    wanted
}

fn no_such_method(class: &ClassFile<'_>, method: String) -> Skip {
    Skip {
        class: class.name().map(text).unwrap_or_default(),
        method: Some(method),
        reason: SkipReason::NoSuchMethod,
        detail: Some("the class has no such method".to_owned()),
    }
}

#[cold]
fn region_skip(
    class: &ClassFile<'_>,
    member: &Member<'_>,
    lines: LineRange,
    reason: SkipReason,
    detail: Option<&str>,
) -> Skip {
    let (name, descriptor) = (text(member.name), text(member.descriptor));
    Skip {
        class: class.name().map(text).unwrap_or_default(),
        method: Some(format!("{}{descriptor}", lines.region_name(&name))),
        reason,
        detail: detail.map(str::to_owned),
    }
}
