//! Probes on the ways that control takes from one scope into another.

use super::runs::{Run, by_scope, falls_through, runs};
use super::scopes::{RegionProbes, Regions, Scope};
use crate::method_rewrite::MethodRewrite;
use crate::probes::{ProbeCode, ProbeMethod, ProbeRefs};
use classfile_writer::{Bci, Error, Label, Landing, PoolTail, Scan, Splice, opcode};
use jfathom_plan::{MethodId, ProbeKind};
use std::collections::BTreeMap;

/// How control gets from one scope into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Jump,
    /// An exception that a handler of the method catches.
    Exception,
}

/// A stub on the way to a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stub {
    pub(super) label: Label,
    pub(super) target: Bci,
    /// The regions that are open all the way.
    pub(super) scope: Scope,
}

/// Puts the probes of a method's regions into its splice.
pub(crate) struct RegionSplicer<'a, 'p> {
    pub(super) request: &'a MethodRewrite<'a>,
    pub(super) regions: &'a Regions,
    pub(super) scan: &'a Scan,
    pub(super) splice: &'a mut Splice,
    pub(super) refs: &'a mut ProbeRefs,
    pub(super) pool: &'a mut PoolTail<'p>,
    pub(super) runs: Vec<Run>,
    /// [`by_scope`] of `runs`.
    pub(super) scope_runs: Vec<Run>,
    pub(super) stubs: Vec<Stub>,
    by_way: BTreeMap<(Way, Scope, Bci), Label>,
    /// Bytes of the method's own entry code.
    pub(super) entry_length: u32,
}

impl<'a, 'p> RegionSplicer<'a, 'p> {
    /// Begins after the method's own entry code was inserted.
    pub(crate) fn new(
        request: &'a MethodRewrite<'a>,
        scan: &'a Scan,
        splice: &'a mut Splice,
        refs: &'a mut ProbeRefs,
        pool: &'a mut PoolTail<'p>,
    ) -> Self {
        let entry_length = splice.inserted_at(Bci(0));
        let runs = runs(request.code, request.regions);
        Self {
            request,
            regions: request.regions,
            scan,
            splice,
            refs,
            pool,
            scope_runs: by_scope(&runs),
            runs,
            stubs: Vec::new(),
            by_way: BTreeMap::new(),
            entry_length,
        }
    }

    /// Inserts the probes of all ways but those of exceptions. The method's own exit probes must
    /// come later.
    pub(crate) fn flow(&mut self) -> Result<(), Error> {
        self.splice.deepen_stack(1);
        self.falling()?;
        self.jumps()?;
        for &at in &self.scan.returns {
            let scope = self.regions.at(at);
            if !scope.is_none() {
                let mut code = Vec::new();
                self.leave(scope, Scope::NONE, Way::Jump, &mut code)?;
                self.splice.insert(at, &code, Landing::Before);
            }
        }
        Ok(())
    }

    /// Control that falls into an instruction, from the one before or from the method's caller.
    fn falling(&mut self) -> Result<(), Error> {
        let mut before = Scope::NONE;
        let mut falls = true;
        for instruction in self.request.code.instructions() {
            let instruction = instruction?;
            let scope = self.regions.at(instruction.bci);
            if falls && scope != before {
                let mut code = Vec::new();
                self.cross(before, scope, Way::Jump, None, &mut code)?;
                self.splice.insert(instruction.bci, &code, Landing::After);
            }
            before = scope;
            falls = falls_through(instruction.opcode);
        }
        Ok(())
    }

    fn jumps(&mut self) -> Result<(), Error> {
        for branch in &self.scan.branches {
            self.jump(branch.bci, branch.target)?;
        }
        for &at in &self.scan.switches {
            let Some(switch) = self.request.code.switch_at(at) else { continue };
            let mut targets: Vec<Bci> = switch.cases().filter_map(|(_, target)| target).collect();
            targets.extend(switch.default());
            targets.sort_unstable();
            targets.dedup();
            for target in targets {
                self.jump(at, target)?;
            }
        }
        Ok(())
    }

