//! What a value of a type consists of: a list of parts without names, so that a value can be passed
//! over.

use crate::{
    bytes::Bytes,
    error::Problem,
    metadata::{Field, Metadata},
};
use std::{collections::HashMap, rc::Rc};

/// One part of a value. Each has at least one byte, so that reading ends.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// So many bytes, whatever numbers are otherwise.
    Plain(usize),
    /// A number of so many bytes where numbers are not compressed.
    Number(usize),
    Text,
    /// Elements of these parts, and their number before them.
    Array(Rc<[Part]>),
}

/// The parts of a type, with the places of its fields.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub parts: Rc<[Part]>,
    /// The name of each field, and the first of its parts.
    fields: Rc<[(Rc<str>, usize)]>,
}

impl Layout {
    /// The place of a field among the parts.
    pub fn place(&self, field: &str) -> Option<usize> {
        self.fields.iter().find(|(name, _)| &**name == field).map(|(_, at)| *at)
    }
}

/// The layouts of a chunk's types.
#[derive(Debug)]
pub(crate) struct Layouts<'a> {
    metadata: &'a Metadata,
    known: HashMap<u64, Layout>,
    /// Parts that may still be made. Types that contain each other would have no end.
    budget: usize,
}

/// Parts of all types of a chunk. The JDK's have some thousand.
const BUDGET: usize = 200_000;
/// Types contain types so deep at most.
const DEPTH: usize = 8;

impl<'a> Layouts<'a> {
    pub fn new(metadata: &'a Metadata) -> Self {
        Self { metadata, known: HashMap::new(), budget: BUDGET }
    }

    pub fn get(&mut self, of: u64) -> Result<Layout, Problem> {
        if let Some(layout) = self.known.get(&of) {
            return Ok(layout.clone());
        }
        let mut parts = Vec::new();
        let mut fields = Vec::new();
        match self.metadata.get(of) {
            None => return Err(Problem::Damaged("a type is not described")),
            Some(found) => match primitive(&found.name) {
                Some(part) => self.push(&mut parts, part)?,
                None => {
                    for field in &found.fields {
                        fields.push((Rc::from(&*field.name), parts.len()));
                        self.field(field, &mut parts, DEPTH)?;
                    }
                }
            },
        }
        let layout = Layout { parts: parts.into(), fields: fields.into() };
        self.known.insert(of, layout.clone());
        Ok(layout)
    }

    fn push(&mut self, parts: &mut Vec<Part>, part: Part) -> Result<(), Problem> {
        self.budget = self.budget.checked_sub(1).ok_or(Problem::Damaged("types without an end"))?;
        parts.push(part);
        Ok(())
    }

    fn field(&mut self, field: &Field, parts: &mut Vec<Part>, depth: usize) -> Result<(), Problem> {
        if !field.is_array {
            return self.value(field, parts, depth);
        }
        let mut element = Vec::new();
        self.value(field, &mut element, depth)?;
        if element.is_empty() {
            return Err(Problem::Damaged("elements without bytes"));
        }
        self.push(parts, Part::Array(element.into()))
    }

    fn value(&mut self, field: &Field, parts: &mut Vec<Part>, depth: usize) -> Result<(), Problem> {
        if field.is_constant {
            return self.push(parts, Part::Number(8));
        }
        let below = depth.checked_sub(1).ok_or(Problem::Damaged("types are nested too deep"))?;
        let metadata = self.metadata;
        let found = metadata.get(field.of).ok_or(Problem::Damaged("a type is not described"))?;
        if let Some(part) = primitive(&found.name) {
            return self.push(parts, part);
        }
        for field in &found.fields {
            // A type without parts costs nothing but this loop, and is in the budget for it.
            self.budget =
                self.budget.checked_sub(1).ok_or(Problem::Damaged("types without an end"))?;
            self.field(field, parts, below)?;
        }
        Ok(())
    }
}

/// The part that a type of the format's own is.
fn primitive(name: &str) -> Option<Part> {
    Some(match name {
        "boolean" | "byte" => Part::Plain(1),
        "float" => Part::Plain(4),
        "double" => Part::Plain(8),
        "char" | "short" => Part::Number(2),
        "int" => Part::Number(4),
        "long" => Part::Number(8),
        "java.lang.String" => Part::Text,
        _ => return None,
    })
}

/// Passes over a part.
pub(crate) fn skip(bytes: &mut Bytes, part: &Part) -> Result<(), Problem> {
    match part {
        Part::Plain(count) => bytes.take(*count).map(drop),
        Part::Number(width) => bytes.number(*width).map(drop),
        Part::Text => bytes.skip_text(),
        Part::Array(element) => {
            for _ in 0..bytes.count()? {
                skip_all(bytes, element)?;
            }
            Ok(())
        }
    }
}

/// Passes over parts.
pub(crate) fn skip_all(bytes: &mut Bytes, parts: &[Part]) -> Result<(), Problem> {
    parts.iter().try_for_each(|part| skip(bytes, part))
}

/// Reads parts, and returns the numbers of those at the wanted places; zero where there is none.
pub(crate) fn numbers<const N: usize>(
    bytes: &mut Bytes,
    parts: &[Part],
    wanted: [Option<usize>; N],
) -> Result<[u64; N], Problem> {
    let mut found = [0; N];
    for (at, part) in parts.iter().enumerate() {
        match (wanted.iter().position(|place| *place == Some(at)), part) {
            (Some(which), Part::Number(width)) => found[which] = bytes.number(*width)?,
            (Some(which), Part::Plain(1)) => found[which] = bytes.byte()?.into(),
            _ => skip(bytes, part)?,
        }
    }
    Ok(found)
}
