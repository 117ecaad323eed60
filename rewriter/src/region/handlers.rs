//! Exceptions that the method's own handlers catch.

use super::edges::{CatchProbe, RegionSplicer, Way};
use super::runs::{Boundary, Run};
use crate::handlers::Handlers;
use crate::probes::ProbeCode;
use classfile_writer::{Bci, Error, ExceptionEntry, Label, Landing};
use jfathom_plan::MethodId;
use std::collections::HashSet;

/// More entries fit no exception table (JVMS 4.7.3).
const MAX_ENTRIES: usize = u16::MAX as usize;

impl RegionSplicer<'_, '_> {
    /// Splits the entries of the exception table where their exceptions leave or enter other
    /// regions, in place, so that the first entry that matches stays the first. `marked`: handlers
    /// get catch probes.
    pub(crate) fn catches(&mut self, handlers: &Handlers, marked: bool) -> Result<(), Error> {
        let method = self.request.probes.map(|(id, _)| id);
        let caught = |bci| marked.then(|| CatchProbe { method, is_any: handlers.is_any(bci) });
        if marked && !handlers.list().is_empty() {
            self.splice.need_stack(ProbeCode::CATCH_STACK);
        }
        let entries: Vec<ExceptionEntry> = self.request.code.exceptions().collect();
        let stubbed = self.stubbed(handlers, &entries, marked.then_some(method));
        for handler in handlers.list().iter().filter(|handler| !stubbed.contains(&handler.bci)) {
            if let Some(probe) = caught(handler.bci) {
                let mut code = Vec::new();
                self.catch(self.regions.at(handler.bci), probe, &mut code)?;
                self.splice.insert(handler.bci, &code, Landing::Before);
            }
        }
        let mut parts = 0;
        for (number, entry) in entries.iter().enumerate() {
            if entry.start >= entry.end || !stubbed.contains(&entry.handler) {
                continue;
            }
            parts += self.split(number, entry, caught(entry.handler))?;
            // What is split into more cannot be written anyway.
            if parts > MAX_ENTRIES {
                break;
            }
        }
        Ok(())
    }

    /// The handlers to which exceptions go through stubs: those with an exception that leaves or
    /// enters a region, and those with a catch probe into which control also gets otherwise. All
    /// exceptions of a handler do, so that none passes two catch probes. `caught`: the method's own
    /// id, if it has probes; none if there are no catch probes.
    fn stubbed(
        &self,
        handlers: &Handlers,
        entries: &[ExceptionEntry],
        caught: Option<Option<MethodId>>,
    ) -> HashSet<Bci> {
        let has_probe =
            |bci| caught.is_some_and(|method| method.is_some() || !self.regions.at(bci).is_none());
        let shared =
            handlers.list().iter().filter(|handler| handler.shared && has_probe(handler.bci));
        let mut found: HashSet<Bci> = shared.map(|handler| handler.bci).collect();
        for entry in entries {
            let scope = self.regions.at(entry.handler);
            if !found.contains(&entry.handler) && self.runs_of(entry).any(|run| run.scope != scope)
            {
                found.insert(entry.handler);
            }
        }
        found
    }

    fn runs_of(&self, entry: &ExceptionEntry) -> impl Iterator<Item = Run> + '_ {
        let (from, to) = (Boundary::landing(entry.start), Boundary::start(entry.end));
        let first = self.scope_runs.partition_point(|run| run.to <= from);
        let rest = self.scope_runs.get(first..).unwrap_or_default();
        rest.iter().map_while(move |run| run.clip(from, to))
    }

    /// Splits one entry. Returns the number of its parts.
    fn split(
        &mut self,
        number: usize,
        entry: &ExceptionEntry,
        caught: Option<CatchProbe>,
    ) -> Result<usize, Error> {
        let inside = self.regions.at(entry.handler);
        let mut parts: Vec<(Run, Option<Label>)> = Vec::new();
        for run in self.runs_of(entry).collect::<Vec<_>>() {
            let to = match run.scope == inside && caught.is_none() {
                true => None,
                false => Some(self.stub(Way::Exception, run.scope, entry.handler, caught)?),
            };
            match parts.last_mut() {
                Some((last, label)) if *label == to => last.to = run.to,
                _ => parts.push((run, to)),
            }
        }
        for (run, to) in &parts {
            self.splice.send_part(number, run.from.cut()..run.to.cut(), *to);
        }
        Ok(parts.len())
    }
}
