//! The calls that rewritten code makes: which probe, with which constant, as bytes.

use crate::hand_off::HandOffKind;
use classfile_writer::{Error, PoolIx, PoolTail, opcode};
use jfathom_plan::{MethodId, Placement, ProbeKind, probe};

/// A probe, by the row in [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Probe(usize);

const NAMES: [(&str, &str); 21] = [
    (probe::METHOD_ENTRY, probe::ID),
    (probe::METHOD_EXIT, probe::ID),
    (probe::METHOD_THROW, probe::ID),
    (probe::INNER_ENTRY, probe::ID),
    (probe::INNER_EXIT, probe::ID),
    (probe::INNER_THROW, probe::ID),
    (probe::ROOT_ENTRY, probe::ID),
    (probe::ROOT_EXIT, probe::ID),
    (probe::ROOT_THROW, probe::ID),
    (probe::HANDLE_CATCH, probe::ID),
    (probe::TASK_ENTRY, probe::TASK_ENTRY_DESCRIPTOR),
    (probe::TASK_EXIT, probe::TASK_EXIT_DESCRIPTOR),
    (probe::HAND_OFF, probe::HAND_OFF_DESCRIPTOR),
    (probe::HAND_OFF_PERIODIC, probe::HAND_OFF_DESCRIPTOR),
    (probe::HAND_OFF_FUNCTION, probe::HAND_OFF_DESCRIPTOR),
    (probe::HAND_OFF_ALL, probe::HAND_OFF_ALL_DESCRIPTOR),
    (probe::PINNED_METHOD_ENTRY, probe::PINNED_DESCRIPTOR),
    (probe::PINNED_INNER_ENTRY, probe::PINNED_DESCRIPTOR),
    (probe::PINNED_ROOT_ENTRY, probe::PINNED_DESCRIPTOR),
    (probe::PIN, probe::PIN_FLOAT_DESCRIPTOR),
    (probe::PIN, probe::PIN_DOUBLE_DESCRIPTOR),
];

impl Probe {
    pub(crate) const CATCH: Self = Self(9);
    pub(crate) const TASK_ENTRY: Self = Self(10);
    pub(crate) const TASK_EXIT: Self = Self(11);
    pub(crate) const PIN_FLOAT: Self = Self(19);
    pub(crate) const PIN_DOUBLE: Self = Self(20);

    pub(crate) const fn entry(kind: ProbeKind) -> Self {
        Self(match kind {
            ProbeKind::Always => 0,
            ProbeKind::InRoot => 3,
            ProbeKind::Root => 6,
        })
    }

    /// The entry whose result pins the arguments.
    pub(crate) const fn pinned_entry(kind: ProbeKind) -> Self {
        Self(match kind {
            ProbeKind::Always => 16,
            ProbeKind::InRoot => 17,
            ProbeKind::Root => 18,
        })
    }

    pub(crate) const fn exit(kind: ProbeKind) -> Self {
        Self(Self::entry(kind).0 + 1)
    }

    pub(crate) const fn throw(kind: ProbeKind) -> Self {
        Self(Self::entry(kind).0 + 2)
    }

    pub(crate) const fn hand_off(mark: HandOffKind) -> Self {
        Self(match mark {
            HandOffKind::Task => 12,
            HandOffKind::Periodic => 13,
            HandOffKind::Function => 14,
            HandOffKind::All => 15,
        })
    }
}

/// Pool entries that the probes of a class need, made when first asked for.
#[derive(Debug)]
pub(crate) struct ProbeRefs {
    class: &'static str,
    callees: [Option<PoolIx>; NAMES.len()],
    throwable: Option<PoolIx>,
    already: bool,
}

impl ProbeRefs {
    pub(crate) const fn new(placement: Placement) -> Self {
        let class = probe::class(placement);
        Self { class, callees: [None; NAMES.len()], throwable: None, already: false }
    }

