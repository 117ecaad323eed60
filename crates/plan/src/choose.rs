//! Selectors and class summaries to a plan.

mod error;
mod regions;
mod selection;
mod suggestions;

pub use error::PlanError;
pub use suggestions::methods_of;

use crate::{
    ClassPlan, ClassSummary, Digest, DigestHasher, EntryAlone, HugeMethods, IdRange, MethodId,
    MethodPlan, MethodSummary, Placement, ProbeKind, RegionPlan, RegionSelector, ResumptionPlan,
    Selector, Skip, SkipReason, probe,
};
use selection::Selection;

/// `ACC_NATIVE` (JVMS 4.6).
const NATIVE: u16 = 0x0100;

/// What the user wants to instrument.
#[derive(Clone, Debug, Default)]
pub struct SelectionRules {
    /// Selects methods, or with `!` excludes them, also roots. Without a selector that selects, all
    /// methods are selected.
    pub include: Vec<Selector>,
    /// Root methods. They are instrumented even if not included, and other methods record only
    /// inside them. Without roots, each thread records from its first probe.
    pub roots: Vec<Selector>,
    /// Regions. If no other root is given, they are the roots.
    pub regions: Vec<RegionRule>,
    /// Whether trivial methods are skipped, except for roots.
    pub skip_trivial: bool,
    /// Whether hand-offs are followed. Only with roots.
    pub hand_offs: bool,
    /// What to do with huge methods.
    pub huge: HugeMethods,
    /// Which methods are only counted.
    pub entry_alone: EntryAlone,
    /// The first method id.
    pub id_base: u32,
}

/// A region that the user wants to instrument. The classes that [`RegionSelector::method`] matches
/// must be summarized with [`MethodSummary::lines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionRule {
    /// The region.
    pub selector: RegionSelector,
    /// Whether it was given as a root.
    pub root: bool,
}

impl RegionRule {
    /// The option that it was given with.
    pub const fn option(&self) -> &'static str {
        if self.root { "--root" } else { "--include" }
    }
}

impl SelectionRules {
    /// Whether a root is given, so that the other methods and regions record only inside it.
    fn has_given_root(&self) -> bool {
        !self.roots.is_empty() || self.regions.iter().any(|region| region.root)
    }

    /// Whether there are roots: given ones, or regions alone.
    pub fn has_roots(&self) -> bool {
        !self.roots.is_empty() || !self.regions.is_empty()
    }

    /// Whether methods are chosen that are no roots: not with regions alone.
    fn has_methods(&self) -> bool {
        self.regions.is_empty()
            || self.has_given_root()
            || self.include.iter().any(|selector| !selector.is_exclusion())
    }
}

/// Which methods of all classes get which probes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One per class summary, in the same order. Ids ascend in this order without gaps.
    pub classes: Vec<ClassChoice>,
    /// All ids of the plan.
    pub ids: IdRange,
    /// Whether the plan has roots.
    pub has_roots: bool,
}

/// The plan of one class, and its skipped methods.
#[derive(Clone, Debug, Default)]
pub struct ClassChoice {
    /// The rewriter's input.
    pub plan: ClassPlan,
    /// Selected native and trivial methods.
    pub skips: Vec<Skip>,
    /// Number of selected abstract methods.
    pub abstract_methods: u32,
    /// Whether the class is one of a library; the chooser does not set it.
    pub is_library: bool,
}

impl ClassChoice {
    /// The ids of the class's methods, regions and resumptions. None without any.
    pub fn ids(&self) -> Option<IdRange> {
        let method = self.plan.methods.first().map(|method| method.id);
        let region = self.plan.regions.first().map(|region| region.id);
        let first = method.into_iter().chain(region).min()?;
        let ids = self.plan.ids().count();
        Some(IdRange { start: first.get(), len: u32::try_from(ids).ok()? })
    }
}

/// Chooses methods by `rules` and assigns ids.
///
/// # Errors
/// Fails if a selector of `include` or `roots` matches no method that can be instrumented, if an
/// exclusion matches nothing, if no method is chosen, or if the ids exceed 22 bits.
pub fn choose(classes: &[ClassSummary], rules: &SelectionRules) -> Result<Plan, PlanError> {
    choose_filtered(classes, rules, None)
}

/// Whether a method may be chosen, by the index of its class and its own index in that class.
pub type MethodFilter<'a> = &'a dyn Fn(usize, usize) -> bool;

/// [`choose`] among the methods that pass `filter`. Roots always pass. Hand-offs are followed only
/// in classes with a method that passes. A selector need not match any of these methods.
///
/// # Errors
/// As [`choose`].
pub fn choose_filtered(
    classes: &[ClassSummary],
    rules: &SelectionRules,
    filter: Option<MethodFilter<'_>>,
) -> Result<Plan, PlanError> {
    let selection = Selection::new(classes, rules)?;
    let mut next = rules.id_base;
    let mut chosen = Vec::with_capacity(classes.len());
    for (at, class) in classes.iter().enumerate() {
        chosen.push(choose_in(at, class, rules, &selection, filter, &mut next)?);
    }
    if next == rules.id_base {
        return Err(PlanError::NothingSelected { classes: classes.len() });
    }
    Ok(Plan {
        classes: chosen,
        ids: IdRange { start: rules.id_base, len: next - rules.id_base },
        has_roots: rules.has_roots(),
    })
}

