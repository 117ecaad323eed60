//! A method's code, followed instruction by instruction (JVMS 6.5).

use super::stack::Stack;
use super::value::{Texts, Value};
use super::{Call, Pattern, Summary, Use};
use crate::descriptor::{Kind, kinds};
use crate::fast_hash::FastMap;
use crate::mirror::access;
use crate::{Names, SigId};
use classfile_writer::{ClassFile, Error, Instruction, Member, PoolIx, Tag, opcode};

/// The most builders and arrays that are told apart in a method.
const MOST_OBJECTS: usize = 256;

/// A static field of the class, with what its initialiser stores there.
pub(super) type Static = (SigId, Value);

pub(super) struct Tracer<'c, 'n> {
    pub(super) class: &'c ClassFile<'c>,
    pub(super) names: &'n mut Names,
    /// What the initialiser stored, for the methods that read it.
    known: Vec<Static>,
    stored: Vec<Static>,
    pub(super) stack: Stack,
    locals: Vec<Option<Value>>,
    /// Stacks at the targets of jumps that are still to come.
    labels: FastMap<u32, Stack>,
    /// Whether the instruction before goes on here.
    falls_through: bool,
    pub(super) builders: Vec<Texts>,
    pub(super) arrays: Vec<Vec<Value>>,
    pub(super) summary: Summary,
}

impl<'c, 'n> Tracer<'c, 'n> {
    pub(super) fn new(class: &'c ClassFile<'c>, names: &'n mut Names, known: &[Static]) -> Self {
        Self {
            class,
            names,
            known: known.to_vec(),
            stored: Vec::new(),
            stack: Stack::default(),
            locals: Vec::new(),
            labels: FastMap::default(),
            falls_through: true,
            builders: Vec::new(),
            arrays: Vec::new(),
            summary: Summary::default(),
        }
    }

    pub(super) fn into_summary(self) -> Summary {
        self.summary
    }

    pub(super) fn into_statics(self) -> Vec<Static> {
        self.stored
    }

    /// Follows a method. What comes behind an instruction that cannot be read is left out: the code
    /// pass says so.
    pub(super) fn method(&mut self, method: &Member<'c>) {
        self.parameters(method);
        // The code pass lists code that cannot be read.
        let _ = self.code(method);
    }

    fn parameters(&mut self, method: &Member<'c>) {
        let mut references = 0;
        let mut next = || {
            references += 1;
            Some(Value::Parameter(references - 1))
        };
        if method.access & access::STATIC == 0 {
            self.locals.push(next());
        }
        for kind in kinds(crate::bootstrap::split(method.descriptor).0) {
            match kind {
                Kind::Number(slots) => self.locals.extend((0..slots).map(|_| Some(Value::Unknown))),
                Kind::Class(_) => self.locals.push(next()),
            }
        }
    }

    fn code(&mut self, method: &Member<'c>) -> Result<(), Error> {
        let Some(code) = method.code()? else { return Ok(()) };
        let handlers: Vec<u32> = code.exceptions().map(|entry| entry.handler.0).collect();
        for instruction in code.instructions() {
            let instruction = instruction?;
            let at = instruction.bci.0;
            match (self.labels.remove(&at), self.falls_through) {
                (Some(waiting), true) => self.stack.meet(&waiting),
                (Some(waiting), false) => self.stack = waiting,
                (None, _) => {}
            }
            if handlers.contains(&at) {
                self.stack = Stack(vec![Value::Unknown]);
            }
            self.falls_through = true;
            self.instruction(&instruction)?;
        }
        Ok(())
    }

