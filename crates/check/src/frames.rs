//! Stack map frames (JVMS 4.7.4), as they are in full: the original's where their instructions are
//! now, and those of new blocks.

use crate::alignment::Alignment;
use crate::context::Context;
use crate::descriptor::parameters;
use crate::finding::{Fault, Problem};
use crate::method::Method;
use crate::read::Body;
use cafebabe::attributes::{AttributeData, AttributeInfo, StackMapEntry, VerificationType};
use std::collections::BTreeMap;

/// A type in a frame; the place of an uninitialised object is that in the output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type<'c> {
    Top,
    Integer,
    Float,
    Long,
    Double,
    Null,
    UninitializedThis,
    Uninitialized(usize),
    Object(&'c str),
}

/// What is known at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Frame<'c> {
    locals: Vec<Type<'c>>,
    stack: Vec<Type<'c>>,
}

/// More types than this in one method's frames, written out, are not compared.
const MOST_TYPES: usize = 1 << 24;

/// Compares the tables; either may be missing.
pub(crate) fn compare(
    context: &Context<'_, '_>,
    old: Option<&AttributeInfo<'_>>,
    new: Option<&AttributeInfo<'_>>,
    method: &Method<'_>,
) -> Result<(), Problem> {
    let alignment = context.alignment;
    if old.is_none() && new.is_none() {
        let is_bare = alignment.blocks.is_empty() && alignment.entry_frame.is_none();
        return if is_bare || method.major < 51 {
            Ok(())
        } else {
            Err(Fault::new("new blocks have no frames").into())
        };
    }
    if old.is_some() && new.is_none() {
        return Err(Fault::new("has lost its StackMapTable").into());
    }
    let initial = initial(method);
    let olds = expand(old, &initial, |bci| {
        let index = context.before.index_at(bci)?;
        Some(alignment.position(index)?.instruction)
    })?;
    let mut wanted: BTreeMap<usize, Frame<'_>> = BTreeMap::new();
    for (&bci, frame) in &olds {
        let place = context.before.index_at(bci).and_then(|index| alignment.position(index));
        let place =
            place.ok_or_else(|| Problem::NotChecked("a frame is at no instruction".to_owned()))?;
        let mut frame = frame.clone();
        // Older classes have no frames that a JVM reads (JVMS 4.10).
        if method.major >= 50 {
            add_new(&mut frame.locals, context.before.max_locals(), alignment);
        }
        wanted.insert(place.target, frame);
    }
    if let Some(at) = alignment.entry_frame.filter(|_| method.major >= 50) {
        let mut locals = initial.clone();
        add_new(&mut locals, context.before.max_locals(), alignment);
        wanted.entry(at).or_insert(Frame { locals, stack: Vec::new() });
    }
    let needed = wanted.len();
    let blocks = blocks(context, &wanted)?;
    let news = expand(new, &initial, Some)?;
    wanted.extend(blocks);
    let has_all = method.major >= 51;
    for (bci, frame) in &news {
        match wanted.remove(bci) {
            Some(known) if known == *frame => {}
            Some(known) => {
                let what = format!(
                    "the frame has {}, and its original {}",
                    describe(frame),
                    describe(&known)
                );
                return Err(Fault::at(*bci, what).into());
            }
            // The constructor's part before super() has another handler's frame.
            None if is_throw(alignment, *bci) && frame.is_handler_of(method, context) => {}
            None => {
                return Err(Fault::at(
                    *bci,
                    format!("a frame that nobody asked for: {}", describe(frame)),
                )
                .into());
            }
        }
    }
    let lost = wanted.into_keys().find(|bci| has_all || !is_new(alignment, *bci));
    if let Some(bci) = lost.filter(|_| needed > 0 || has_all) {
        return Err(Fault::at(bci, "its frame is lost").into());
    }
    let bare = alignment.blocks.iter().find(|block| has_all && !news.contains_key(&block.start));
    match bare {
        Some(block) => Err(Fault::at(block.start, "a new block has no frame").into()),
        None => Ok(()),
    }
}

fn is_throw(alignment: &Alignment, bci: usize) -> bool {
    alignment.blocks.iter().any(|block| block.start == bci && block.handler.is_none())
}

/// Whether a place is in a block or a trampoline.
fn is_new(alignment: &Alignment, bci: usize) -> bool {
    let in_island = |island: &crate::alignment::Island| {
        island.head == Some(bci) || island.slots.iter().any(|slot| slot.0 == bci)
    };
    alignment.blocks.iter().any(|block| block.start == bci)
        || alignment.islands.iter().any(in_island)
}

impl Frame<'_> {
    /// Whether it is that of a block that throws on: nothing is known but the throwable, the new
    /// variables, and in a constructor that `this` may be uninitialised.
    fn is_handler_of(&self, method: &Method<'_>, context: &Context<'_, '_>) -> bool {
        let with_new = |mut locals: Vec<Type<'static>>| {
            add_new(&mut locals, context.before.max_locals(), context.alignment);
            locals
        };
        let is_early =
            || method.is_constructor() && self.locals == with_new(vec![Type::UninitializedThis]);
        self.stack == [Type::Object("java/lang/Throwable")]
            && (self.locals == with_new(Vec::new()) || is_early())
    }
}