    /// The probe's Methodref: its class is a class in every placement, whoever calls.
    pub(crate) fn get(&mut self, which: Probe, pool: &mut PoolTail<'_>) -> Result<PoolIx, Error> {
        let (Some(&known), Some((name, descriptor))) =
            (self.callees.get(which.0), NAMES.get(which.0))
        else {
            unreachable!("a Probe is a row of NAMES");
        };
        if let Some(known) = known {
            return Ok(known);
        }
        if self.callees.iter().flatten().next().is_none() {
            // The pool gives an entry that was there before in place of a new one.
            self.already = pool.class(self.class.as_bytes())?.0 < pool.pool().count();
        }
        let made = pool.methodref(self.class.as_bytes(), name.as_bytes(), descriptor.as_bytes())?;
        self.callees[which.0] = Some(made);
        Ok(made)
    }

    /// Whether the class named the probes before it was given to us.
    pub(crate) const fn has_existing_probes(&self) -> bool {
        self.already
    }

    /// The Class entry of what handlers find on the stack.
    pub(crate) fn throwable(&mut self, pool: &mut PoolTail<'_>) -> Result<PoolIx, Error> {
        match self.throwable {
            Some(known) => Ok(known),
            None => Ok(*self.throwable.insert(pool.class(b"java/lang/Throwable")?)),
        }
    }
}

/// A few bytes of code as one number, the first byte lowest: it is built in registers, once per
/// method and probe.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProbeCode {
    bits: u128,
    /// At most 16; the longest snippet (a task's handler or entry) has 14 bytes.
    length: u32,
}

/// The bytes of a [`Snippet`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SnippetBytes {
    bytes: [u8; 16],
    length: usize,
}

impl std::ops::Deref for SnippetBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl ProbeCode {
    #[inline]
    pub(crate) fn bytes(self) -> SnippetBytes {
        SnippetBytes { bytes: self.bits.to_le_bytes(), length: self.length as usize }
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Appends at most eight bytes.
    #[inline]
    pub(crate) fn push(self, bytes: &[u8]) -> Self {
        let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        self.append(Self { bits: u128::from(bits), length: bytes.len() as u32 })
    }

    #[inline]
    pub(crate) fn append(self, other: Self) -> Self {
        debug_assert!(
            self.length + other.length <= 16,
            "a snippet is longer than any that is made"
        );
        Self {
            bits: self.bits | other.bits << (8 * self.length),
            length: self.length + other.length,
        }
    }

    #[inline]
    pub(crate) fn indexed(self, opcode: u8, index: PoolIx) -> Self {
        let [high, low] = index.0.to_be_bytes();
        self.push(&[opcode, high, low])
    }

    /// `opcode` on a local variable, in the form that its number needs.
    pub(crate) fn local(self, opcode: u8, local: u16) -> Self {
        match local.to_be_bytes() {
            [0, low] => self.push(&[opcode, low]),
            [high, low] => self.push(&[opcode::WIDE, opcode, high, low]),
        }
    }

    #[inline]
    pub(crate) fn call(self, callee: PoolIx) -> Self {
        self.indexed(opcode::INVOKESTATIC, callee)
    }

    /// Pushes a method id in the shortest form.
    pub(crate) fn id(id: MethodId, pool: &mut PoolTail<'_>) -> Result<Self, Error> {
        let value = id.get() as i32;
        let push = Self::default();
        if let Ok(byte) = i8::try_from(value) {
            return Ok(push.push(&[opcode::BIPUSH, byte as u8]));
        }
        if let Ok(short) = i16::try_from(value) {
            let [high, low] = short.to_be_bytes();
            return Ok(push.push(&[opcode::SIPUSH, high, low]));
        }
        let constant = pool.integer(value)?;
        Ok(match u8::try_from(constant.0) {
            Ok(index) => push.push(&[opcode::LDC, index]),
            Err(_) => push.indexed(opcode::LDC_W, constant),
        })
    }
}
