//! The calls of probes that rewritten code makes, as bytes.

use crate::hand_off::HandOffKind;
use classfile_writer::{Error, PoolIx, PoolTail, opcode};
use jfathom_plan::{MethodId, Placement, ProbeKind, probe};

/// A method of the runtime that rewritten code calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeMethod {
    MethodEntry,
    CountedEntry,
    CountedInRootEntry,
    MethodExit,
    MethodThrow,
    InRootEntry,
    RootEntry,
    RootExit,
    RootThrow,
    Catch,
    CatchAny,
    Resumed,
    TaskEntry,
    TaskExit,
    HandOff,
    HandOffReceiver,
    HandOffPeriodic,
    HandOffFunction,
    HandOffAll,
}

impl ProbeMethod {
    /// The number of probe methods.
    const COUNT: usize = Self::HandOffAll as usize + 1;

    /// Its name and descriptor.
    const fn signature(self) -> (&'static str, &'static str) {
        match self {
            Self::MethodEntry => (probe::METHOD_ENTRY, probe::ENTRY),
            Self::CountedEntry => (probe::COUNTED_ENTRY, probe::ID),
            Self::CountedInRootEntry => (probe::COUNTED_INNER_ENTRY, probe::ID),
            Self::MethodExit => (probe::METHOD_EXIT, probe::ID),
            Self::MethodThrow => (probe::METHOD_THROW, probe::ID),
            Self::InRootEntry => (probe::INNER_ENTRY, probe::ENTRY),
            Self::RootEntry => (probe::ROOT_ENTRY, probe::ID),
            Self::RootExit => (probe::ROOT_EXIT, probe::ID),
            Self::RootThrow => (probe::ROOT_THROW, probe::ID),
            Self::Catch => (probe::HANDLE_CATCH, probe::HANDLE_CATCH_DESCRIPTOR),
            Self::CatchAny => (probe::HANDLE_ANY, probe::ID),
            Self::Resumed => (probe::RESUMED, probe::RESUMED_DESCRIPTOR),
            Self::TaskEntry => (probe::TASK_ENTRY, probe::TASK_ENTRY_DESCRIPTOR),
            Self::TaskExit => (probe::TASK_EXIT, probe::TASK_EXIT_DESCRIPTOR),
            Self::HandOff => (probe::HAND_OFF, probe::HAND_OFF_DESCRIPTOR),
            Self::HandOffReceiver => {
                (probe::HAND_OFF_RECEIVER, probe::HAND_OFF_RECEIVER_DESCRIPTOR)
            }
            Self::HandOffPeriodic => (probe::HAND_OFF_PERIODIC, probe::HAND_OFF_DESCRIPTOR),
            Self::HandOffFunction => (probe::HAND_OFF_FUNCTION, probe::HAND_OFF_DESCRIPTOR),
            Self::HandOffAll => (probe::HAND_OFF_ALL, probe::HAND_OFF_ALL_DESCRIPTOR),
        }
    }

    pub(crate) const fn entry(kind: ProbeKind) -> Self {
        match kind {
            ProbeKind::Always => Self::MethodEntry,
            ProbeKind::InRoot => Self::InRootEntry,
            ProbeKind::Root => Self::RootEntry,
        }
    }

    /// The entry of a method that is only counted, which is no root.
    pub(crate) const fn counted_entry(kind: ProbeKind) -> Self {
        match kind {
            ProbeKind::Always => Self::CountedEntry,
            ProbeKind::InRoot | ProbeKind::Root => Self::CountedInRootEntry,
        }
    }

    pub(crate) const fn exit(kind: ProbeKind) -> Self {
        match kind {
            ProbeKind::Always | ProbeKind::InRoot => Self::MethodExit,
            ProbeKind::Root => Self::RootExit,
        }
    }

    pub(crate) const fn throw(kind: ProbeKind) -> Self {
        match kind {
            ProbeKind::Always | ProbeKind::InRoot => Self::MethodThrow,
            ProbeKind::Root => Self::RootThrow,
        }
    }

    pub(crate) const fn catch(is_any: bool) -> Self {
        if is_any { Self::CatchAny } else { Self::Catch }
    }

    pub(crate) const fn hand_off(kind: HandOffKind) -> Self {
        match kind {
            HandOffKind::Task => Self::HandOff,
            HandOffKind::Receiver => Self::HandOffReceiver,
            HandOffKind::Periodic => Self::HandOffPeriodic,
            HandOffKind::Function => Self::HandOffFunction,
            HandOffKind::All => Self::HandOffAll,
        }
    }
}

/// Pool entries for the probes of one class, made when first needed.
#[derive(Debug)]
pub(crate) struct ProbeRefs {
    class: &'static str,
    callees: [Option<PoolIx>; ProbeMethod::COUNT],
    throwable: Option<PoolIx>,
    enabled: Option<PoolIx>,
    existing: bool,
}

impl ProbeRefs {
    pub(crate) const fn new(placement: Placement) -> Self {
        let class = probe::class(placement);
        Self {
            class,
            callees: [None; ProbeMethod::COUNT],
            throwable: None,
            enabled: None,
            existing: false,
        }
    }

