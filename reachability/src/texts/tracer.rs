//! Follows a method's code, instruction by instruction (JVMS 6.5).

use super::stack::Stack;
use super::value::{Texts, Value};
use super::{Call, Pattern, Summary, Use};
use crate::descriptor::{Kind, kinds};
use crate::mirror::access;
use crate::{Names, SigId};
use classfile_writer::{ClassFile, Error, Instruction, Member, PoolIx, Tag, opcode};
use rustc_hash::FxHashMap;

/// Bound on the builders and arrays of a method. Further ones are unknown.
const MOST_OBJECTS: usize = 256;

/// A static field of the class, and the value that its initialiser stores there.
pub(super) type Static = (SigId, Value);

pub(super) struct Tracer<'c, 'n> {
    pub(super) class: &'c ClassFile<'c>,
    pub(super) names: &'n mut Names,
    /// Values that the initialiser stored. Methods read them.
    known: Vec<Static>,
    stored: Vec<Static>,
    pub(super) stack: Stack,
    locals: Vec<Option<Value>>,
    /// Stacks at the targets of forward jumps.
    labels: FxHashMap<u32, Stack>,
    /// Whether the previous instruction continues here.
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
            labels: FxHashMap::default(),
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

    /// Follows a method, as far as its code can be read.
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

