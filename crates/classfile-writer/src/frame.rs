//! Stack map frames (JVMS §4.7.4) and their CLDC form.

use crate::attribute::Attribute;
use crate::bci::Bci;
use crate::bytes::{push_u2, u1, u2};
use crate::class::ClassFile;
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::PoolIx;

impl<'c> Code<'c> {
    /// The `StackMapTable`, if there is one.
    pub fn stack_map_table(&self) -> Result<Option<StackMapTable<'c>>> {
        let attribute = self.attributes().find(b"StackMapTable");
        attribute.map(|attribute| StackMapTable::parse(self.class(), &attribute)).transpose()
    }

    /// The CLDC `StackMap`, if there is one.
    pub fn cldc_stack_map(&self) -> Result<Option<CldcStackMap<'c>>> {
        let attribute = self.attributes().find(b"StackMap");
        attribute.map(|attribute| CldcStackMap::parse(self.class(), &attribute)).transpose()
    }
}

/// Type of a local variable or stack entry as the type checker sees it (`verification_type_info`,
/// JVMS §4.7.4). `Long` and `Double` stand for both their slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerificationType {
    /// Nothing usable.
    Top,
    /// `int` and the smaller types.
    Integer,
    /// `float`
    Float,
    /// `double`, two slots.
    Double,
    /// `long`, two slots.
    Long,
    /// The type of `null`.
    Null,
    /// `this` in a constructor before `super()` or `this()`.
    UninitializedThis,
    /// An instance of a `Class` entry.
    Object(PoolIx),
    /// The object of the `new` at that position, before its constructor ran.
    Uninitialized(Bci),
}

impl VerificationType {
    /// Reads a type at `at`. Returns it with the offset after it.
    #[inline]
    pub(crate) fn parse(bytes: &[u8], at: usize) -> Result<(VerificationType, usize)> {
        use VerificationType::*;
        let plain = match u1(bytes, at)? {
            0 => Top,
            1 => Integer,
            2 => Float,
            3 => Double,
            4 => Long,
            5 => Null,
            6 => UninitializedThis,
            7 => return Ok((Object(PoolIx(u2(bytes, at + 1)?)), at + 3)),
            8 => return Ok((Uninitialized(Bci(u32::from(u2(bytes, at + 1)?))), at + 3)),
            tag => return Err(Error::new(ErrorKind::BadVerificationType(tag), at)),
        };
        Ok((plain, at + 1))
    }

    /// Writes the type. `place` maps the position of an old `new` to the new code.
    pub(crate) fn write(self, out: &mut Vec<u8>, place: impl Fn(Bci) -> u32) {
        use VerificationType::*;
        match self {
            Top => out.push(0),
            Integer => out.push(1),
            Float => out.push(2),
            Double => out.push(3),
            Long => out.push(4),
            Null => out.push(5),
            UninitializedThis => out.push(6),
            Object(class) => {
                out.push(7);
                push_u2(out, class.0);
            }
            Uninitialized(bci) => {
                out.push(8);
                push_u2(out, place(bci) as u16);
            }
        }
    }
}

/// A list of verification types, read lazily. After an error it ends.
#[derive(Debug, Clone)]
pub struct VerificationTypes<'c> {
    file: &'c [u8],
    at: usize,
    left: u16,
}

impl<'c> VerificationTypes<'c> {
    const EMPTY: VerificationTypes<'static> = VerificationTypes { file: &[], at: 0, left: 0 };

    /// A list of `count` types at `at`, and the offset after it.
    pub(crate) fn parse(
        file: &'c [u8],
        at: usize,
        count: u16,
    ) -> Result<(VerificationTypes<'c>, usize)> {
        let list = VerificationTypes { file, at, left: count };
        let mut end = at;
        for _ in 0..count {
            end = VerificationType::parse(file, end)?.1;
        }
        Ok((list, end))
    }
}

impl Iterator for VerificationTypes<'_> {
    type Item = VerificationType;

    fn next(&mut self) -> Option<VerificationType> {
        self.left = self.left.checked_sub(1)?;
        let (parsed, at) = VerificationType::parse(self.file, self.at).ok()?;
        self.at = at;
        Some(parsed)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(usize::from(self.left)))
    }
}

/// One stack map frame. Its kind says what differs from the frame before it.
#[derive(Debug, Clone)]
pub struct Frame<'c> {
    /// The position of its types.
    pub bci: Bci,
    /// How it differs from the frame before.
    pub kind: FrameKind<'c>,
}

/// Forms of `stack_map_frame`. A short form and its extended form are one here.
#[derive(Debug, Clone)]
pub enum FrameKind<'c> {
    /// Same locals, empty stack (`same_frame`, `same_frame_extended`).
    Same,
    /// Same locals, one stack entry (`same_locals_1_stack_item_frame` and its extended form).
    SameLocalsOneStack(VerificationType),
    /// The last 1 to 3 locals are gone, empty stack (`chop_frame`).
    Chop(u8),
    /// 1 to 3 locals more, empty stack (`append_frame`).
    Append(VerificationTypes<'c>),
    /// All types are stated (`full_frame`, and every CLDC frame).
    Full {
        /// All locals.
        locals: VerificationTypes<'c>,
        /// The stack, deepest first.
        stack: VerificationTypes<'c>,
    },
}

/// The `StackMapTable` attribute of a `Code` (JVMS §4.7.4), from version 50 on.
#[derive(Debug, Clone, Copy)]
pub struct StackMapTable<'c>(FrameTable<'c>);

