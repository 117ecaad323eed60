//! The flow pass: how objects move through a method, from where they are made, read or handed in to where they are used.
//!
//! Locals are one variable each for the whole method; the operand stack is followed instruction by instruction. Where
//! that cannot be done (subroutines, loops entered with operands) all of the method is one variable.

use crate::code::Reader;
use crate::descriptor::{Kind, kinds};
use crate::fast::FastMap;
use crate::mirror::access;
use crate::{InvokeKind, MethodRef, NameId, SigId};
use classfile_writer::{Code, Error, Instruction, PoolIx, Tag, opcode};

/// A variable of a method's flow.
pub(crate) type Var = u32;
/// Holds numbers and null.
pub(crate) const NOTHING: Var = 0;
/// Holds strings.
pub(crate) const STRING: Var = 1;
/// The first local variable; the others follow.
pub(crate) const LOCALS: Var = 2;

/// Methods of the JDK that find a field by its name.
const FIELD_LOOKUPS: &[&[u8]] = &[
    b"newUpdater",
    b"findVarHandle",
    b"findStaticVarHandle",
    b"findGetter",
    b"findSetter",
    b"findStaticGetter",
    b"findStaticSetter",
    b"getDeclaredField",
    b"getField",
    b"objectFieldOffset",
];

/// One movement of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// An object or array is made.
    New { to: Var, class: NameId },
    /// Any object of a class that code which is not looked into may have.
    Any { to: Var, class: NameId },
    /// A copy.
    Move { from: Var, to: Var },
    /// A copy of what is of the class.
    Cast { from: Var, to: Var, class: NameId },
    /// A field is read.
    Get { to: Var, owner: NameId, field: SigId },
    /// A field is written.
    Put { from: Var, owner: NameId, field: SigId },
    /// An array's element is read.
    Load { array: Var, to: Var },
    /// An array's element is written.
    Store { array: Var, from: Var },
    /// A call; where its arguments begin among the method's arguments, the receiver first.
    Call { kind: InvokeKind, target: MethodRef, args: u32, count: u32, to: Var },
    /// A lambda or method reference is made of captured values.
    Lambda { number: u32, args: u32, count: u32, to: Var },
    /// Goes to code that is not looked into.
    Escape { from: Var },
    /// A field of this name is read and written by reflection.
    Shared { name: NameId },
}

/// The flow of a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    /// How many variables it has; 0 for a method without code.
    pub(crate) vars: u32,
    /// What it returns.
    pub(crate) result: Var,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The flows of a class's methods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassFlow {
    pub(crate) methods: Vec<Flow>,
    pub(crate) steps: Vec<Step>,
    pub(crate) args: Vec<Var>,
    /// The fields that the class declares.
    pub(crate) fields: Vec<SigId>,
}

impl ClassFlow {
    pub(crate) fn steps(&self, flow: Flow) -> &[Step] {
        self.steps.get(flow.start as usize..(flow.start + flow.len) as usize).unwrap_or_default()
    }

    pub(crate) fn args(&self, start: u32, count: u32) -> &[Var] {
        self.args.get(start as usize..(start + count) as usize).unwrap_or_default()
    }
}

/// The stack cannot be followed.
struct Lost;

enum Stop {
    Lost,
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Lost> for Stop {
    fn from(_: Lost) -> Self {
        Self::Lost
    }
}

/// A method's flow in the making.
struct Tracer {
    result: Var,
    /// The next variable.
    next: Var,
    stack: Vec<Var>,
    /// Where the stack is not followed: the variable that stands for all.
    all: Option<Var>,
    reachable: bool,
    /// Stacks at the targets of jumps that are still to come.
    labels: FastMap<u32, Vec<Var>>,
}

impl Tracer {
    fn new(result: Var, all: Option<Var>) -> Self {
        let (stack, labels) = (Vec::new(), FastMap::default());
        Self { result, next: all.unwrap_or(result) + 1, stack, all, reachable: true, labels }
    }