    fn instruction(&mut self, instruction: &Instruction<'c>) -> Result<(), Error> {
        let op = instruction.widened().unwrap_or(instruction.opcode);
        let local = |base: u8| {
            instruction.local().map_or(usize::from(op.wrapping_sub(base) & 3), usize::from)
        };
        let stack = &mut self.stack;
        match op {
            opcode::ACONST_NULL => stack.push_unknown(1),
            opcode::ICONST_M1..=opcode::ICONST_5 => {
                stack.push(Value::Number(i32::from(op) - i32::from(opcode::ICONST_0)))
            }
            opcode::BIPUSH | opcode::SIPUSH => {
                stack.push(
                    instruction
                        .immediate()
                        .map_or(Value::Unknown, |number| Value::Number(i32::from(number))),
                );
            }
            opcode::FCONST_0..=opcode::FCONST_2
            | opcode::ILOAD
            | opcode::FLOAD
            | opcode::ILOAD_0..=opcode::ILOAD_3
            | opcode::FLOAD_0..=opcode::FLOAD_3 => stack.push_unknown(1),
            opcode::LCONST_0
            | opcode::LCONST_1
            | opcode::DCONST_0
            | opcode::DCONST_1
            | opcode::LDC2_W
            | opcode::LLOAD
            | opcode::DLOAD
            | opcode::LLOAD_0..=opcode::LLOAD_3
            | opcode::DLOAD_0..=opcode::DLOAD_3 => stack.push_unknown(2),
            opcode::LDC | opcode::LDC_W => self.constant(instruction)?,
            opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => {
                let known = self.locals.get(local(opcode::ALOAD_0)).cloned().flatten();
                stack.push(known.unwrap_or(Value::Unknown));
            }
            opcode::IALOAD | opcode::FALOAD | opcode::AALOAD..=opcode::SALOAD => {
                stack.replace(2, 1)
            }
            opcode::LALOAD | opcode::DALOAD => stack.replace(2, 2),
            opcode::ISTORE
            | opcode::FSTORE
            | opcode::ISTORE_0..=opcode::ISTORE_3
            | opcode::FSTORE_0..=opcode::FSTORE_3
            | opcode::POP
            | opcode::MONITORENTER
            | opcode::MONITOREXIT => stack.pops(1),
            opcode::LSTORE
            | opcode::DSTORE
            | opcode::LSTORE_0..=opcode::LSTORE_3
            | opcode::DSTORE_0..=opcode::DSTORE_3
            | opcode::POP2 => stack.pops(2),
            opcode::ASTORE | opcode::ASTORE_0..=opcode::ASTORE_3 => {
                let value = stack.pop();
                self.store(local(opcode::ASTORE_0), value);
            }
            opcode::IASTORE | opcode::FASTORE | opcode::BASTORE..=opcode::SASTORE => stack.pops(3),
            opcode::LASTORE | opcode::DASTORE => stack.pops(4),
            opcode::AASTORE => {
                let value = stack.pop();
                stack.pops(1);
                if let Value::Array(number) = stack.pop()
                    && let Some(elements) = self.arrays.get_mut(number)
                {
                    elements.push(value);
                }
            }
            opcode::DUP => stack.duplicate(1, 0),
            opcode::DUP_X1 => stack.duplicate(1, 1),
            opcode::DUP_X2 => stack.duplicate(1, 2),
            opcode::DUP2 => stack.duplicate(2, 0),
            opcode::DUP2_X1 => stack.duplicate(2, 1),
            opcode::DUP2_X2 => stack.duplicate(2, 2),
            opcode::SWAP => {
                let (one, two) = (stack.pop(), stack.pop());
                stack.push(one);
                stack.push(two);
            }
            opcode::IADD..=opcode::DREM if op & 1 == 0 => stack.replace(2, 1),
            opcode::IADD..=opcode::DREM => stack.replace(4, 2),
            // A negation leaves the depth of the stack.
            opcode::INEG..=opcode::DNEG => {
                stack.replace(usize::from(1 + (op & 1)), usize::from(1 + (op & 1)))
            }
            opcode::ISHL
            | opcode::ISHR
            | opcode::IUSHR
            | opcode::IAND
            | opcode::IOR
            | opcode::IXOR
            | opcode::FCMPL
            | opcode::FCMPG => stack.replace(2, 1),
            opcode::LSHL | opcode::LSHR | opcode::LUSHR => stack.replace(3, 2),
            opcode::LAND | opcode::LOR | opcode::LXOR => stack.replace(4, 2),
            opcode::I2L | opcode::I2D | opcode::F2L | opcode::F2D => stack.replace(1, 2),
            opcode::L2I | opcode::L2F | opcode::D2I | opcode::D2F => stack.replace(2, 1),
            opcode::L2D | opcode::D2L => stack.replace(2, 2),
            opcode::LCMP | opcode::DCMPL | opcode::DCMPG => stack.replace(4, 1),
            // A character keeps its number.
            opcode::I2C => {}
            opcode::I2F
            | opcode::F2I
            | opcode::I2B
            | opcode::I2S
            | opcode::NEWARRAY
            | opcode::ARRAYLENGTH
            | opcode::INSTANCEOF => stack.replace(1, 1),
            opcode::IFEQ..=opcode::IFLE
            | opcode::IFNULL
            | opcode::IFNONNULL
            | opcode::IF_ICMPEQ..=opcode::IF_ACMPNE => {
                stack.pops(if matches!(op, opcode::IF_ICMPEQ..=opcode::IF_ACMPNE) { 2 } else { 1 });
                self.jump(instruction.bci.0, instruction.branch_target().map(|to| to.0));
            }
            opcode::GOTO | opcode::GOTO_W => {
                self.jump(instruction.bci.0, instruction.branch_target().map(|to| to.0));
                self.end();
            }
            opcode::JSR | opcode::JSR_W => {
                self.stack.push_unknown(1);
                self.jump(instruction.bci.0, instruction.branch_target().map(|to| to.0));
                self.stack.pops(1);
            }
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                stack.pops(1);
                if let Some(switch) = instruction.switch() {
                    for to in switch.cases().map(|case| case.1).chain([switch.default()]) {
                        self.jump(instruction.bci.0, to.map(|to| to.0));
                    }
                }
                self.end();
            }
            opcode::RET | opcode::IRETURN..=opcode::RETURN | opcode::ATHROW => self.end(),
            opcode::GETSTATIC | opcode::PUTSTATIC | opcode::GETFIELD | opcode::PUTFIELD => {
                self.field(instruction, op)?
            }
            opcode::INVOKEVIRTUAL
            | opcode::INVOKESPECIAL
            | opcode::INVOKESTATIC
            | opcode::INVOKEINTERFACE => {
                self.call(instruction, op)?;
            }
            opcode::INVOKEDYNAMIC => self.dynamic_call(instruction)?,
            opcode::NEW => {
                let Some(ix) = instruction.pool_index() else { return Ok(()) };
                let value = self.new_object(ix)?;
                self.stack.push(value);
            }
            opcode::ANEWARRAY => {
                stack.pops(1);
                let array = match self.arrays.len() {
                    count if count < MOST_OBJECTS => Value::Array(count),
                    _ => Value::Unknown,
                };
                self.arrays.push(Vec::new());
                self.stack.push(array);
            }
            opcode::MULTIANEWARRAY => {
                stack.pops(usize::from(instruction.bytes().get(3).copied().unwrap_or(1)));
                stack.push_unknown(1);
            }
            // checkcast does not change the value. nop, iinc and undefined opcodes have no effect
            // here.
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

    fn constant(&mut self, instruction: &Instruction<'c>) -> Result<(), Error> {
        let Some(ix) = instruction.pool_index() else { return Ok(()) };
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

    fn field(&mut self, instruction: &Instruction<'c>, op: u8) -> Result<(), Error> {
        let Some(ix) = instruction.pool_index() else { return Ok(()) };
        let member = self.class.pool().member_names(ix)?;
        let slots = match kinds(member.descriptor).next() {
            Some(Kind::Number(slots)) => slots,
            _ => 1,
        };
        if op == opcode::GETFIELD || op == opcode::PUTFIELD {
            self.stack.pops(if op == opcode::PUTFIELD { slots + 1 } else { 1 });
            self.stack.push_unknown(if op == opcode::GETFIELD { slots } else { 0 });
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
        // The target of a backward jump keeps the values of its first visit.
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
