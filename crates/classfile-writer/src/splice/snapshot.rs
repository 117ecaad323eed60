//! Whole frames at chosen positions, computed from the differences in a `StackMapTable` (JVMS
//! §4.7.4).

use std::ops::Range;

use crate::bci::Bci;
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::{FrameKind, Frames, VerificationType};
use crate::member::{ACC_STATIC, Member};
use crate::tail::PoolTail;

/// Type of a local variable or stack entry. Class types of arguments stay names until they are
/// written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Known(VerificationType),
    /// A field type in the method's descriptor.
    Argument(Range<u32>),
}

impl Item {
    /// How many local variables it takes.
    pub(super) fn slots(&self) -> usize {
        match self {
            Item::Known(VerificationType::Long | VerificationType::Double) => 2,
            Item::Known(_) | Item::Argument(_) => 1,
        }
    }

    /// The type. Adds a `Class` entry if needed.
    pub(super) fn resolve(
        &self,
        method: &Member<'_>,
        pool: &mut PoolTail<'_>,
    ) -> Result<VerificationType> {
        match self {
            Item::Known(known) => Ok(*known),
            Item::Argument(range) => {
                let name = method
                    .descriptor
                    .get(range.start as usize..range.end as usize)
                    .unwrap_or_default();
                let name = match name {
                    [b'L', name @ .., b';'] => name,
                    array => array,
                };
                pool.class(name).map(VerificationType::Object)
            }
        }
    }
}

/// Source of the frame at a new position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// A frame of the original, by number in the snapshots or in the CLDC table.
    Original(usize),
    /// The frame on entry.
    Entry,
    /// The frame given with a block.
    Block(usize),
}

/// Bound on the stored types of one method. The stack of one frame adds at most 65,535.
const MAX_ITEMS: usize = 1 << 22;

/// One frame with all its types.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub bci: u32,
    locals: Range<usize>,
    stack: Range<usize>,
}

/// The requested frames, ascending.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    pub frames: Vec<Snapshot>,
    items: Vec<Item>,
    locals: Vec<Item>,
    entry: Vec<Item>,
    /// Memory for the list of new frames.
    pub order: Vec<(u32, Source)>,
}

impl Snapshots {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.items.clear();
    }

    /// Number of the frame at an old position.
    pub(super) fn find(&self, bci: u32) -> Option<usize> {
        self.frames.binary_search_by_key(&bci, |frame| frame.bci).ok()
    }

    /// Locals and stack of a frame by number.
    pub(super) fn types(&self, number: usize) -> (&[Item], &[Item]) {
        match self.frames.get(number) {
            Some(frame) => (
                self.items.get(frame.locals.clone()).unwrap_or_default(),
                self.items.get(frame.stack.clone()).unwrap_or_default(),
            ),
            None => (&[], &[]),
        }
    }

    /// The locals on entry.
    pub(super) fn entry(&self) -> &[Item] {
        &self.entry
    }

    /// Computes the locals on entry.
    pub(super) fn take_entry(&mut self, method: &Member<'_>) -> Result<()> {
        initial_locals(method, &mut self.entry)
    }

    /// Decodes all frames and keeps those at the wanted positions.
    pub(super) fn take(
        &mut self,
        method: &Member<'_>,
        code: &Code<'_>,
        mut frames: Frames<'_>,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<()> {
        initial_locals(method, &mut self.locals)?;
        let mut offset = frames.offset();
        while let Some(frame) = frames.next() {
            let frame = frame?;
            let keep = wanted(frame.bci.0);
            let mut on_stack = None;
            match frame.kind {
                FrameKind::Same => {}
                FrameKind::SameLocalsOneStack(item) => on_stack = Some(item),
                FrameKind::Chop(count) => {
                    let left = self.locals.len().checked_sub(usize::from(count));
                    let left =
                        left.ok_or_else(|| Error::new(ErrorKind::BadFrame(251 - count), offset))?;
                    self.locals.truncate(left);
                }
                FrameKind::Append(types) => self.locals.extend(types.map(Item::Known)),
                FrameKind::Full { locals, stack } => {
                    self.locals.clear();
                    self.locals.extend(locals.map(Item::Known));
                    self.check_size(code, offset)?;
                    if keep {
                        self.keep(frame.bci, stack);
                    }
                    offset = frames.offset();
                    continue;
                }
            }
            self.check_size(code, offset)?;
            if keep {
                self.keep(frame.bci, on_stack.into_iter());
            }
            offset = frames.offset();
        }
        // No branch finds a frame beyond the code, but its position cannot be written either.
        match self.frames.last() {
            Some(last) if last.bci as usize >= code.bytes().len() => {
                Err(Error::new(ErrorKind::BadFramePosition, code.range().start))
            }
            _ => Ok(()),
        }
    }

    /// Bounds memory: a small file can state many large frames. The verifier rejects more locals
    /// than `max_locals`, which counts at least as many slots.
    fn check_size(&self, code: &Code<'_>, offset: usize) -> Result<()> {
        if self.locals.len() > usize::from(code.max_locals()) {
            return Err(Error::new(ErrorKind::TooManyLocals(self.locals.len() as u32), offset));
        }
        if self.items.len() > MAX_ITEMS {
            return Err(Error::new(ErrorKind::TooManyFrames(self.frames.len()), offset));
        }
        Ok(())
    }

    fn keep(&mut self, bci: Bci, stack: impl Iterator<Item = VerificationType>) {
        let start = self.items.len();
        self.items.extend_from_slice(&self.locals);
        let middle = self.items.len();
        self.items.extend(stack.map(Item::Known));
        self.frames.push(Snapshot {
            bci: bci.0,
            locals: start..middle,
            stack: middle..self.items.len(),
        });
    }
}

/// The locals on entry (JVMS §4.10.1.6).
fn initial_locals(method: &Member<'_>, locals: &mut Vec<Item>) -> Result<()> {
    let class = method.class();
    let bad = || Error::new(ErrorKind::BadDescriptor, method.range().start + 4);
    locals.clear();
    if method.access & ACC_STATIC == 0 {
        // Only the constructor of `Object` calls no other constructor.
        let uninitialized = method.name == b"<init>" && class.super_class().0 != 0;
        locals.push(Item::Known(match uninitialized {
            true => VerificationType::UninitializedThis,
            false => VerificationType::Object(class.this_class()),
        }));
    }
    let text = method.descriptor;
    if text.first() != Some(&b'(') {
        return Err(bad());
    }
    let mut at = 1;
    loop {
        let start = at;
        while text.get(at) == Some(&b'[') {
            at += 1;
        }
        let plain = match text.get(at) {
            Some(b')') if start == at => return Ok(()),
            Some(b'Z' | b'B' | b'C' | b'S' | b'I') => Some(VerificationType::Integer),
            Some(b'F') => Some(VerificationType::Float),
            Some(b'J') => Some(VerificationType::Long),
            Some(b'D') => Some(VerificationType::Double),
            Some(b'L') => {
                let rest = text.get(at..).unwrap_or_default();
                at += rest.iter().position(|&b| b == b';').ok_or_else(bad)?;
                None
            }
            _ => return Err(bad()),
        };
        let is_array = text.get(start) == Some(&b'[');
        at += 1;
        locals.push(match plain {
            Some(plain) if !is_array => Item::Known(plain),
            _ => Item::Argument(start as u32..at as u32),
        });
    }
}
