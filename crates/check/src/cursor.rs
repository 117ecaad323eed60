//! A way through the output's instructions, one after another, and what each of them is.

use crate::contract::Kind;
use crate::descriptor::is_load;
use crate::finding::Fault;
use crate::instruction::pushed;
use crate::read::Body;
use cafebabe::bytecode::Opcode;
use jfathom_plan::probe;

/// What an instruction of the output is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The original's instruction with this number.
    Original(usize),
    /// The entry probes.
    Entry,
    /// The probe before the switch over a continuation's label.
    Resumed,
    /// The exit probes before a return.
    Exit,
    /// The probe in an exception handler.
    Catch,
    /// The hand-off probe at a call.
    HandOff,
    /// A trampoline for branches out of reach of their target, or the jump over it.
    Island,
    /// The block at the end through which exceptions enter a handler that branches enter too.
    Stub,
    /// The block at the end that records an exception and rethrows it.
    Throw,
}

/// What the probe of an exception handler hears of the exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CatchProbe {
    /// The exception itself: for a handler of a named class.
    Exception,
    /// Nothing, as the handler is one of any exception.
    Any,
}

/// The probes of a method, as its entry shows them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub(crate) id: i32,
    pub(crate) kind: Kind,
    /// Whether the method is only counted.
    pub(crate) counted: bool,
    /// The local variable that keeps what the entry probe gave; none where it gives nothing.
    pub(crate) token: Option<u16>,
}

impl Own {
    /// Whether an instruction pushes what the other probes take: the token, in a root its id.
    fn is_token(&self, op: &Opcode<'_>) -> bool {
        self.token.map_or(pushed(op) == Some(self.id), |local| is_load(op, "I", local))
    }

    /// The same for the probes of handlers: in a root the complement of its id.
    fn is_catch_token(&self, op: &Opcode<'_>) -> bool {
        self.token.map_or(pushed(op) == Some(!self.id), |local| is_load(op, "I", local))
    }
}

/// Reads the output's instructions in order.
#[derive(Debug)]
pub(crate) struct Cursor<'c> {
    pub(crate) before: Body<'c>,
    pub(crate) after: Body<'c>,
    runtime: &'c str,
    /// What each instruction is that was passed.
    pub(crate) parts: Vec<Part>,
    pub(crate) own: Option<Own>,
    /// The id of the method's resumptions.
    pub(crate) resumed: Option<u32>,
    /// The local variable of the task probes.
    pub(crate) task: Option<u16>,
    /// The bci behind an entry probe that is jumped over.
    pub(crate) entry_frame: Option<usize>,
    /// The bci of the first call that should be marked as a hand-off, and is not.
    pub(crate) unmarked: Option<usize>,
}

impl<'c> Cursor<'c> {
    pub(crate) fn new(before: Body<'c>, after: Body<'c>, runtime: &'c str) -> Self {
        Self {
            before,
            after,
            runtime,
            parts: Vec::with_capacity(after.len()),
            own: None,
            resumed: None,
            task: None,
            entry_frame: None,
            unmarked: None,
        }
    }

    /// The first local variable that neither the original nor a probe so far uses.
    pub(crate) fn free_local(&self) -> u16 {
        let token = self.own.and_then(|own| own.token);
        let new = u16::from(self.task.is_some()) + u16::from(token.is_some());
        self.before.data.max_locals.saturating_add(new)
    }

    /// The runtime's class.
    pub(crate) fn runtime(&self) -> &'c str {
        self.runtime
    }

    /// Whether the runtime's class has a constant that says whether a session is open or to come.
    pub(crate) fn has_constant(&self) -> bool {
        self.runtime != probe::LIVE_CLASS
    }

    /// The number of the next instruction.
    pub(crate) fn at(&self) -> usize {
        self.parts.len()
    }

    /// Where the next instruction begins.
    pub(crate) fn bci(&self) -> usize {
        self.after.bci(self.at())
    }

    /// The instruction `ahead` of the next one.
    pub(crate) fn peek(&self, ahead: usize) -> Option<&'c Opcode<'c>> {
        self.after.op(self.at() + ahead)
    }

    /// Name and descriptor of the probe that the instruction `ahead` of the next one calls.
    pub(crate) fn probe(&self, ahead: usize) -> Option<(&'c str, &'c str)> {
        match self.peek(ahead)? {
            Opcode::Invokestatic(member) if member.class_name == self.runtime => {
                Some((&member.name_and_type.name, &member.name_and_type.descriptor))
            }
            _ => None,
        }
    }

    /// Passes `count` instructions that are `part`.
    pub(crate) fn take(&mut self, count: usize, part: Part) {
        self.parts.extend(std::iter::repeat_n(part, count));
    }

    /// Passes the next instruction, which must be of this kind; else `what` is said to be missing.
    pub(crate) fn must(
        &mut self,
        is_it: impl FnOnce(&Opcode<'_>) -> bool,
        part: Part,
        what: &str,
    ) -> Result<(), Fault> {
        match self.peek(0) {
            Some(op) if is_it(op) => {
                self.take(1, part);
                Ok(())
            }
            _ => Err(self.lacks(what)),
        }
    }

    /// Passes the call of a probe.
    pub(crate) fn must_call(
        &mut self,
        name: &str,
        descriptor: &str,
        part: Part,
    ) -> Result<(), Fault> {
        match self.probe(0) {
            Some(found) if found == (name, descriptor) => {
                self.take(1, part);
                Ok(())
            }
            _ => Err(self.lacks(&format!("the call of {name}{descriptor}"))),
        }
    }

    /// Passes the probe of an exception handler, if there is one. `own` is looked at only then.
    pub(crate) fn take_catch(
        &mut self,
        own: Result<Own, Fault>,
        part: Part,
    ) -> Result<Option<CatchProbe>, Fault> {
        let has_copy = matches!(self.peek(0), Some(Opcode::Dup))
            && self.probe(2) == Some((probe::HANDLE_CATCH, probe::HANDLE_CATCH_DESCRIPTOR));
        let (found, name, descriptor) = match has_copy {
            true => (CatchProbe::Exception, probe::HANDLE_CATCH, probe::HANDLE_CATCH_DESCRIPTOR),
            false if self.probe(1) == Some((probe::HANDLE_ANY, probe::ID)) => {
                (CatchProbe::Any, probe::HANDLE_ANY, probe::ID)
            }
            false => return Ok(None),
        };
        let own = own?;
        self.take(usize::from(has_copy), part);
        self.must(|op| own.is_catch_token(op), part, &format!("its token for {name}"))?;
        self.must_call(name, descriptor, part)?;
        Ok(Some(found))
    }

    /// Passes the push of the method's token and the call of its exit or throw probe.
    pub(crate) fn must_end(&mut self, own: Own, name: &str, part: Part) -> Result<(), Fault> {
        self.must(|op| own.is_token(op), part, &format!("its token for {name}"))?;
        self.must_call(name, probe::ID, part)
    }

    /// A fault at the next instruction: something is not there.
    pub(crate) fn lacks(&self, what: &str) -> Fault {
        Fault::at(self.bci(), format!("lacks {what}; there is {}", self.here()))
    }

    /// The next instruction, for people.
    pub(crate) fn here(&self) -> String {
        self.peek(0).map_or_else(|| "the end of the code".to_owned(), crate::mnemonic::text)
    }
}
