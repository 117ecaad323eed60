//! Regions, looked for in classes as they are loaded.

use super::planned_region::{PlannedRegion, RegionState};
use super::root::summary_of;
use super::{Actions, Engine, class_names};
use jfathom_plan::{
    ClassSummary, InstrumentedMethod, MethodId, MethodKey, MethodSummary, ProbeKind, Skip,
    SkipReason,
};
use jfathom_reachability::ClassId;
use jfathom_session::{MethodsFileLine, RootLine, RootState};
use std::collections::HashSet;

impl Engine<'_> {
    /// A line for each region that is a root, as waiting for its class.
    pub(super) fn waiting_regions(&self) -> impl Iterator<Item = MethodsFileLine> + '_ {
        let numbers = 0..self.regions.found.len();
        numbers.filter_map(|number| self.region_line(number, RootState::Waiting, None, None))
    }

    /// The line for a region that is a root.
    fn region_line(
        &self,
        number: usize,
        state: RootState,
        method: Option<String>,
        unmatched: Option<String>,
    ) -> Option<MethodsFileLine> {
        let region = self.options.regions.get(number).filter(|_| self.regions.are_roots)?;
        let selector = region.to_string();
        let line = RootLine { selector, state, method, unmatched, ..RootLine::default() };
        Some(MethodsFileLine::Root(line))
    }

    /// Plans the regions in a class of the world.
    pub(super) fn choose_regions(&mut self, class: ClassId) {
        let Some(world) = self.driver.world() else { return };
        if self.options.regions.is_empty() || world.is_missing(class) {
            return;
        }
        let name = world.class_name(class);
        let may_have = self.options.regions.iter().any(|region| region.method.can_select_in(&name));
        let is_allowed = (world.is_program(class) || self.options.include_jdk)
            && !self.failed.contains(&class)
            && !jfathom_rewriter::is_used_by_runtime(&name)
            && !class_names::is_ours(name.as_bytes());
        if !may_have || !is_allowed {
            return;
        }
        let summary = summary_of(world, class);
        let kind = if self.regions.are_roots { ProbeKind::Root } else { ProbeKind::InRoot };
        for selector in 0..self.options.regions.len() {
            for method in self.region_hosts(selector, &summary) {
                let Some(region) = self.options.regions.get(selector) else { continue };
                let lines = region.lines;
                let key = MethodKey {
                    class: summary.name.clone(),
                    name: lines.region_name(&method.name),
                    descriptor: method.descriptor.clone(),
                };
                let Some(id) = self.ids.id(&key) else { continue };
                let entry = self.entries.entry(class).or_default();
                if entry.regions.iter().any(|known| known.id == id) {
                    continue;
                }
                entry.regions.push(PlannedRegion {
                    id,
                    method: method.name,
                    descriptor: method.descriptor,
                    lines,
                    kind,
                    selector,
                    since: entry.next_version(),
                    instrumented: false,
                    skipped: false,
                });
                self.renewed.insert(class);
                self.advance_region(selector, RegionState::Planned);
            }
        }
    }

    /// The methods of a class that a region may be in. Their lines are seen when it is rewritten.
    fn region_hosts(&self, selector: usize, class: &ClassSummary) -> Vec<MethodSummary> {
        let Some(region) = self.options.regions.get(selector) else { return Vec::new() };
        let target = region.method.resolve_target(std::slice::from_ref(class));
        let hosts = class.methods.iter().filter(|method| {
            method.code_length.is_some()
                && region.method.matches_method(target, class, method)
                && !self.scope.excludes(class, method)
        });
        hosts.cloned().collect()
    }

    fn advance_region(&mut self, selector: usize, to: RegionState) {
        if let Some(state) = self.regions.found.get_mut(selector)
            && (*state == RegionState::Waiting || to == RegionState::Reported)
        {
            *state = to;
        }
    }

    /// Takes in what became of a class's regions. Returns the rows of those that got probes.
    pub(super) fn regions_rewritten(
        &mut self,
        class: ClassId,
        summary: &ClassSummary,
        done: &HashSet<MethodId>,
        skips: &[Skip],
        version: u32,
        actions: &mut Actions,
    ) -> Vec<InstrumentedMethod> {
        let Some(entry) = self.entries.get_mut(&class) else { return Vec::new() };
        let (mut rows, mut live, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for region in entry.regions.iter_mut().filter(|region| region.is_open(version)) {
            let method = summary.methods.iter().find(|method| {
                (&method.name, &method.descriptor) == (&region.method, &region.descriptor)
            });
            if !done.contains(&region.id) {
                region.skipped = true;
                let name = region.full_name();
                let skip = skips.iter().find(|skip| skip.method.as_ref() == Some(&name));
                let why = skip.map(|skip| (skip.reason, skip.detail.clone()));
                refused.push((region.selector, name, why));
                continue;
            }
            region.instrumented = true;
            live.push((region.selector, region.full_name()));
            if self.reported.insert(region.id) {
                let digest = method.map(|method| method.digest).unwrap_or_default();
                let first_line = method.and_then(|method| method.first_line);
                rows.push(InstrumentedMethod {
                    id: region.id,
                    name: region.lines.region_name(&region.method),
                    descriptor: region.descriptor.clone(),
                    line: Some(region.lines.first()),
                    digest: InstrumentedMethod::region_digest(digest, first_line, region.lines),
                    root: region.kind == ProbeKind::Root,
                    trivial: false,
                    waits: method.is_some_and(|method| method.waits),
                    resumes: method.is_some_and(|method| method.resumes),
                    counted: false,
                    region: Some(region.lines),
                });
            }
        }
        let class_name = summary.name.replace('/', ".");
        for (selector, name) in live {
            self.advance_region(selector, RegionState::Reported);
            let method = Some(format!("{class_name}::{name}"));
            actions.lines.extend(self.region_line(selector, RootState::Live, method, None));
        }
        for (selector, name, why) in refused {
            // Another method that the selector matches has the lines.
            if self.regions.found.get(selector) == Some(&RegionState::Reported) {
                continue;
            }
            self.advance_region(selector, RegionState::Reported);
            let what = why.map_or_else(String::new, |(reason, detail): (SkipReason, _)| {
                detail.unwrap_or_else(|| reason.to_string())
            });
            let text = format!("--region {class_name}::{name}: {what}");
            match self.region_line(selector, RootState::Waiting, None, Some(text.clone())) {
                Some(line) => actions.lines.push(line),
                None => actions.lines.push(MethodsFileLine::Note(text)),
            }
        }
        rows
    }

    /// A note for each region of whose class none was loaded.
    pub(super) fn lost_regions(&self) -> Vec<MethodsFileLine> {
        let lost = self.options.regions.iter().zip(&self.regions.found);
        lost.filter(|(_, state)| **state == RegionState::Waiting)
            .map(|(region, _)| {
                MethodsFileLine::Note(format!(
                    "the region {region} was not found: no class that was loaded has such a method"
                ))
            })
            .collect()
    }

    /// Gives up the regions of a class that the JVM refused.
    pub(super) fn refuse_regions(&mut self, methods: &[MethodId]) -> Vec<ClassId> {
        let mut classes = Vec::new();
        for (&class, entry) in &mut self.entries {
            for region in entry.regions.iter_mut().filter(|region| methods.contains(&region.id)) {
                region.skipped = true;
                classes.push(class);
            }
        }
        classes
    }
}