    fn instruction(&mut self, it: &Instruction<'c>) -> Result<(), Error> {
        let op = it.widened().unwrap_or(it.opcode);
        let local =
            |base: u8| it.local().map_or(usize::from(op.wrapping_sub(base) & 3), usize::from);
        let stack = &mut self.stack;
        match op {
            opcode::ACONST_NULL => stack.push_unknown(1),
            opcode::ICONST_M1..=opcode::ICONST_5 => {
                stack.push(Value::Number(i32::from(op) - i32::from(opcode::ICONST_0)))
            }
            opcode::BIPUSH | opcode::SIPUSH => {
                stack.push(
                    it.immediate()
                        .map_or(Value::Unknown, |number| Value::Number(i32::from(number))),
                );
            }
            0x0b..=0x0d | 0x15 | 0x17 | 0x1a..=0x1d | 0x22..=0x25 => stack.push_unknown(1),
            0x09 | 0x0a | 0x0e | 0x0f | 0x14 | 0x16 | 0x18 | 0x1e..=0x21 | 0x26..=0x29 => {
                stack.push_unknown(2)
            }
            opcode::LDC | opcode::LDC_W => self.constant(it)?,
            0x19 | 0x2a..=0x2d => {
                let known = self.locals.get(local(0x2a)).cloned().flatten();
                stack.push(known.unwrap_or(Value::Unknown));
            }
            0x2e | 0x30 | 0x32..=0x35 => stack.replace(2, 1),
            0x2f | 0x31 => stack.replace(2, 2),
            0x36 | 0x38 | 0x3b..=0x3e | 0x43..=0x46 | 0x57 | 0xc2 | 0xc3 => stack.pops(1),
            0x37 | 0x39 | 0x3f..=0x42 | 0x47..=0x4a | 0x58 => stack.pops(2),
            0x3a | 0x4b..=0x4e => {
                let value = stack.pop();
                self.store(local(0x4b), value);
            }
            0x4f | 0x51 | 0x54..=0x56 => stack.pops(3),
            0x50 | 0x52 => stack.pops(4),
            0x53 => {
                let value = stack.pop();
                stack.pops(1);
                if let Value::Array(number) = stack.pop()
                    && let Some(elements) = self.arrays.get_mut(number)
                {
                    elements.push(value);
                }
            }
            0x59 => stack.duplicate(1, 0),
            0x5a => stack.duplicate(1, 1),
            0x5b => stack.duplicate(1, 2),
            0x5c => stack.duplicate(2, 0),
            0x5d => stack.duplicate(2, 1),
            0x5e => stack.duplicate(2, 2),
            0x5f => {
                let (one, two) = (stack.pop(), stack.pop());
                stack.push(one);
                stack.push(two);
            }
            0x60..=0x73 if op & 1 == 0 => stack.replace(2, 1),
            0x60..=0x73 => stack.replace(4, 2),
            // Negations leave the stack as deep as it was.
            0x74..=0x77 => stack.replace(usize::from(1 + (op & 1)), usize::from(1 + (op & 1))),
            0x78 | 0x7a | 0x7c | 0x7e | 0x80 | 0x82 | 0x95 | 0x96 => stack.replace(2, 1),
            0x79 | 0x7b | 0x7d => stack.replace(3, 2),
            0x7f | 0x81 | 0x83 => stack.replace(4, 2),
            0x85 | 0x87 | 0x8c | 0x8d => stack.replace(1, 2),
            0x88 | 0x89 | 0x8e | 0x90 => stack.replace(2, 1),
            0x8a | 0x8f => stack.replace(2, 2),
            0x94 | 0x97 | 0x98 => stack.replace(4, 1),
            // A character stays what it is.
            0x92 => {}
            0x86 | 0x8b | 0x91 | 0x93 | 0xbc | 0xbe | 0xc1 => stack.replace(1, 1),
            0x99..=0x9e | 0xc6 | 0xc7 | 0x9f..=0xa6 => {
                stack.pops(if matches!(op, 0x9f..=0xa6) { 2 } else { 1 });
                self.jump(it.bci.0, it.branch_target().map(|to| to.0));
            }
            0xa7 | 0xc8 => {
                self.jump(it.bci.0, it.branch_target().map(|to| to.0));
                self.end();
            }
            0xa8 | 0xc9 => {
                self.stack.push_unknown(1);
                self.jump(it.bci.0, it.branch_target().map(|to| to.0));
                self.stack.pops(1);
            }
            0xaa | 0xab => {
                stack.pops(1);
                if let Some(switch) = it.switch() {
                    for to in switch.cases().map(|case| case.1).chain([switch.default()]) {
                        self.jump(it.bci.0, to.map(|to| to.0));
                    }
                }
                self.end();
            }
            0xa9 | 0xac..=0xb1 | 0xbf => self.end(),
            opcode::GETSTATIC | opcode::PUTSTATIC | 0xb4 | 0xb5 => self.field(it, op)?,
            opcode::INVOKEVIRTUAL
            | opcode::INVOKESPECIAL
            | opcode::INVOKESTATIC
            | opcode::INVOKEINTERFACE => {
                self.call(it, op)?;
            }
            opcode::INVOKEDYNAMIC => self.dynamic_call(it)?,
            opcode::NEW => {
                let Some(ix) = it.pool_index() else { return Ok(()) };
                let value = self.new_object(ix)?;
                self.stack.push(value);
            }
            0xbd => {
                stack.pops(1);
                let array = match self.arrays.len() {
                    count if count < MOST_OBJECTS => Value::Array(count),
                    _ => Value::Unknown,
                };
                self.arrays.push(Vec::new());
                self.stack.push(array);
            }
            0xc5 => {
                stack.pops(usize::from(it.bytes().get(3).copied().unwrap_or(1)));
                stack.push_unknown(1);
            }
            // checkcast changes no value; nop, iinc and what is no instruction do nothing here.
            _ => {}
        }
        Ok(())
    }

