//! Exceptions that leave the method, and so all of its regions.

use super::edges::{RegionSplicer, Way};
use super::runs::{Boundary, Run};
use super::scopes::Scope;
use crate::constructor::{self, Shape};
use crate::handlers;
use crate::probes::{ProbeCode, ProbeMethod};
use classfile_writer::{Bci, Cut, Error, Label, VerificationType, opcode};
use std::collections::BTreeMap;

/// A part of the method that one frame of handlers can cover.
#[derive(Clone, Copy)]
struct Part {
    start: Bci,
    end: Bci,
    /// Whether `this` is not yet initialized in it.
    uninitialized: bool,
}

/// The handlers by what they close.
type Blocks = BTreeMap<(Scope, bool), Label>;

impl RegionSplicer<'_, '_> {
    /// Covers the method by handlers that record the exits of the open regions, innermost first,
    /// then the method's own, and rethrow. False if a part that could
    /// throw stays uncovered.
    pub(crate) fn cover(&mut self) -> Result<bool, Error> {
        let (parts, is_whole) = self.parts();
        let mut blocks = Blocks::new();
        for part in &parts {
            for run in self.runs.clone() {
                let clipped = run.clip(Boundary::start(part.start), Boundary::start(part.end));
                let Some(run) = clipped.filter(|run| self.has_to_be_covered(run)) else { continue };
                let handler = self.handler(run.scope, part.uninitialized, &mut blocks)?;
                let from = match run.from.cut() {
                    Cut::Start(Bci(0)) => Cut::Within(Bci(0), self.entry_length),
                    cut => cut,
                };
                self.splice.cover_between(from..run.to.cut(), handler);
            }
        }
        for stub in self.stubs.clone() {
            let around = |part: &&Part| (part.start..part.end).contains(&stub.target);
            let Some(part) = parts.iter().find(around) else { continue };
            if !stub.scope.is_none() || self.closes_method() {
                let handler = self.handler(stub.scope, part.uninitialized, &mut blocks)?;
                self.splice.cover_block(stub.label, handler);
            }
        }
        Ok(is_whole)
    }

    /// The parts that can be covered, and whether they are all.
    fn parts(&self) -> (Vec<Part>, bool) {
        let code = self.request.code;
        let part = |start, end, uninitialized| Part { start, end, uninitialized };
        let end = Bci(code.bytes().len() as u32);
        if self.request.member.name != b"<init>" {
            return (vec![part(Bci(0), end, false)], true);
        }
        match constructor::shape(code, self.scan) {
            Shape::Uncertain => (Vec::new(), false),
            Shape::OnlyPrologue { cover_prologue: true } => (vec![part(Bci(0), end, true)], true),
            Shape::OnlyPrologue { cover_prologue: false } => (Vec::new(), false),
            Shape::Certain { call, cover_prologue } => {
                let mut parts = vec![part(Bci(call.0 + 3), end, false)];
                if cover_prologue {
                    parts.insert(0, part(Bci(0), call, true));
                }
                (parts, cover_prologue)
            }
        }
    }

    fn closes_method(&self) -> bool {
        self.request.probes.is_some() || self.request.is_task
    }

    fn has_to_be_covered(&self, run: &Run) -> bool {
        if run.is_return || run.scope.is_none() && !self.closes_method() {
            return false;
        }
        let code = self.request.code.bytes();
        let range = run.from.bci().0 as usize..run.to.bci().0 as usize;
        self.request.must_close() || !handlers::cannot_throw(code.get(range).unwrap_or_default())
    }

    /// The block that records the exits and rethrows.
    fn handler(
        &mut self,
        scope: Scope,
        uninitialized: bool,
        blocks: &mut Blocks,
    ) -> Result<Label, Error> {
        if let Some(&known) = blocks.get(&(scope, uninitialized)) {
            return Ok(known);
        }
        let mut code = Vec::new();
        self.leave(scope, Scope::NONE, Way::Exception, &mut code)?;
        if let Some((id, kind)) = self.request.probes {
            let callee = self.refs.get(ProbeMethod::throw(kind), self.pool)?;
            let token = match self.request.token_local() {
                Some(local) => ProbeCode::default().local(opcode::ILOAD, local),
                None => ProbeCode::id(id, self.pool)?,
            };
            code.extend_from_slice(&token.call(callee).bytes());
        }
        if let Some(local) = self.request.task_local() {
            let callee = self.refs.get(ProbeMethod::TaskExit, self.pool)?;
            let load = ProbeCode::default().local(opcode::ILOAD, local);
            code.extend_from_slice(&load.call(callee).bytes());
        }
        let mut locals = Vec::new();
        self.request.handler_locals(uninitialized, &mut locals);
        code.push(opcode::ATHROW);
        let throwable = VerificationType::Object(self.refs.throwable(self.pool)?);
        self.splice.need_stack(2);
        let label = self.splice.block(&code, &locals, &[throwable]);
        blocks.insert((scope, uninitialized), label);
        Ok(label)
    }
}
