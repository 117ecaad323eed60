//! Code digests: hashes of methods' symbolic instructions.
//!
//! What goes in: opcodes (`ldc`/`ldc_w`, `goto`/`goto_w` and `jsr`/`jsr_w` count as one), operands
//! as names and constants, branch targets as distances in instructions, the exception table in the
//! same terms. What stays out: pool indices, debug tables, stack maps, the name of the class
//! itself, and the running numbers of `lambda$x$N` and `access$N`, which change when unrelated code
//! does.
//!
//! Digests are part of manifests and profiles, so what goes in must not change without a new
//! manifest version.

mod steps;

use crate::blocking_calls::is_blocking;
use crate::calls::CallCollector;
use crate::member_refs::MemberRefs;
use classfile_writer::{
    Bci, ClassFile, Code, ConstantPool, Instruction, PoolIx, Tag, opcode, opcode::Operands,
};
use jfathom_plan::{Digest, DigestHasher};
use steps::{Form, STEPS, neutral_opcode};

/// How deep bootstrap arguments are followed; dynamic constants may refer to one another.
const DEPTH: u32 = 8;

/// Work on static arguments of bootstrap methods in one class: arguments, and bytes of names and
/// descriptors below them. Dynamic constants that share arguments could ask for more than any
/// machine can do; real classes have some thousands.
const MAX_WORK: u32 = 1 << 24;

/// Buffers for the digests of one class's methods.
#[derive(Debug, Default)]
pub(crate) struct Digester {
    /// The class's name.
    own: Vec<u8>,
    /// Symbolic hash of each pool entry; 0 before it is computed.
    entries: Vec<u64>,
    /// Methods that may wait, among those whose hash was computed.
    blocking: MemberRefs,
    /// Number of the instruction that begins at each bci.
    numbers: Vec<u32>,
    /// Instruction number and target bci of each jump, in order.
    jumps: Vec<(u32, Bci)>,
    /// A name or descriptor without the class's own name.
    text: Vec<u8>,
    /// Where each bootstrap method's entry begins in the attribute; empty until asked for.
    bootstraps: Option<Vec<usize>>,
    /// What is left of [`MAX_WORK`].
    work_left: u32,
    /// The calls of the method since [`CallCollector::end_method`].
    pub(crate) calls: CallCollector,
}

/// Marks a bci at which no instruction begins.
const NO_INSTRUCTION: u32 = u32::MAX;

impl Digester {
    /// Begins with another class; to be called once for each class.
    pub(crate) fn begin(&mut self, class: &ClassFile<'_>) {
        self.own.clear();
        self.own.extend_from_slice(class.name().unwrap_or_default());
        self.blocking.clear();
        self.entries.clear();
        self.entries.resize(usize::from(class.pool().count()), 0);
        self.bootstraps = None;
        self.work_left = MAX_WORK;
        self.calls.begin(class);
    }