    fn fresh(&mut self) -> Var {
        if let Some(all) = self.all {
            return all;
        }
        self.next += 1;
        self.next - 1
    }

    fn push(&mut self, var: Var) {
        if self.all.is_none() {
            self.stack.push(var);
        }
    }

    fn push_empty(&mut self, count: usize) {
        for _ in 0..count {
            self.push(NOTHING);
        }
    }

    fn pop(&mut self) -> Result<Var, Lost> {
        match self.all {
            Some(all) => Ok(all),
            None => self.stack.pop().ok_or(Lost),
        }
    }

    fn pops(&mut self, count: usize) -> Result<(), Lost> {
        for _ in 0..count {
            self.pop()?;
        }
        Ok(())
    }

    /// The last `count` entries are copied below the `under` entries under them.
    fn duplicate(&mut self, count: usize, under: usize) -> Result<(), Lost> {
        if self.all.is_some() {
            return Ok(());
        }
        let at = self.stack.len().checked_sub(count + under).ok_or(Lost)?;
        let copied: Vec<Var> = self.stack[at + under..].to_vec();
        self.stack.splice(at..at, copied);
        Ok(())
    }
}

impl Reader<'_, '_> {
    /// Lists the flow of a method.
    pub(crate) fn flow(&mut self, code: &Code<'_>, flags: u16, descriptor: &[u8]) -> Result<(), Error> {
        let (start, args) = (self.flows.steps.len(), self.flows.args.len());
        let result = LOCALS + u32::from(code.max_locals());
        let mut tracer = Tracer::new(result, None);
        let mut done = self.trace(code, &mut tracer);
        if matches!(done, Err(Stop::Lost)) {
            self.flows.steps.truncate(start);
            self.flows.args.truncate(args);
            let all = result + 1;
            tracer = Tracer::new(result, Some(all));
            for local in 0..parameter_slots(flags, descriptor).min(u32::from(code.max_locals())) {
                self.step(Step::Move { from: LOCALS + local, to: all });
            }
            self.step(Step::Move { from: STRING, to: all });
            self.step(Step::Move { from: all, to: result });
            done = self.trace(code, &mut tracer);
        }
        if let Err(Stop::Error(error)) = done {
            return Err(error);
        }
        if self.looks_up_fields {
            for at in 0..self.member_names.len() {
                let name = self.names.intern(self.member_names[at]);
                self.step(Step::Shared { name });
            }
        }
        let len = (self.flows.steps.len() - start) as u32;
        let flow = Flow { vars: tracer.next, result, start: start as u32, len };
        if let Some(last) = self.flows.methods.last_mut() {
            *last = flow;
        }
        Ok(())
    }

    fn step(&mut self, step: Step) {
        let moves_nothing = match step {
            Step::Move { from, to } => from == NOTHING || from == to,
            Step::Cast { from, .. } | Step::Put { from, .. } | Step::Store { from, .. } | Step::Escape { from } => {
                from == NOTHING
            }
            _ => false,
        };
        if !moves_nothing {
            self.flows.steps.push(step);
        }
    }

    fn trace(&mut self, code: &Code<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let mut handlers: FastMap<u32, Vec<PoolIx>> = FastMap::default();
        for entry in code.exceptions() {
            let types = handlers.entry(entry.handler.0).or_default();
            if !types.contains(&entry.catch_type) {
                types.push(entry.catch_type);
            }
        }
        for instruction in code.instructions() {
            let it = instruction?;
            if tracer.all.is_none()
                && let Some(waiting) = tracer.labels.remove(&it.bci.0)
            {
                self.meet(tracer, waiting)?;
            }
            if let Some(types) = handlers.get(&it.bci.0) {
                let caught = tracer.fresh();
                for &ix in types {
                    let class = match ix {
                        PoolIx(0) => self.names.intern(b"java/lang/Throwable"),
                        ix => self.names.intern(self.class.pool().class_name(ix)?),
                    };
                    self.step(Step::Any { to: caught, class });
                }
                if tracer.all.is_none() {
                    self.meet(tracer, vec![caught])?;
                }
            }
            // What only later jumps lead to begins with nothing on the stack.
            tracer.reachable = true;
            self.instruction(&it, tracer)?;
        }
        Ok(())
    }

