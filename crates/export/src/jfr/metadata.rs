//! The metadata event: the description of all types, a tree of elements with attributes.

use super::{
    encoding::Encoder,
    types::{Annotation, Field, FieldKind, TYPES, Type},
};
use crate::strings::Strings;

/// The type of the metadata event.
const METADATA: u64 = 0;

struct Element {
    name: &'static str,
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
}

impl Element {
    fn new<const N: usize>(name: &'static str, attributes: [(&str, String); N]) -> Self {
        let attributes = attributes.into_iter().map(|(key, value)| (key.to_owned(), value));
        Self { name, attributes: attributes.collect(), children: Vec::new() }
    }

    /// Indexes of the element's texts into `strings`, its counts, and its children.
    fn encode(&self, strings: &mut Strings, out: &mut Encoder) {
        out.number(strings.place(self.name)).number(self.attributes.len() as u64);
        for (key, value) in &self.attributes {
            out.number(strings.place(key)).number(strings.place(value));
        }
        out.number(self.children.len() as u64);
        self.children.iter().for_each(|child| child.encode(strings, out));
    }
}

/// The event without its size, at time 0.
pub(super) fn event() -> Encoder {
    let mut metadata = Element::new("metadata", []);
    metadata.children = TYPES.iter().map(of_type).collect();
    let region = Element::new("region", [("locale", "en_US".into()), ("gmtOffset", "0".into())]);
    let mut root = Element::new("root", []);
    root.children = vec![metadata, region];
    let mut strings = Strings::default();
    let mut elements = Encoder::default();
    root.encode(&mut strings, &mut elements);
    let mut event = Encoder::default();
    // Type, time, duration, and a number of the metadata.
    event.number(METADATA).number(0).number(0).number(1);
    event.number(strings.texts().len() as u64);
    strings.texts().iter().for_each(|text| {
        event.string(text);
    });
    event.append(&elements);
    event
}

fn of_type(of: &Type) -> Element {
    let mut class = Element::new("class", [("id", id(of.id as u8)), ("name", of.name.into())]);
    if let Some(super_type) = of.super_type {
        class.attributes.push(("superType".to_owned(), super_type.to_owned()));
    }
    if of.is_simple {
        class.attributes.push(("simpleType".to_owned(), "true".to_owned()));
    }
    let annotations = of.annotations.iter().map(of_annotation);
    class.children = annotations.chain(of.fields.iter().map(of_field)).collect();
    class
}

fn of_field(of: &Field) -> Element {
    let mut field = Element::new("field", [("name", of.name.into()), ("class", id(of.of as u8))]);
    match of.kind {
        FieldKind::Value => {}
        FieldKind::Constant => field.attributes.push(("constantPool".into(), "true".into())),
        FieldKind::Array => field.attributes.push(("dimension".into(), "1".into())),
    }
    field.children = of.annotations.iter().map(of_annotation).collect();
    field
}

fn of_annotation(Annotation(of, values): &Annotation) -> Element {
    let mut annotation = Element::new("annotation", [("class", id(*of as u8))]);
    let is_array = TYPES
        .iter()
        .find(|known| known.id == *of)
        .is_some_and(|known| known.fields.iter().any(|field| field.kind == FieldKind::Array));
    for (value, at) in values.iter().zip(0..) {
        let key = if is_array { format!("value-{at}") } else { "value".to_owned() };
        annotation.attributes.push((key, (*value).to_owned()));
    }
    annotation
}

fn id(of: u8) -> String {
    of.to_string()
}