impl<'c> StackMapTable<'c> {
    /// Reads the attribute. Each frame is checked when it is read.
    pub fn parse(class: &'c ClassFile<'c>, attribute: &Attribute<'c>) -> Result<Self> {
        FrameTable::parse(class, attribute).map(Self)
    }

    /// Number of frames that the table states.
    pub fn count(&self) -> u16 {
        self.0.count
    }

    /// The frames in order, each checked to lie inside the attribute.
    pub fn frames(&self) -> Frames<'c> {
        self.0.frames(false)
    }
}

/// The `StackMap` attribute of CLDC (JSR 139, CLDC 1.1, "Stack map attribute"): full frames at
/// absolute positions.
#[derive(Debug, Clone, Copy)]
pub struct CldcStackMap<'c>(FrameTable<'c>);

impl<'c> CldcStackMap<'c> {
    /// Reads the attribute. Each frame is checked when it is read.
    pub fn parse(class: &'c ClassFile<'c>, attribute: &Attribute<'c>) -> Result<Self> {
        FrameTable::parse(class, attribute).map(Self)
    }

    /// Number of frames that the table states.
    pub fn count(&self) -> u16 {
        self.0.count
    }

    /// The frames in file order, all [`FrameKind::Full`].
    pub fn frames(&self) -> Frames<'c> {
        self.0.frames(true)
    }
}

/// A table of frames of either form.
#[derive(Debug, Clone, Copy)]
struct FrameTable<'c> {
    /// The class file up to the attribute's end.
    file: &'c [u8],
    /// Offset of the first frame.
    at: usize,
    end: usize,
    count: u16,
}

impl<'c> FrameTable<'c> {
    fn parse(class: &'c ClassFile<'c>, attribute: &Attribute<'c>) -> Result<Self> {
        let end = attribute.info_range().end;
        let file = class.bytes().get(..end).unwrap_or_default();
        let at = attribute.start + 6;
        let count = u2(file, at).map_err(|_| Error::new(ErrorKind::BadAttributeLength, at))?;
        Ok(Self { file, at: at + 2, end, count })
    }

    fn frames(self, cldc: bool) -> Frames<'c> {
        Frames { file: self.file, at: self.at, end: self.end, left: self.count, next: 0, cldc }
    }
}

/// Frames of one table. It ends after an error. Bytes left over are an error.
#[derive(Debug, Clone)]
pub struct Frames<'c> {
    file: &'c [u8],
    at: usize,
    end: usize,
    left: u16,
    /// The position of an `offset_delta` of 0.
    next: u32,
    cldc: bool,
}

impl<'c> Frames<'c> {
    /// Offset in the file of the next frame.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    fn parse(&mut self) -> Result<Frame<'c>> {
        let (file, start) = (self.file, self.at);
        if self.cldc {
            let bci = Bci(u32::from(u2(file, start)?));
            let (locals, at) = VerificationTypes::parse(file, start + 4, u2(file, start + 2)?)?;
            let (stack, at) = VerificationTypes::parse(file, at + 2, u2(file, at)?)?;
            self.at = at;
            return Ok(Frame { bci, kind: FrameKind::Full { locals, stack } });
        }
        let tag = u1(file, start)?;
        let (delta, kind) = match tag {
            0..=63 => {
                self.at = start + 1;
                (u16::from(tag), FrameKind::Same)
            }
            64..=127 => {
                let (item, at) = VerificationType::parse(file, start + 1)?;
                self.at = at;
                (u16::from(tag - 64), FrameKind::SameLocalsOneStack(item))
            }
            128..=246 => return Err(Error::new(ErrorKind::BadFrame(tag), start)),
            247 => {
                let (item, at) = VerificationType::parse(file, start + 3)?;
                self.at = at;
                (u2(file, start + 1)?, FrameKind::SameLocalsOneStack(item))
            }
            248..=250 => {
                self.at = start + 3;
                (u2(file, start + 1)?, FrameKind::Chop(251 - tag))
            }
            251 => {
                self.at = start + 3;
                (u2(file, start + 1)?, FrameKind::Same)
            }
            252..=254 => {
                let (locals, at) = VerificationTypes::parse(file, start + 3, u16::from(tag - 251))?;
                self.at = at;
                (u2(file, start + 1)?, FrameKind::Append(locals))
            }
            255 => {
                let (locals, at) = VerificationTypes::parse(file, start + 5, u2(file, start + 3)?)?;
                let (stack, at) = VerificationTypes::parse(file, at + 2, u2(file, at)?)?;
                self.at = at;
                (u2(file, start + 1)?, FrameKind::Full { locals, stack })
            }
        };
        let bci = self.next + u32::from(delta);
        self.next = bci + 1;
        Ok(Frame { bci: Bci(bci), kind })
    }
}

impl<'c> Iterator for Frames<'c> {
    type Item = Result<Frame<'c>>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(left) = self.left.checked_sub(1) else {
            let rest = std::mem::replace(&mut self.at, self.end);
            return if rest == self.end {
                None
            } else {
                Some(Err(Error::new(ErrorKind::BadAttributeLength, rest)))
            };
        };
        self.left = left;
        let frame = self.parse();
        if frame.is_err() {
            (self.left, self.at) = (0, self.end);
        }
        Some(frame)
    }
}

impl Default for VerificationTypes<'_> {
    fn default() -> Self {
        VerificationTypes::EMPTY
    }
}