    fn new_object(&mut self, ix: PoolIx) -> Result<Value, Error> {
        let name = self.class.pool().class_name(ix)?;
        if matches!(name, b"java/lang/StringBuilder" | b"java/lang/StringBuffer")
            && self.builders.len() < MOST_OBJECTS
        {
            self.builders.push(Texts::one(Pattern::text(b"")));
            return Ok(Value::Builder(self.builders.len() - 1));
        }
        Ok(Value::Object(self.names.intern(name)))
    }

    fn constant(&mut self, it: &Instruction<'c>) -> Result<(), Error> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let pool = self.class.pool();
        let value = match pool.tag(ix) {
            Some(Tag::String) => Value::Text(Texts::one(Pattern::text(pool.string(ix)?))),
            Some(Tag::Class) => Value::Class(self.names.intern(pool.class_name(ix)?)),
            Some(Tag::Integer) => Value::Number(pool.integer(ix)?),
            _ => Value::Unknown,
        };
        self.stack.push(value);
        Ok(())
    }

    /// A local keeps all that is stored in it anywhere.
    fn store(&mut self, local: usize, value: Value) {
        if local >= self.locals.len() {
            self.locals.resize(local + 1, None);
        }
        let slot = &mut self.locals[local];
        *slot = Some(slot.as_ref().map_or_else(|| value.clone(), |known| known.or(&value)));
    }

    fn field(&mut self, it: &Instruction<'c>, op: u8) -> Result<(), Error> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let member = self.class.pool().member_names(ix)?;
        let slots = match kinds(member.descriptor).next() {
            Some(Kind::Number(slots)) => slots,
            _ => 1,
        };
        if op == 0xb4 || op == 0xb5 {
            self.stack.pops(if op == 0xb5 { slots + 1 } else { 1 });
            self.stack.push_unknown(if op == 0xb4 { slots } else { 0 });
            return Ok(());
        }
        let own = self.class.name().is_ok_and(|name| name == member.class);
        if slots != 1 || !own {
            match op {
                opcode::GETSTATIC => self.stack.push_unknown(slots),
                _ => self.stack.pops(slots),
            }
            return Ok(());
        }
        let field = self.names.sig_of(member.name, member.descriptor);
        if op == opcode::GETSTATIC {
            let known = self.known.iter().chain(&self.stored).find(|known| known.0 == field);
            let value = known.map_or(Value::Unknown, |(_, value)| value.clone());
            self.stack.push(value);
            return Ok(());
        }
        // Builders and arrays are numbered by method.
        let value = match self.stack.pop() {
            Value::Builder(_) | Value::Array(_) => Value::Unknown,
            value => value,
        };
        match self.stored.iter_mut().find(|stored| stored.0 == field) {
            Some(known) => known.1 = known.1.or(&value),
            None => self.stored.push((field, value)),
        }
        Ok(())
    }

    fn jump(&mut self, from: u32, to: Option<u32>) {
        // At targets of backward jumps the values of the first way stay.
        let Some(to) = to.filter(|&to| to > from) else { return };
        match self.labels.get_mut(&to) {
            Some(known) => known.meet(&self.stack),
            None => {
                self.labels.insert(to, self.stack.clone());
            }
        }
    }

    fn end(&mut self) {
        self.stack.0.clear();
        self.falls_through = false;
    }

    pub(super) fn uses(&mut self, found: Use) {
        if !self.summary.uses.contains(&found) {
            self.summary.uses.push(found);
        }
    }

    pub(super) fn calls(&mut self, sig: SigId, arguments: Vec<Value>) {
        if arguments.iter().any(|value| !value.is_unknown()) {
            self.summary.calls.push(Call { sig, arguments });
        } else if !arguments.is_empty() {
            self.summary.blind_calls.insert(sig);
        }
    }
}