    /// The digest of one method of the class that was begun with, and whether the method may wait
    /// for other threads.
    pub(crate) fn digest(&mut self, class: &ClassFile<'_>, code: &Code<'_>) -> (Digest, bool) {
        let mut waits = false;
        let mut hasher = DigestHasher::default();
        let bytes = code.bytes();
        self.numbers.clear();
        self.numbers.resize(bytes.len() + 1, NO_INSTRUCTION);
        self.jumps.clear();
        let mut count = 0;
        let mut at = 0;
        while let Some(&opcode) = bytes.get(at) {
            let step = STEPS[usize::from(opcode)];
            let end = at + usize::from(step.length);
            let word = u64::from(step.opcode);
            let operand = bytes.get(at + 1).map_or(0, |&byte| byte & step.operand);
            self.numbers[at] = count;
            match step.form {
                Form::Plain if end <= bytes.len() => {
                    hasher.word(word | u64::from(operand) << 8);
                    at = end;
                }
                Form::Pool if end <= bytes.len() => {
                    let ix = PoolIx(u2(bytes, at + 1).unwrap_or(0));
                    let entry = self.entry(class, ix, 0);
                    if (opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE).contains(&opcode) {
                        self.calls.invoke(class, ix);
                        waits |= !self.blocking.is_empty() && self.blocking.contains(ix);
                    } else if opcode == opcode::INVOKEDYNAMIC {
                        self.calls.invoke_dynamic();
                    }
                    hasher.word(word);
                    hasher.word(entry);
                    at = end;
                }
                Form::PoolByte if end <= bytes.len() => {
                    let entry = self.entry(class, PoolIx(u16::from(operand)), 0);
                    hasher.word(word);
                    hasher.word(entry);
                    at = end;
                }
                Form::Branch if end <= bytes.len() => {
                    let offset = u2(bytes, at + 1).unwrap_or(0) as i16;
                    let target = at.wrapping_add_signed(isize::from(offset));
                    // The position behind the code has a number, but nothing jumps there.
                    let target = if target < bytes.len() { target as u32 } else { NO_INSTRUCTION };
                    hasher.word(word);
                    self.jumps.push((count, Bci(target)));
                    at = end;
                }
                Form::Number if end <= bytes.len() => {
                    let number = i16::from(operand as i8) as u16;
                    hasher.word(word | u64::from(number) << 24);
                    at = end;
                }
                _ => {
                    let Ok(instruction) = code.instruction_at(Bci(at as u32)) else {
                        self.numbers[at] = NO_INSTRUCTION;
                        hasher.word(u64::MAX);
                        break;
                    };
                    self.instruction(class, &instruction, count, &mut hasher);
                    at = instruction.end().0 as usize;
                }
            }
            count += 1;
        }
        self.numbers[bytes.len()] = count;
        for i in 0..self.jumps.len() {
            let (from, target) = self.jumps[i];
            hasher.word(u64::from(self.number(target).wrapping_sub(from)));
        }
        for entry in code.exceptions() {
            for bci in [entry.start, entry.end, entry.handler] {
                hasher.word(u64::from(self.number(bci)));
            }
            hasher.word(if entry.catch_type == PoolIx(0) {
                0
            } else {
                self.entry(class, entry.catch_type, 0)
            });
        }
        (hasher.finish(), waits)
    }

    fn number(&self, bci: Bci) -> u32 {
        self.numbers.get(bci.0 as usize).copied().unwrap_or(NO_INSTRUCTION)
    }

    fn instruction(
        &mut self,
        class: &ClassFile<'_>,
        instruction: &Instruction<'_>,
        number: u32,
        hasher: &mut DigestHasher,
    ) {
        let opcode = match instruction.opcode {
            opcode::WIDE => instruction.widened().unwrap_or(opcode::WIDE),
            other => neutral_opcode(other),
        };
        let op = u64::from(opcode);
        match instruction.operands() {
            Operands::None => hasher.word(op),
            Operands::Branch | Operands::BranchWide => {
                hasher.word(op);
                self.jumps
                    .push((number, instruction.branch_target().unwrap_or(Bci(NO_INSTRUCTION))));
            }
            Operands::TableSwitch | Operands::LookupSwitch => {
                hasher.word(op);
                if let Some(switch) = instruction.switch() {
                    hasher.word(u64::from(switch.case_count()));
                    self.jumps.push((number, switch.default().unwrap_or(Bci(NO_INSTRUCTION))));
                    for (value, target) in switch.cases() {
                        hasher.word(value as u32 as u64);
                        self.jumps.push((number, target.unwrap_or(Bci(NO_INSTRUCTION))));
                    }
                }
            }
            Operands::Byte
            | Operands::Short
            | Operands::Local
            | Operands::LocalIncrement
            | Operands::Wide => {
                let local = u64::from(instruction.local().unwrap_or(0));
                let number = u64::from(instruction.immediate().unwrap_or(0) as u16);
                hasher.word(op | local << 8 | number << 24);
            }
            Operands::ArrayType => {
                hasher.word(op | u64::from(instruction.bytes().get(1).copied().unwrap_or(0)) << 8)
            }
            Operands::PoolByte
            | Operands::Pool
            | Operands::InvokeInterface
            | Operands::InvokeDynamic => {
                let entry = instruction.pool_index().map_or(0, |ix| self.entry(class, ix, 0));
                hasher.word(op);
                hasher.word(entry);
            }
            Operands::PoolDimensions => {
                let entry = instruction.pool_index().map_or(0, |ix| self.entry(class, ix, 0));
                hasher.word(op | u64::from(instruction.bytes().get(3).copied().unwrap_or(0)) << 8);
                hasher.word(entry);
            }
        }
    }