    fn jump(&mut self, from: Bci, target: Bci) -> Result<(), Error> {
        let scope = self.regions.at(from);
        if scope != self.regions.at(target) {
            let stub = self.stub(Way::Jump, scope, target, None)?;
            self.splice.redirect(from, target, stub);
        }
        Ok(())
    }

    /// The stub on a way from `scope` to `target`. `caught` is the method's own id for the catch
    /// probe of an exception, if there are catch probes.
    pub(super) fn stub(
        &mut self,
        way: Way,
        scope: Scope,
        target: Bci,
        caught: Option<CatchProbe>,
    ) -> Result<Label, Error> {
        if let Some(&known) = self.by_way.get(&(way, scope, target)) {
            return Ok(known);
        }
        let inside = self.regions.at(target);
        let mut code = Vec::new();
        self.cross(scope, inside, way, caught, &mut code)?;
        let label = self.splice.edge(target, &code);
        let open = self.regions.common(scope, inside);
        self.stubs.push(Stub { label, target, scope: open });
        self.by_way.insert((way, scope, target), label);
        Ok(label)
    }

    /// Appends the probes of a way from one scope to another.
    fn cross(
        &mut self,
        from: Scope,
        to: Scope,
        way: Way,
        caught: Option<CatchProbe>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let open = self.regions.common(from, to);
        self.leave(from, open, way, out)?;
        if let Some(probe) = caught {
            self.catch(open, probe, out)?;
        }
        for region in self.regions.up_to(to, open).iter().rev() {
            let callee = self.refs.get(ProbeMethod::entry(region.kind), self.pool)?;
            let call = ProbeCode::id(region.id, self.pool)?.call(callee);
            let entry = match region.kind {
                ProbeKind::Root => call,
                _ => call.local(opcode::ISTORE, self.request.region_local(region.number)),
            };
            out.extend_from_slice(&entry.bytes());
        }
        Ok(())
    }

    /// Appends the exits from a scope into one around it.
    pub(super) fn leave(
        &mut self,
        from: Scope,
        to: Scope,
        way: Way,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        for region in self.regions.up_to(from, to) {
            let method = match way {
                Way::Jump => ProbeMethod::exit(region.kind),
                Way::Exception => ProbeMethod::throw(region.kind),
            };
            let token = match region.kind {
                ProbeKind::Root => ProbeCode::id(region.id, self.pool)?,
                _ => self.region_token(&region),
            };
            out.extend_from_slice(&token.call(self.refs.get(method, self.pool)?).bytes());
        }
        Ok(())
    }

    /// Pushes the token of a region that is no root.
    fn region_token(&self, region: &RegionProbes) -> ProbeCode {
        ProbeCode::default().local(opcode::ILOAD, self.request.region_local(region.number))
    }

    /// Appends the catch probe of the innermost frame that is open: of a region, else of the
    /// method. The consumer closes all frames above it, so the method's id would close regions.
    pub(super) fn catch(
        &mut self,
        scope: Scope,
        probe: CatchProbe,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let token = match (self.regions.innermost(scope), probe.method) {
            (Some((region, _)), _) if region.kind == ProbeKind::Root => {
                ProbeCode::root_token(region.id, self.pool)?
            }
            (Some((region, _)), _) => self.region_token(region),
            (None, Some(id)) => match self.request.token_local() {
                Some(local) => ProbeCode::default().local(opcode::ILOAD, local),
                None => ProbeCode::root_token(id, self.pool)?,
            },
            (None, None) => return Ok(()),
        };
        let callee = self.refs.get(ProbeMethod::catch(probe.is_any), self.pool)?;
        out.extend_from_slice(&token.catch(probe.is_any, callee).bytes());
        Ok(())
    }
}

/// That a handler gets a catch probe.
#[derive(Clone, Copy, Debug)]
pub(super) struct CatchProbe {
    /// The method's own id, if it has probes.
    pub(super) method: Option<MethodId>,
    /// Whether the handler is one of any exception.
    pub(super) is_any: bool,
}
