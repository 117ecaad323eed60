//! From selectors and surveys to what is to be done with each class.

mod error;
mod selection;
mod suggestions;

pub use error::PlanError;

use crate::{
    ClassPlan, ClassSummary, Digest, DigestHasher, HugeMethods, IdRange, MethodId, MethodPlan,
    MethodSummary, Placement, ProbeKind, Selector, Skip, SkipReason, probe,
};
use selection::Selection;

/// `ACC_NATIVE` (JVMS 4.6).
const NATIVE: u16 = 0x0100;

/// What the user wants instrumented.
#[derive(Clone, Debug, Default)]
pub struct SelectionRules {
    /// What is instrumented, and with `!` what is not; everything where no selector is without
    /// `!`.
    pub include: Vec<Selector>,
    /// What is skipped. Stronger than `include` and `roots`.
    pub exclude: Vec<Selector>,
    /// Methods that record what happens inside them; the other methods record only inside these.
    /// Instrumented whether included or not. Without roots, each thread records from its first
    /// probe.
    pub roots: Vec<Selector>,
    /// Leave empty bodies and plain getters and setters alone, but for roots.
    pub skip_trivial: bool,
    /// Whether call sites that hand work to other threads are rewritten, so that what a root
    /// starts elsewhere is found. Only with roots.
    pub hand_offs: bool,
    /// What becomes of huge methods.
    pub huge: HugeMethods,
    /// Whether methods are tied to their entry probes where that is possible.
    pub pin: bool,
    /// The first id to give out.
    pub id_base: u32,
}

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One for each survey, in the same order. Ids ascend in this order without a gap.
    pub classes: Vec<ClassChoice>,
    /// The ids that were given out.
    pub ids: IdRange,
    /// Whether there are roots.
    pub has_roots: bool,
}

/// What was chosen in one class.
#[derive(Clone, Debug, Default)]
pub struct ClassChoice {
    /// What the rewriter is told.
    pub plan: ClassPlan,
    /// Native and trivial methods that were selected.
    pub skips: Vec<Skip>,
    /// How many abstract methods were selected.
    pub abstract_methods: u32,
}

impl ClassChoice {
    /// The ids that this class's methods have; ids are given out in the order of methods.
    pub fn ids(&self) -> Option<IdRange> {
        let start = self.plan.methods.first()?.id.get();
        Some(IdRange { start, len: u32::try_from(self.plan.methods.len()).ok()? })
    }
}

/// Chooses methods by `rules` and gives them ids.
///
/// # Errors
/// Where a selector of `include` or `roots` selects nothing that can be instrumented, where an
/// exclusion selects nothing, where nothing at all is chosen, and where the ids do not fit in 22
/// bits.
pub fn choose(classes: &[ClassSummary], rules: &SelectionRules) -> Result<Plan, PlanError> {
    choose_filtered(classes, rules, None)
}

/// Says of a method, by the indices of its class and of itself within the class, whether it may be
/// chosen.
pub type MethodFilter<'a> = &'a dyn Fn(usize, usize) -> bool;

/// [`choose`] among the methods for which `among` says yes; roots are chosen in any case. Hand-offs
/// are followed in classes that have such a method. Selectors need not select any of them.
///
/// # Errors
/// As for [`choose`].
pub fn choose_filtered(
    classes: &[ClassSummary],
    rules: &SelectionRules,
    among: Option<MethodFilter<'_>>,
) -> Result<Plan, PlanError> {
    let selection = Selection::new(classes, rules)?;
    let mut next = rules.id_base;
    let mut chosen = Vec::with_capacity(classes.len());
    for (at, class) in classes.iter().enumerate() {
        chosen.push(choose_in(at, class, rules, &selection, among, &mut next)?);
    }
    if next == rules.id_base {
        return Err(PlanError::NothingSelected { classes: classes.len() });
    }
    Ok(Plan {
        classes: chosen,
        ids: IdRange { start: rules.id_base, len: next - rules.id_base },
        has_roots: !rules.roots.is_empty(),
    })
}

/// The methods that the roots of `rules` select and that can be instrumented: indices of class and
/// method, ascending. Only roots need select something: there may be more classes later.
///
/// # Errors
/// Where a selector of a root selects nothing that can be instrumented.
pub fn choose_roots(
    classes: &[ClassSummary],
    rules: &SelectionRules,
) -> Result<Vec<(usize, usize)>, PlanError> {
    let selection = Selection::of_roots(classes, rules)?;
    let roots = |(at, class): (usize, &ClassSummary)| {
        (0..class.methods.len()).map(move |method| (at, method))
    };
    Ok(classes
        .iter()
        .enumerate()
        .flat_map(roots)
        .filter(|&(at, method)| selection.is_root(at, method))
        .collect())
}

fn choose_in(
    at: usize,
    class: &ClassSummary,
    rules: &SelectionRules,
    selection: &Selection,
    among: Option<MethodFilter<'_>>,
    next: &mut u32,
) -> Result<ClassChoice, PlanError> {
    let mut chosen = ClassChoice::default();
    if is_ours(class) || selection.excludes_class(class) {
        return Ok(chosen);
    }
    let mut any = among.is_none();
    for (method_at, method) in class.methods.iter().enumerate() {
        let root = selection.is_root(at, method_at);
        let may = root || among.is_none_or(|among| among(at, method_at));
        any |= may;
        if !may {
            continue;
        }
        if selection.excludes_method(class, method) || !(root || selection.includes(class, method))
        {
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
                let id =
                    MethodId::new(*next).ok_or(PlanError::TooManyIds { base: rules.id_base })?;
                *next += 1;
                let kind = match (rules.roots.is_empty(), root) {
                    (true, _) => ProbeKind::Always,
                    (false, true) => ProbeKind::Root,
                    (false, false) => ProbeKind::InRoot,
                };
                let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
                chosen.plan.methods.push(MethodPlan { name, descriptor, id, kind });
            }
        }
    }
    chosen.plan.hand_offs = any && rules.hand_offs && !rules.roots.is_empty();
    chosen.plan.huge = rules.huge;
    chosen.plan.pin_probes = rules.pin;
    Ok(chosen)
}

/// The runtime's own classes, and what is no class.
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

/// The digest that names a plan: over all that `choice` decided, where the runtime is, and in which
/// module.
pub fn plan_id(
    classes: &[ClassSummary],
    choice: &Plan,
    placement: Placement,
    module: Option<&str>,
) -> Digest {
    let mut hasher = DigestHasher::default();
    hasher.bytes(&[placement as u8, u8::from(choice.has_roots)]);
    hasher.bytes(module.unwrap_or("").as_bytes());
    for (class, chosen) in classes.iter().zip(&choice.classes) {
        if chosen.plan.is_empty() {
            continue;
        }
        hasher.bytes(class.name.as_bytes());
        hasher.bytes(&[
            u8::from(chosen.plan.hand_offs) | u8::from(chosen.plan.pin_probes) << 1,
            chosen.plan.huge as u8,
        ]);
        for method in &chosen.plan.methods {
            hasher.word(u64::from(method.id.get()) << 8 | method.kind as u64);
            hasher.bytes(method.name.as_bytes());
            hasher.bytes(method.descriptor.as_bytes());
        }
        for method in &class.methods {
            hasher.word(method.digest.0);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