    /// The symbolic hash of a pool entry. Equal content has an equal hash, whatever the indices.
    #[inline]
    fn entry(&mut self, class: &ClassFile<'_>, ix: PoolIx, depth: u32) -> u64 {
        match self.entries.get(usize::from(ix.0)) {
            Some(&known) if known != 0 => known,
            Some(_) if depth < DEPTH => self.new_entry(class, ix, depth),
            _ => 1,
        }
    }

    #[inline(never)]
    fn new_entry(&mut self, class: &ClassFile<'_>, ix: PoolIx, depth: u32) -> u64 {
        let mut hasher = DigestHasher::default();
        let hash = match self.hash_entry(class, ix, depth, &mut hasher) {
            Some(()) => hasher.finish().0.max(2),
            None => 1,
        };
        // A hash that a limit cut off must not serve shallower uses.
        if depth == 0 || !may_nest(class.pool().tag(ix)) {
            self.entries[usize::from(ix.0)] = hash;
        }
        hash
    }

    fn hash_entry(
        &mut self,
        class: &ClassFile<'_>,
        ix: PoolIx,
        depth: u32,
        hasher: &mut DigestHasher,
    ) -> Option<()> {
        let pool = class.pool();
        let tag = pool.tag(ix)?;
        hasher.word(tag as u64);
        match tag {
            Tag::Utf8 => hasher.bytes(pool.utf8(ix).ok()?),
            Tag::Integer => hasher.word(u64::from(pool.integer(ix).ok()? as u32)),
            Tag::Float => hasher.word(u64::from(pool.float(ix).ok()?.to_bits())),
            Tag::Long => hasher.word(pool.long(ix).ok()? as u64),
            Tag::Double => hasher.word(pool.double(ix).ok()?.to_bits()),
            Tag::String => hasher.bytes(pool.string(ix).ok()?),
            Tag::Class => self.class_name(pool.class_name(ix).ok()?, hasher),
            Tag::MethodType => self.descriptor(pool.method_type(ix).ok()?, hasher),
            Tag::Fieldref | Tag::Methodref | Tag::InterfaceMethodref => {
                let names = pool.member_names(ix).ok()?;
                if tag != Tag::Fieldref && is_blocking(&names) {
                    self.blocking.add(ix);
                }
                self.class_name(names.class, hasher);
                hasher.bytes(neutral_name(names.name));
                self.descriptor(names.descriptor, hasher);
            }
            Tag::NameAndType => self.name_and_type(pool, ix, hasher)?,
            Tag::MethodHandle => {
                let handle = pool.method_handle(ix).ok()?;
                hasher.word(u64::from(handle.kind));
                hasher.word(self.entry(class, handle.reference, depth + 1));
            }
            Tag::Dynamic | Tag::InvokeDynamic => {
                let dynamic = pool.dynamic(ix).ok()?;
                self.name_and_type(pool, dynamic.name_and_type, hasher)?;
                self.bootstrap(class, dynamic.bootstrap, depth, hasher)?;
            }
            Tag::Module => hasher.bytes(pool.module_name(ix).ok()?),
            Tag::Package => hasher.bytes(pool.package_name(ix).ok()?),
        }
        Some(())
    }

    fn name_and_type(
        &mut self,
        pool: &ConstantPool<'_>,
        ix: PoolIx,
        hasher: &mut DigestHasher,
    ) -> Option<()> {
        let both = pool.name_and_type(ix).ok()?;
        let (name, descriptor) = (pool.utf8(both.name).ok()?, pool.utf8(both.descriptor).ok()?);
        let bytes = u32::try_from(name.len() + descriptor.len()).ok()?;
        self.work_left = self.work_left.checked_sub(bytes)?;
        hasher.bytes(neutral_name(name));
        self.descriptor(descriptor, hasher);
        Some(())
    }