/// The methods that the roots of `rules` select, or in which a root region is, and that can be
/// instrumented: indices of class and method, ascending. Only roots need select something: there
/// may be more classes later.
///
/// # Errors
/// Where a selector of a root selects nothing that can be instrumented.
pub fn choose_roots(
    classes: &[ClassSummary],
    rules: &SelectionRules,
) -> Result<Vec<(usize, usize)>, PlanError> {
    let selection = Selection::from_roots(classes, rules)?;
    let roots = |(at, class): (usize, &ClassSummary)| {
        (0..class.methods.len()).map(move |method| (at, method))
    };
    Ok(classes
        .iter()
        .enumerate()
        .flat_map(roots)
        .filter(|&(at, method)| selection.is_root(at, method) || selection.has_root(at, method))
        .collect())
}

fn choose_in(
    at: usize,
    class: &ClassSummary,
    rules: &SelectionRules,
    selection: &Selection,
    filter: Option<MethodFilter<'_>>,
    next: &mut u32,
) -> Result<ClassChoice, PlanError> {
    let mut chosen = ClassChoice::default();
    if is_ours(class) || selection.excludes_class(class) {
        return Ok(chosen);
    }
    let mut has_passed = filter.is_none();
    for (method_at, method) in class.methods.iter().enumerate() {
        let root = selection.is_root(at, method_at);
        let has_region = !selection.regions(at, method_at).is_empty();
        let passes = root || has_region || filter.is_none_or(|filter| filter(at, method_at));
        has_passed |= passes;
        if !passes {
            continue;
        }
        if selection.excludes_method(class, method) {
            continue;
        }
        let mut take_id = || {
            let id = MethodId::new(*next).ok_or(PlanError::TooManyIds { base: rules.id_base });
            *next += 1;
            id
        };
        for &(lines, kind) in selection.regions(at, method_at) {
            let (method, descriptor) = (method.name.clone(), method.descriptor.clone());
            let id = take_id()?;
            chosen.plan.regions.push(RegionPlan { method, descriptor, lines, id, kind });
        }
        let is_chosen = rules.has_methods() && filter.is_none_or(|filter| filter(at, method_at));
        if !(root || is_chosen && selection.includes(class, method)) {
            continue;
        }
        let skip = |reason| Skip {
            class: class.name.clone(),
            method: Some(format!("{}{}", method.name, method.descriptor)),
            reason,
            detail: None,
        };
        match reason_to_skip(method, rules.skip_trivial && !root) {
            Some(SkipReason::Abstract) => chosen.abstract_methods += 1,
            Some(reason) => chosen.skips.push(skip(reason)),
            None => {
                let id = take_id()?;
                let kind = match (rules.has_roots(), root) {
                    (false, _) => ProbeKind::Always,
                    (true, true) => ProbeKind::Root,
                    (true, false) => ProbeKind::InRoot,
                };
                let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
                if method.resumes {
                    let (method, descriptor) = (name.clone(), descriptor.clone());
                    let id = take_id()?;
                    chosen.plan.resumptions.push(ResumptionPlan { method, descriptor, id });
                }
                chosen.plan.methods.push(MethodPlan { name, descriptor, id, kind });
            }
        }
    }
    chosen.plan.hand_offs = has_passed && rules.hand_offs && rules.has_roots();
    chosen.plan.huge = rules.huge;
    chosen.plan.entry_alone = rules.entry_alone;
    Ok(chosen)
}

/// Whether the class is the runtime's own, or a module descriptor.
fn is_ours(class: &ClassSummary) -> bool {
    let ours = class.name.starts_with(probe::PACKAGE) || class.name.starts_with(probe::LIVE_PREFIX);
    ours || class.name == "module-info"
}

fn reason_to_skip(method: &MethodSummary, skip_trivial: bool) -> Option<SkipReason> {
    match method.code_length {
        None if method.access & NATIVE != 0 => Some(SkipReason::Native),
        None => Some(SkipReason::Abstract),
        Some(_) if skip_trivial && method.trivial => Some(SkipReason::Trivial),
        Some(_) => None,
    }
}

/// The digest that identifies a plan, over its content, the placement, and the module.
pub fn plan_id(
    classes: &[ClassSummary],
    plan: &Plan,
    placement: Placement,
    module: Option<&str>,
) -> Digest {
    let mut hasher = DigestHasher::default();
    hasher.bytes(&[placement as u8, u8::from(plan.has_roots)]);
    hasher.bytes(module.unwrap_or("").as_bytes());
    for (class, chosen) in classes.iter().zip(&plan.classes) {
        if chosen.plan.is_empty() {
            continue;
        }
        hasher.bytes(class.name.as_bytes());
        let plan = &chosen.plan;
        let flags = u8::from(plan.hand_offs) | (plan.entry_alone as u8) << 1;
        hasher.bytes(&[flags, plan.huge as u8]);
        for method in &chosen.plan.methods {
            hasher.word(u64::from(method.id.get()) << 8 | method.kind as u64);
            hasher.bytes(method.name.as_bytes());
            hasher.bytes(method.descriptor.as_bytes());
        }
        for region in &chosen.plan.regions {
            hasher.word(u64::from(region.id.get()) << 8 | region.kind as u64);
            hasher.bytes(region.name().as_bytes());
            hasher.bytes(region.descriptor.as_bytes());
        }
        for resumed in &chosen.plan.resumptions {
            hasher.word(u64::from(resumed.id.get()));
            hasher.bytes(resumed.name().as_bytes());
            hasher.bytes(resumed.descriptor.as_bytes());
        }
        for method in &class.methods {
            hasher.word(method.digest.0);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