    /// The stack that falls through meets that of jumps.
    fn meet(&mut self, tracer: &mut Tracer, other: Vec<Var>) -> Result<(), Lost> {
        if !tracer.reachable {
            tracer.stack = other;
            tracer.reachable = true;
            return Ok(());
        }
        let mut stack = std::mem::take(&mut tracer.stack);
        self.merge(tracer, &mut stack, &other)?;
        tracer.stack = stack;
        Ok(())
    }

    fn merge(&mut self, tracer: &mut Tracer, stack: &mut [Var], other: &[Var]) -> Result<(), Lost> {
        if stack.len() != other.len() {
            return Err(Lost);
        }
        for (one, &two) in stack.iter_mut().zip(other) {
            if *one != two {
                let both = tracer.fresh();
                self.step(Step::Move { from: *one, to: both });
                self.step(Step::Move { from: two, to: both });
                *one = both;
            }
        }
        Ok(())
    }

    fn jump(&mut self, tracer: &mut Tracer, from: u32, to: u32) -> Result<(), Lost> {
        if tracer.all.is_some() {
            return Ok(());
        }
        if to <= from {
            return if tracer.stack.is_empty() { Ok(()) } else { Err(Lost) };
        }
        match tracer.labels.remove(&to) {
            None => {
                tracer.labels.insert(to, tracer.stack.clone());
            }
            Some(mut known) => {
                let stack = tracer.stack.clone();
                self.merge(tracer, &mut known, &stack)?;
                tracer.labels.insert(to, known);
            }
        }
        Ok(())
    }

    fn end(&mut self, tracer: &mut Tracer) {
        tracer.stack.clear();
        tracer.reachable = false;
    }

    /// A variable for a value of a field descriptor, already on its way: nothing for numbers.
    fn value(&mut self, tracer: &mut Tracer, kind: Kind<'_>) -> Var {
        match kind {
            Kind::Number(_) => NOTHING,
            Kind::Class(b"java/lang/String") => STRING,
            Kind::Class(_) => tracer.fresh(),
        }
    }

    fn push_value(&mut self, tracer: &mut Tracer, kind: Kind<'_>, var: Var) {
        match kind {
            Kind::Number(slots) => tracer.push_empty(slots),
            Kind::Class(_) => tracer.push(var),
        }
    }