    /// The probe's Methodref. The probe's class is a class, not an interface, in every placement.
    pub(crate) fn get(
        &mut self,
        method: ProbeMethod,
        pool: &mut PoolTail<'_>,
    ) -> Result<PoolIx, Error> {
        if let Some(known) = self.callees[method as usize] {
            return Ok(known);
        }
        if self.callees.iter().flatten().next().is_none() {
            // The pool returns an existing entry instead of a new one.
            self.existing = pool.class(self.class.as_bytes())?.0 < pool.pool().count();
        }
        let (name, descriptor) = method.signature();
        let callee =
            pool.methodref(self.class.as_bytes(), name.as_bytes(), descriptor.as_bytes())?;
        self.callees[method as usize] = Some(callee);
        Ok(callee)
    }

    /// The field that says whether a session is open or to come; none where one always may.
    pub(crate) fn enabled(&mut self, pool: &mut PoolTail<'_>) -> Result<Option<PoolIx>, Error> {
        if self.class == probe::LIVE_CLASS || self.enabled.is_some() {
            return Ok(self.enabled);
        }
        let (name, descriptor) = (probe::ENABLED, probe::ENABLED_DESCRIPTOR);
        self.enabled =
            Some(pool.fieldref(self.class.as_bytes(), name.as_bytes(), descriptor.as_bytes())?);
        Ok(self.enabled)
    }

    /// Whether the class file already named the runtime's class.
    pub(crate) const fn has_existing_probes(&self) -> bool {
        self.existing
    }

    /// The Class entry of `java/lang/Throwable`, which handlers find on the stack.
    pub(crate) fn throwable(&mut self, pool: &mut PoolTail<'_>) -> Result<PoolIx, Error> {
        match self.throwable {
            Some(known) => Ok(known),
            None => Ok(*self.throwable.insert(pool.class(b"java/lang/Throwable")?)),
        }
    }
}

/// Up to 16 bytes of code as one number, the first byte lowest. It is built in registers, once per
/// method and probe.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProbeCode {
    bits: u128,
    /// At most 16; the longest code (a task's handler) has 15 bytes.
    length: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeCodeBytes {
    bytes: [u8; 16],
    length: usize,
}

impl std::ops::Deref for ProbeCodeBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl ProbeCode {
    #[inline]
    pub(crate) fn bytes(self) -> ProbeCodeBytes {
        ProbeCodeBytes { bytes: self.bits.to_le_bytes(), length: self.length as usize }
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
        debug_assert!(self.length + other.length <= 16, "probe code of more than 16 bytes");
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

    /// `opcode`, a load or store, on a local variable, in the shortest form for its number.
    pub(crate) fn local(self, opcode: u8, local: u16) -> Self {
        let short = match opcode {
            opcode::ILOAD..=opcode::ALOAD => opcode::ILOAD_0 + 4 * (opcode - opcode::ILOAD),
            _ => opcode::ISTORE_0 + 4 * (opcode - opcode::ISTORE),
        };
        match local.to_be_bytes() {
            [0, low @ 0..4] => self.push(&[short + low]),
            [0, low] => self.push(&[opcode, low]),
            [high, low] => self.push(&[opcode::WIDE, opcode, high, low]),
        }
    }

    /// Sets a local variable to 0, and jumps over code that follows where the field is false.
    pub(crate) fn unless_enabled(local: u16, enabled: PoolIx, over: &ProbeCodeBytes) -> Self {
        /// Of the jump itself.
        const BYTES: u8 = 3;
        Self::default()
            .push(&[opcode::ICONST_0])
            .local(opcode::ISTORE, local)
            .indexed(opcode::GETSTATIC, enabled)
            .push(&[opcode::IFEQ, 0, BYTES + over.len() as u8])
    }

    #[inline]
    pub(crate) fn call(self, callee: PoolIx) -> Self {
        self.indexed(opcode::INVOKESTATIC, callee)
    }

    /// The probe of an exception handler, which finds the exception on the stack. It takes
    /// [`Self::CATCH_STACK`] slots of it.
    pub(crate) fn catch(self, is_any: bool, callee: PoolIx) -> Self {
        let copied = Self::default().push(if is_any { &[] } else { &[opcode::DUP] });
        copied.append(self).call(callee)
    }

    /// The probe before a switch over a label, which lies on the stack. It takes
    /// [`Self::RESUMED_STACK`] slots more.
    pub(crate) fn resumed(self, callee: PoolIx) -> Self {
        Self::default().push(&[opcode::DUP]).append(self).call(callee)
    }

    /// A copy of the label, and an id.
    pub(crate) const RESUMED_STACK: u16 = 2;

    /// The exception, its copy, and a token.
    pub(crate) const CATCH_STACK: u16 = 3;

    /// Pushes a method id in the shortest form.
    pub(crate) fn id(id: MethodId, pool: &mut PoolTail<'_>) -> Result<Self, Error> {
        Self::int(id.get() as i32, pool)
    }

    /// Pushes what stands in place of a token in a root, for its catch probes.
    pub(crate) fn root_token(id: MethodId, pool: &mut PoolTail<'_>) -> Result<Self, Error> {
        Self::int(!(id.get() as i32), pool)
    }

    fn int(value: i32, pool: &mut PoolTail<'_>) -> Result<Self, Error> {
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