    /// The bootstrap method and its static arguments (JVMS 4.7.23).
    fn bootstrap(
        &mut self,
        class: &ClassFile<'_>,
        index: u16,
        depth: u32,
        hasher: &mut DigestHasher,
    ) -> Option<()> {
        let info = class.attributes().find(b"BootstrapMethods")?.info;
        let at = *self
            .bootstraps
            .get_or_insert_with(|| bootstrap_offsets(info))
            .get(usize::from(index))?;
        hasher.word(self.entry(class, PoolIx(u2(info, at)?), depth + 1));
        let count = u2(info, at + 2)?;
        hasher.word(u64::from(count));
        for i in 0..usize::from(count) {
            self.work_left = self.work_left.checked_sub(1)?;
            hasher.word(self.entry(class, PoolIx(u2(info, at + 4 + 2 * i)?), depth + 1));
        }
        Some(())
    }

    fn class_name(&mut self, name: &[u8], hasher: &mut DigestHasher) {
        if self.own == name {
            hasher.bytes(b"");
        } else if name.first() == Some(&b'[') {
            self.descriptor(name, hasher);
        } else {
            hasher.bytes(name);
        }
    }

    /// A descriptor with `Lown;` as `L;`.
    fn descriptor(&mut self, descriptor: &[u8], hasher: &mut DigestHasher) {
        if !may_name(descriptor, &self.own) {
            hasher.bytes(descriptor);
            return;
        }
        self.text.clear();
        let mut rest = descriptor;
        while let Some(l) = rest.iter().position(|&b| b == b'L') {
            let (before, name) = rest.split_at(l + 1);
            self.text.extend_from_slice(before);
            let end = name.iter().position(|&b| b == b';').unwrap_or(name.len());
            let (name, after) = name.split_at(end);
            if name != self.own {
                self.text.extend_from_slice(name);
            }
            rest = after;
        }
        self.text.extend_from_slice(rest);
        hasher.bytes(&self.text);
    }
}

/// Whether entries with this tag refer to others that the depth limit may cut off.
fn may_nest(tag: Option<Tag>) -> bool {
    matches!(tag, Some(Tag::MethodHandle | Tag::Dynamic | Tag::InvokeDynamic))
}

/// Whether `Lclass;` is somewhere in a descriptor, perhaps inside another name or cut off at the
/// end. Length alone tells most descriptors without it.
fn may_name(descriptor: &[u8], class: &[u8]) -> bool {
    if descriptor.ends_with(class) {
        return true;
    }
    let longest = descriptor.len().checked_sub(class.len() + 2);
    longest.is_some_and(|longest| {
        let starts = descriptor.get(..=longest).unwrap_or_default();
        let ends = descriptor.get(class.len() + 1..).unwrap_or_default();
        starts.iter().zip(ends).enumerate().any(|(at, (&start, &end))| {
            start == b'L'
                && end == b';'
                && descriptor.get(at + 1..at + 1 + class.len()) == Some(class)
        })
    })
}

fn u2(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

fn bootstrap_offsets(info: &[u8]) -> Vec<usize> {
    let count = usize::from(u2(info, 0).unwrap_or(0));
    let mut offsets = Vec::with_capacity(count.min(info.len() / 4));
    let mut at = 2;
    while offsets.len() < count {
        let Some(arguments) = u2(info, at + 2) else { break };
        offsets.push(at);
        at += 4 + 2 * usize::from(arguments);
    }
    offsets
}

/// A member's name without the running number that javac gives to synthetic methods.
fn neutral_name(name: &[u8]) -> &[u8] {
    if name.starts_with(b"lambda$") || name.starts_with(b"access$") {
        let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (stem, _) = name.split_at(name.len() - digits);
        if stem.ends_with(b"$") {
            return stem;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::neutral_name;

    #[test]
    fn only_running_numbers_are_taken_off() {
        assert_eq!(neutral_name(b"lambda$main$12"), b"lambda$main$");
        assert_eq!(neutral_name(b"access$000"), b"access$");
        assert_eq!(neutral_name(b"lambda$main$x1"), b"lambda$main$x1");
        assert_eq!(neutral_name(b"get$1"), b"get$1");
    }
}