/// The frames of stubs and trampolines, which are those of where they lead, and of jumps over
/// trampolines.
fn blocks<'c>(
    context: &Context<'_, '_>,
    known: &BTreeMap<usize, Frame<'c>>,
) -> Result<BTreeMap<usize, Frame<'c>>, Fault> {
    let mut frames = BTreeMap::new();
    let alignment = context.alignment;
    let stubs = alignment.blocks.iter().filter_map(|block| Some((block.start, block.handler?)));
    let slots = alignment.islands.iter().flat_map(|island| island.slots.iter().copied());
    let heads = alignment.islands.iter().filter_map(|island| {
        let place = alignment.position(island.before)?;
        Some((island.head?, place.target))
    });
    for (at, target) in stubs.chain(slots).chain(heads) {
        if let Some(frame) = known.get(&target) {
            frames.insert(at, frame.clone());
        }
    }
    Ok(frames)
}

/// Adds the variables of the probes behind all `old` ones of the original.
fn add_new(locals: &mut Vec<Type<'_>>, old: usize, alignment: &Alignment) {
    let new = alignment.new_locals();
    if new == 0 {
        return;
    }
    let words: usize =
        locals.iter().map(|of| if matches!(of, Type::Long | Type::Double) { 2 } else { 1 }).sum();
    locals.extend(std::iter::repeat_n(Type::Top, old.saturating_sub(words)));
    locals.extend(std::iter::repeat_n(Type::Integer, new));
}

/// The frame at the method's start (JVMS 4.10.1.6).
fn initial<'m>(method: &'m Method<'_>) -> Vec<Type<'m>> {
    let mut locals = Vec::new();
    if !method.is_static {
        let is_early = method.is_constructor() && method.class != "java/lang/Object";
        locals.push(if is_early { Type::UninitializedThis } else { Type::Object(&method.class) });
    }
    locals.extend(parameters(&method.descriptor).into_iter().map(|of| match of {
        "J" => Type::Long,
        "F" => Type::Float,
        "D" => Type::Double,
        "B" | "C" | "I" | "S" | "Z" => Type::Integer,
        of => Type::Object(of.strip_prefix('L').and_then(|of| of.strip_suffix(';')).unwrap_or(of)),
    }));
    locals
}

/// Whether a method's table has a frame at `bci`.
pub(crate) fn is_at(body: Body<'_>, bci: usize) -> bool {
    let tables = body.attributes().iter().filter_map(|attribute| match &attribute.data {
        AttributeData::StackMapTable(entries) => Some(entries),
        _ => None,
    });
    let mut next = 0;
    tables.flatten().any(|entry| {
        let delta = match entry {
            StackMapEntry::Same { offset_delta }
            | StackMapEntry::SameLocals1StackItem { offset_delta, .. }
            | StackMapEntry::Chop { offset_delta, .. }
            | StackMapEntry::Append { offset_delta, .. }
            | StackMapEntry::FullFrame { offset_delta, .. } => usize::from(*offset_delta),
        };
        let at = next + delta;
        next = at + 1;
        at == bci
    })
}

/// All frames of a table in full, by bci. `place` says where the `new` of an uninitialised object
/// is in the output.
fn expand<'c>(
    attribute: Option<&'c AttributeInfo<'c>>,
    initial: &[Type<'c>],
    place: impl Fn(usize) -> Option<usize>,
) -> Result<BTreeMap<usize, Frame<'c>>, Problem> {
    let mut frames = BTreeMap::new();
    let Some(AttributeData::StackMapTable(entries)) = attribute.map(|attribute| &attribute.data)
    else {
        return Ok(frames);
    };
    let damaged = |what: &str| Problem::NotChecked(format!("a StackMapTable {what}"));
    let known = |of: &'c VerificationType<'c>| {
        Ok(match of {
            VerificationType::Top => Type::Top,
            VerificationType::Integer => Type::Integer,
            VerificationType::Float => Type::Float,
            VerificationType::Long => Type::Long,
            VerificationType::Double => Type::Double,
            VerificationType::Null => Type::Null,
            VerificationType::UninitializedThis => Type::UninitializedThis,
            VerificationType::Uninitialized { code_offset } => Type::Uninitialized(
                place(usize::from(*code_offset)).ok_or_else(|| damaged("names no instruction"))?,
            ),
            VerificationType::Object { class_name } => Type::Object(class_name),
        })
    };
    let all = |types: &'c [VerificationType<'c>]| {
        types.iter().map(known).collect::<Result<Vec<_>, Problem>>()
    };
    let mut locals = initial.to_vec();
    let (mut next, mut types) = (0, 0);
    for entry in entries {
        let (delta, stack) = match entry {
            StackMapEntry::Same { offset_delta } => (*offset_delta, Vec::new()),
            StackMapEntry::SameLocals1StackItem { offset_delta, stack } => {
                (*offset_delta, vec![known(stack)?])
            }
            StackMapEntry::Chop { offset_delta, chop_count } => {
                let left = locals.len().checked_sub(usize::from(*chop_count));
                locals.truncate(left.ok_or_else(|| damaged("takes away more than there is"))?);
                (*offset_delta, Vec::new())
            }
            StackMapEntry::Append { offset_delta, locals: more } => {
                locals.extend(all(more)?);
                (*offset_delta, Vec::new())
            }
            StackMapEntry::FullFrame { offset_delta, locals: whole, stack } => {
                locals = all(whole)?;
                (*offset_delta, all(stack)?)
            }
        };
        let bci = next + usize::from(delta);
        next = bci + 1;
        types += locals.len() + stack.len();
        if types > MOST_TYPES {
            return Err(damaged("is too large"));
        }
        frames.insert(bci, Frame { locals: locals.clone(), stack });
    }
    Ok(frames)
}

fn describe(frame: &Frame<'_>) -> String {
    format!("locals {:?}, stack {:?}", frame.locals, frame.stack)
}