    fn instruction(&mut self, it: &Instruction<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let op = it.widened().unwrap_or(it.opcode);
        let local = |base: u8| it.local().map_or(u32::from(op.wrapping_sub(base)), u32::from);
        match op {
            0x01 => tracer.push(NOTHING),
            0x02..=0x08 | 0x0b..=0x0d | 0x10 | 0x11 | 0x15 | 0x17 | 0x1a..=0x1d | 0x22..=0x25 => tracer.push_empty(1),
            0x09 | 0x0a | 0x0e | 0x0f | 0x14 | 0x16 | 0x18 | 0x1e..=0x21 | 0x26..=0x29 => tracer.push_empty(2),
            opcode::LDC | opcode::LDC_W => self.loaded_constant(it, tracer)?,
            0x19 | 0x2a..=0x2d => {
                let var = LOCALS + local(0x2a);
                if let Some(all) = tracer.all {
                    self.step(Step::Move { from: var, to: all });
                }
                tracer.push(var);
            }
            // Of arrays: numbers.
            0x2e | 0x30 | 0x33..=0x35 => self.replace(tracer, 2, 1)?,
            0x2f | 0x31 => self.replace(tracer, 2, 2)?,
            0x32 => {
                tracer.pop()?;
                let array = tracer.pop()?;
                let to = tracer.fresh();
                self.step(Step::Load { array, to });
                tracer.push(to);
            }
            0x36 | 0x38 | 0x3b..=0x3e | 0x43..=0x46 | 0x57 | 0xc2 | 0xc3 => tracer.pops(1)?,
            0x37 | 0x39 | 0x3f..=0x42 | 0x47..=0x4a | 0x58 => tracer.pops(2)?,
            0x3a | 0x4b..=0x4e => {
                let from = tracer.pop()?;
                self.step(Step::Move { from, to: LOCALS + local(0x4b) });
            }
            0x4f | 0x51 | 0x54..=0x56 => tracer.pops(3)?,
            0x50 | 0x52 => tracer.pops(4)?,
            0x53 => {
                let from = tracer.pop()?;
                tracer.pop()?;
                let array = tracer.pop()?;
                self.step(Step::Store { array, from });
            }
            0x59 => tracer.duplicate(1, 0)?,
            0x5a => tracer.duplicate(1, 1)?,
            0x5b => tracer.duplicate(1, 2)?,
            0x5c => tracer.duplicate(2, 0)?,
            0x5d => tracer.duplicate(2, 1)?,
            0x5e => tracer.duplicate(2, 2)?,
            0x5f => {
                let (one, two) = (tracer.pop()?, tracer.pop()?);
                tracer.push(one);
                tracer.push(two);
            }
            0x60..=0x73 => match op & 1 {
                0 => self.replace(tracer, 2, 1)?,
                _ => self.replace(tracer, 4, 2)?,
            },
            0x78 | 0x7a | 0x7c | 0x7e | 0x80 | 0x82 | 0x95 | 0x96 => self.replace(tracer, 2, 1)?,
            0x79 | 0x7b | 0x7d => self.replace(tracer, 3, 2)?,
            0x7f | 0x81 | 0x83 => self.replace(tracer, 4, 2)?,
            0x85 | 0x87 | 0x8c | 0x8d => self.replace(tracer, 1, 2)?,
            0x88 | 0x89 | 0x8e | 0x90 => self.replace(tracer, 2, 1)?,
            0x94 | 0x97 | 0x98 => self.replace(tracer, 4, 1)?,
            0xbc | 0xbe | 0xc1 => self.replace(tracer, 1, 1)?,
            0x99..=0x9e | 0xc6 | 0xc7 | 0x9f..=0xa6 => {
                tracer.pops(if matches!(op, 0x9f..=0xa6) { 2 } else { 1 })?;
                if let Some(to) = it.branch_target() {
                    self.jump(tracer, it.bci.0, to.0)?;
                }
            }
            0xa7 | 0xc8 => {
                if let Some(to) = it.branch_target() {
                    self.jump(tracer, it.bci.0, to.0)?;
                }
                self.end(tracer);
            }
            0xa8 | 0xa9 | 0xc9 if tracer.all.is_none() => return Err(Stop::Lost),
            0xaa | 0xab => {
                tracer.pops(1)?;
                if let Some(switch) = it.switch() {
                    let targets = switch.cases().map(|case| case.1).chain([switch.default()]);
                    for to in targets.flatten() {
                        self.jump(tracer, it.bci.0, to.0)?;
                    }
                }
                self.end(tracer);
            }
            0xb0 => {
                let from = tracer.pop()?;
                self.step(Step::Move { from, to: tracer.result });
                self.end(tracer);
            }
            0xac..=0xaf | 0xb1 | 0xbf => self.end(tracer),
            opcode::GETSTATIC | opcode::PUTSTATIC | 0xb4 | 0xb5 => self.field(it, op, tracer)?,
            opcode::INVOKEVIRTUAL | opcode::INVOKESPECIAL | opcode::INVOKESTATIC | opcode::INVOKEINTERFACE => {
                self.call(it, op, tracer)?;
            }
            opcode::INVOKEDYNAMIC => self.dynamic_call(it, tracer)?,
            opcode::NEW => {
                let Some(ix) = it.pool_index() else { return Ok(()) };
                let class = self.names.intern(self.class.pool().class_name(ix)?);
                let to = tracer.fresh();
                self.step(Step::New { to, class });
                tracer.push(to);
            }
            0xbd | 0xc5 => self.new_array(it, op, tracer)?,
            0xc0 => {
                let Some(ix) = it.pool_index() else { return Ok(()) };
                let from = tracer.pop()?;
                match self.class.pool().class_name(ix)? {
                    b"java/lang/String" => tracer.push(STRING),
                    class => {
                        let class = self.names.intern(class);
                        let to = if from == NOTHING { NOTHING } else { tracer.fresh() };
                        self.step(Step::Cast { from, to, class });
                        tracer.push(to);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// In the place of numbers, and of arrays of numbers, come numbers.
    fn replace(&mut self, tracer: &mut Tracer, pops: usize, pushes: usize) -> Result<(), Lost> {
        tracer.pops(pops)?;
        tracer.push_empty(pushes);
        Ok(())
    }

    fn loaded_constant(&mut self, it: &Instruction<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let pool = self.class.pool();
        match pool.tag(ix) {
            Some(Tag::String) => tracer.push(STRING),
            Some(Tag::Class) => {
                let class = self.names.intern(b"java/lang/Class");
                let to = tracer.fresh();
                self.step(Step::New { to, class });
                tracer.push(to);
            }
            Some(Tag::Integer | Tag::Float) => tracer.push_empty(1),
            Some(Tag::Dynamic) => {
                let name_and_type = pool.name_and_type(pool.dynamic(ix)?.name_and_type)?;
                let descriptor = pool.utf8(name_and_type.descriptor)?;
                if let Some(kind) = kinds(descriptor).next() {
                    self.push_any(tracer, kind);
                }
            }
            _ => {
                let object = Kind::Class(b"java/lang/Object");
                self.push_any(tracer, object);
            }
        }
        Ok(())
    }

    fn push_any(&mut self, tracer: &mut Tracer, kind: Kind<'_>) {
        let to = self.value(tracer, kind);
        if let (Kind::Class(name), true) = (kind, to > STRING) {
            let class = self.names.intern(name);
            self.step(Step::Any { to, class });
        }
        self.push_value(tracer, kind, to);
    }

    fn field(&mut self, it: &Instruction<'_>, op: u8, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let texts = self.class.pool().member_names(ix)?;
        let Some(kind) = kinds(texts.descriptor).next() else { return Ok(()) };
        let read = op == opcode::GETSTATIC || op == 0xb4;
        let mut from = NOTHING;
        if !read {
            match kind {
                Kind::Number(slots) => tracer.pops(slots)?,
                Kind::Class(_) => from = tracer.pop()?,
            }
        }
        if op == 0xb4 || op == 0xb5 {
            tracer.pop()?;
        }
        let tracked = matches!(kind, Kind::Class(name) if name != b"java/lang/String");
        let (owner, field) = (self.names.intern(texts.class), self.names.sig_of(texts.name, texts.descriptor));
        if read {
            let to = self.value(tracer, kind);
            if tracked {
                self.step(Step::Get { to, owner, field });
            }
            self.push_value(tracer, kind, to);
        } else if tracked {
            self.step(Step::Put { from, owner, field });
        }
        Ok(())
    }

    /// Takes the arguments of a call from the stack; where they begin and how many they are.
    fn arguments(&mut self, tracer: &mut Tracer, parameters: &[u8], receiver: bool) -> Result<(u32, u32), Lost> {
        let mut args = Vec::new();
        let all: Vec<Kind<'_>> = kinds(parameters).collect();
        for kind in all.into_iter().rev() {
            match kind {
                Kind::Number(slots) => {
                    tracer.pops(slots)?;
                    args.push(NOTHING);
                }
                Kind::Class(_) => args.push(tracer.pop()?),
            }
        }
        if receiver {
            args.push(tracer.pop()?);
        }
        let start = self.flows.args.len() as u32;
        self.flows.args.extend(args.iter().rev());
        Ok((start, args.len() as u32))
    }

    fn call(&mut self, it: &Instruction<'_>, op: u8, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let texts = self.class.pool().member_names(ix)?;
        let target = self.reference(ix)?;
        self.looks_up_fields |= FIELD_LOOKUPS.contains(&texts.name);
        let kind = match op {
            opcode::INVOKEVIRTUAL => InvokeKind::Virtual,
            opcode::INVOKESPECIAL => InvokeKind::Special,
            opcode::INVOKESTATIC => InvokeKind::Static,
            _ => InvokeKind::Interface,
        };
        let (parameters, result) = crate::bootstrap::split(texts.descriptor);
        let (args, count) = self.arguments(tracer, parameters, kind != InvokeKind::Static)?;
        let to = match kinds(result).next() {
            Some(kind) => {
                let to = self.value(tracer, kind);
                self.push_value(tracer, kind, to);
                to
            }
            None => NOTHING,
        };
        let to = if to == STRING { NOTHING } else { to };
        self.step(Step::Call { kind, target, args, count, to });
        Ok(())
    }

    fn dynamic_call(&mut self, it: &Instruction<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let pool = self.class.pool();
        let name_and_type = pool.name_and_type(pool.dynamic(ix)?.name_and_type)?;
        let descriptor = pool.utf8(name_and_type.descriptor)?;
        let (parameters, result) = crate::bootstrap::split(descriptor);
        let (args, count) = self.arguments(tracer, parameters, false)?;
        if let Some(number) = self.lambda_at(ix) {
            let to = tracer.fresh();
            self.step(Step::Lambda { number, args, count, to });
            tracer.push(to);
            return Ok(());
        }
        for at in args..args + count {
            let from = self.flows.args[at as usize];
            self.step(Step::Escape { from });
        }
        self.flows.args.truncate(args as usize);
        for (owner, field) in self.components(ix)? {
            let to = tracer.fresh();
            self.step(Step::Get { to, owner, field });
            self.step(Step::Escape { from: to });
        }
        if let Some(kind) = kinds(result).next() {
            self.push_any(tracer, kind);
        }
        Ok(())
    }

    fn new_array(&mut self, it: &Instruction<'_>, op: u8, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let name = self.class.pool().class_name(ix)?;
        let to = tracer.fresh();
        let mut class = match (op, name.first()) {
            (0xc5, _) => name.to_vec(),
            (_, Some(b'[')) => [b"[", name].concat(),
            _ => [b"[L", name, b";"].concat(),
        };
        let dimensions = if op == 0xc5 { usize::from(it.bytes().get(3).copied().unwrap_or(1)) } else { 1 };
        tracer.pops(dimensions)?;
        tracer.push(to);
        let (mut array, mut left) = (to, dimensions);
        loop {
            let id = self.names.intern(&class);
            self.step(Step::New { to: array, class: id });
            left -= usize::from(left > 0);
            if left == 0 || !class.starts_with(b"[[") {
                return Ok(());
            }
            class.remove(0);
            let inner = tracer.fresh();
            self.step(Step::Store { array, from: inner });
            array = inner;
        }
    }
}

/// How many local variables the parameters take.
fn parameter_slots(flags: u16, descriptor: &[u8]) -> u32 {
    let (parameters, _) = crate::bootstrap::split(descriptor);
    let slots = kinds(parameters).map(|kind| if let Kind::Number(slots) = kind { slots as u32 } else { 1 });
    slots.sum::<u32>() + u32::from(flags & access::STATIC == 0)
}
