//! Samples by method and by call path.

use crate::{
    contexts::{ContextIx, Contexts},
    place::{MethodTable, Place, Places},
    sampled::RunCounts,
};
use jfathom_jfr::{SampleKind, Samples};
use jfathom_profile::TrustSamples;

/// The samples of all runs below the roots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub samples: TrustSamples,
    /// By run, by method: samples in the method itself.
    pub methods: RunCounts,
    /// By run, by call path: samples in its method and all that it called.
    pub contexts: RunCounts,
}

impl Counts {
    pub fn of(contexts: &Contexts, table: &MethodTable, methods: usize, runs: &[Samples]) -> Self {
        let mut counts = Self::default();
        for run in runs {
            counts.add(contexts, table, methods, run);
        }
        counts
    }

    fn add(&mut self, contexts: &Contexts, table: &MethodTable, methods: usize, run: &Samples) {
        let places = Places::new(contexts, table, run);
        let by_stack: Vec<Place> = run.stacks.iter().map(|stack| places.place(stack)).collect();
        let mut by_method = vec![0; methods];
        let mut by_context = vec![0; contexts.all().len()];
        self.samples.truncated += run.without_stack;
        for sample in &run.samples {
            match by_stack.get(sample.stack as usize) {
                Some(Place::Inside { context, method, is_recorded }) => {
                    self.samples.inside += 1;
                    self.samples.native += u64::from(sample.kind == SampleKind::Native);
                    self.samples.off_path += u64::from(!is_recorded);
                    by_context[context.0 as usize] += 1;
                    if let Some(count) = by_method.get_mut(method.0 as usize) {
                        *count += 1;
                    }
                }
                Some(Place::Outside) => self.samples.outside += 1,
                Some(Place::Unknown) | None => self.samples.truncated += 1,
            }
        }
        let inside = by_method.iter().sum();
        // Callers stand before their callees.
        for at in (0..by_context.len()).rev() {
            if let Some(ContextIx(caller)) = contexts.all()[at].caller {
                by_context[caller as usize] += by_context[at];
            }
        }
        self.methods.push(inside, by_method);
        self.contexts.push(inside, by_context);
    }
}
