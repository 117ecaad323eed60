//! Small methods: too short for a time of their own, so that they are only counted.

use classfile_writer::{
    ACC_STATIC, ClassFile, Code, Instruction, Member, PoolIx, Tag, opcode, opcode::Flow,
};
use std::collections::{BTreeMap, HashMap};

/// Most bytes of code of such a method, together with the code of all that it calls.
const SMALL_CODE: u32 = 25;
/// Most levels of calls below such a method.
const MOST_LEVELS: usize = 4;

/// `ACC_PRIVATE`, `ACC_FINAL` and `ACC_SYNCHRONIZED` (JVMS tables 4.1-B and 4.6-A).
const ACC_PRIVATE: u16 = 0x0002;
const ACC_FINAL: u16 = 0x0010;
const ACC_SYNCHRONIZED: u16 = 0x0020;

/// The small methods of a class. Such a method has no loop, no handler and no lock, and makes no
/// object. It loads and initialises no class. It calls nothing but other small methods of the
/// class, where the call can mean no other. So it takes less time than a probe, and nothing that is
/// timed can lie below it.
#[derive(Debug, Default)]
pub(crate) struct SmallMethods {
    /// Bytes of code by the number of the method, with the code of all that it calls.
    bytes: BTreeMap<usize, u32>,
}

/// Name and descriptor.
type Key<'c> = (&'c [u8], &'c [u8]);

/// A method that is small if those that it calls are.
struct Candidate<'c> {
    number: usize,
    bytes: u32,
    callees: Vec<Key<'c>>,
}

impl SmallMethods {
    /// Looks through a class, for those that call nothing alone (`leaves`) or for all.
    pub(crate) fn find(&mut self, class: &ClassFile<'_>, leaves: bool) {
        self.bytes.clear();
        let methods = || class.methods().enumerate();
        let candidates = methods().filter_map(|(number, method)| candidate(number, &method));
        let is_wanted = |candidate: &Candidate<'_>| !leaves || candidate.callees.is_empty();
        let candidates: Vec<Candidate<'_>> = candidates.filter(is_wanted).collect();
        let has_calls = candidates.iter().any(|candidate| !candidate.callees.is_empty());
        let mut only: HashMap<Key<'_>, usize> = HashMap::new();
        if has_calls {
            let declared = methods().filter(|(_, method)| has_one_meaning(class, method));
            only.extend(declared.map(|(at, method)| ((method.name, method.descriptor), at)));
        }
        for _ in 0..=if has_calls { MOST_LEVELS } else { 0 } {
            let known = self.bytes.len();
            for Candidate { number, bytes, callees } in &candidates {
                let below = callees.iter().try_fold(0, |sum: u32, callee| {
                    Some(sum.saturating_add(*self.bytes.get(only.get(callee)?)?))
                });
                let all = below.map(|below| below.saturating_add(*bytes));
                if let Some(all) = all.filter(|all| *all <= SMALL_CODE) {
                    self.bytes.insert(*number, all);
                }
            }
            if self.bytes.len() == known {
                break;
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Whether the method of this number is one.
    pub(crate) fn contains(&self, method: usize) -> bool {
        self.bytes.contains_key(&method)
    }
}

/// Whether a call that names the method and its class can reach no other method.
fn has_one_meaning(class: &ClassFile<'_>, method: &Member<'_>) -> bool {
    method.access & (ACC_STATIC | ACC_PRIVATE | ACC_FINAL) != 0
        || class.access() & ACC_FINAL != 0
        || method.name == b"<init>"
}

fn candidate<'c>(number: usize, method: &Member<'c>) -> Option<Candidate<'c>> {
    if method.access & ACC_SYNCHRONIZED != 0 || method.name == b"<clinit>" {
        return None;
    }
    let code = method.code().ok().flatten()?;
    let bytes = code.bytes().len() as u32;
    if bytes > SMALL_CODE || code.exceptions().len() > 0 {
        return None;
    }
    let mut callees = Vec::new();
    for instruction in code.instructions() {
        let instruction = instruction.ok()?;
        if !goes_on(&instruction) {
            return None;
        }
        match touched(&code, &instruction)? {
            Touched::Nothing => {}
            Touched::Method(callee) => callees.push(callee),
        }
    }
    Some(Candidate { number, bytes, callees })
}

/// Whether control only goes on to later instructions, or out of the method by a return.
fn goes_on(instruction: &Instruction<'_>) -> bool {
    let is_later = |target| target > Some(instruction.bci);
    match instruction.flow() {
        Flow::If | Flow::Goto => is_later(instruction.branch_target()),
        Flow::Switch => instruction.switch().is_some_and(|switch| {
            is_later(switch.default()) && switch.cases().all(|(_, target)| is_later(target))
        }),
        Flow::Jsr | Flow::Ret | Flow::Throw | Flow::New => false,
        Flow::Next | Flow::Return | Flow::InvokeSpecial | Flow::Wide => true,
    }
}

/// What an instruction needs beside the method's own values.
enum Touched<'c> {
    Nothing,
    /// A method of the class.
    Method(Key<'c>),
}

/// What an instruction needs; none if it may run other code, wait, or make an object.
fn touched<'c>(code: &Code<'c>, instruction: &Instruction<'_>) -> Option<Touched<'c>> {
    let (class, pool) = (code.class(), code.class().pool());
    let is_own = |ix: PoolIx| {
        let owner = pool.member_ref(ix).and_then(|member| pool.class_name(member.class));
        owner.is_ok() && owner == class.name()
    };
    match instruction.opcode {
        opcode::MONITORENTER
        | opcode::MONITOREXIT
        | opcode::NEWARRAY
        | opcode::ANEWARRAY
        | opcode::MULTIANEWARRAY
        | opcode::CHECKCAST
        | opcode::INSTANCEOF
        | opcode::INVOKEINTERFACE
        | opcode::INVOKEDYNAMIC => None,
        opcode::GETSTATIC | opcode::PUTSTATIC => {
            is_own(instruction.pool_index()?).then_some(Touched::Nothing)
        }
        opcode::LDC | opcode::LDC_W | opcode::LDC2_W => {
            let is_value = matches!(
                pool.tag(instruction.pool_index()?)?,
                Tag::Integer | Tag::Float | Tag::Long | Tag::Double | Tag::String
            );
            is_value.then_some(Touched::Nothing)
        }
        opcode::INVOKESTATIC | opcode::INVOKESPECIAL | opcode::INVOKEVIRTUAL => {
            let ix = instruction.pool_index()?;
            let callee = pool.member_names(ix).ok()?;
            let is_object = callee.class == b"java/lang/Object" && callee.name == b"<init>";
            match (is_object, is_own(ix)) {
                (true, _) => Some(Touched::Nothing),
                (_, true) => Some(Touched::Method((callee.name, callee.descriptor))),
                _ => None,
            }
        }
        _ => Some(Touched::Nothing),
    }
}
