//! The description of the types: a tree of elements with attributes.

use crate::{bytes::Bytes, error::Problem};
use std::{collections::HashMap, sync::Arc};

/// Elements are nested so deep at most: root, metadata, class, field, annotation.
const DEPTH: usize = 16;

/// The types of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    types: HashMap<u64, Type>,
    numbers: HashMap<Arc<str>, u64>,
}

#[derive(Debug)]
pub(crate) struct Type {
    pub name: Arc<str>,
    pub fields: Vec<Field>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub name: Arc<str>,
    /// The number of its type.
    pub of: u64,
    /// Whether it is a key of the type's constants.
    pub is_constant: bool,
    pub is_array: bool,
}

impl Metadata {
    /// Reads the fields of a metadata event.
    pub fn read(bytes: &mut Bytes) -> Result<Self, Problem> {
        // Time, duration, and the number of the metadata.
        for _ in 0..3 {
            bytes.long()?;
        }
        let count = bytes.count()?;
        let texts = (0..count).map(|_| Ok(bytes.text()?.unwrap_or_default()));
        let texts = texts.collect::<Result<Vec<Arc<str>>, Problem>>()?;
        let mut reader = Elements { texts, metadata: Self::default() };
        reader.read(bytes, &mut None, DEPTH)?;
        Ok(reader.metadata)
    }

    pub fn get(&self, of: u64) -> Option<&Type> {
        self.types.get(&of)
    }

    /// The number of the type with this name.
    pub fn find(&self, name: &str) -> Option<u64> {
        self.numbers.get(name).copied()
    }
}

struct Elements {
    texts: Vec<Arc<str>>,
    metadata: Metadata,
}

impl Elements {
    fn text(&self, bytes: &mut Bytes) -> Result<Arc<str>, Problem> {
        let at = bytes.int()?;
        let text = usize::try_from(at).ok().and_then(|at| self.texts.get(at));
        text.cloned().ok_or(Problem::Damaged("a text of the metadata is not there"))
    }

    /// Reads an element with its children. `parent` is the class that it stands in.
    fn read(
        &mut self,
        bytes: &mut Bytes,
        parent: &mut Option<Type>,
        depth: usize,
    ) -> Result<(), Problem> {
        let below = depth.checked_sub(1).ok_or(Problem::Damaged("types are nested too deep"))?;
        let element = self.text(bytes)?;
        let mut attributes: HashMap<Arc<str>, Arc<str>> = HashMap::new();
        for _ in 0..bytes.count()? {
            let key = self.text(bytes)?;
            attributes.insert(key, self.text(bytes)?);
        }
        let number = |key| attributes.get(key).and_then(|text: &Arc<str>| text.parse::<u64>().ok());
        let name = || attributes.get("name").cloned().unwrap_or_default();
        let mut own = None;
        match &*element {
            "class" => own = Some(Type { name: name(), fields: Vec::new() }),
            "field" => {
                let of = number("class").ok_or(Problem::Damaged("a field without a type"))?;
                let field = Field {
                    name: name(),
                    of,
                    is_constant: attributes.get("constantPool").is_some_and(|v| &**v == "true"),
                    is_array: number("dimension").is_some_and(|dimension| dimension > 0),
                };
                if let Some(class) = parent {
                    class.fields.push(field);
                }
            }
            _ => {}
        }
        for _ in 0..bytes.count()? {
            self.read(bytes, &mut own, below)?;
        }
        if let Some(class) = own {
            let id = number("id").ok_or(Problem::Damaged("a type without a number"))?;
            self.metadata.numbers.insert(class.name.clone(), id);
            self.metadata.types.insert(id, class);
        }
        Ok(())
    }
}
