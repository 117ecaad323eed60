//! The reference of JSON documents: schemas and tables, made from the structs that are written.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, VecDeque},
    fs,
    path::{Path, PathBuf},
};

/// The page with the tables. What stands between `<!-- NAME -->` and `<!-- end -->` is generated.
const PAGE: &str = "reference/json.md";

/// A kind of JSON documents.
#[derive(Debug)]
pub struct Documents {
    name: String,
    schema: Value,
}

impl Documents {
    /// The documents that this type serializes to.
    pub fn of<T: JsonSchema>(name: &str) -> Self {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let mut schema = generator.into_root_schema_for::<T>();
        schema.insert("title".to_owned(), format!("jfathom {name}").into());
        Self { name: name.to_owned(), schema: schema.to_value() }
    }

    /// The documents of a command, by their schema in `docs`.
    pub fn written(name: &str) -> Self {
        let file = docs().join(format!("schema/{name}.json"));
        let schema = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self { name: name.to_owned(), schema: serde_json::from_slice(&schema).unwrap() }
    }

    /// # Panics
    /// If another implementation of JSON Schema does not take this document for one of these, or if
    /// the schema does not name one of its keys.
    pub fn hold(&self, document: &[u8]) {
        let document = serde_json::from_slice(document).unwrap();
        let mut closed = self.schema.clone();
        close(&mut closed);
        let validator = jsonschema::draft202012::new(&closed).unwrap();
        let faults: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error:.300}", error.instance_path()))
            .collect();
        assert!(faults.is_empty(), "jfathom {}: {faults:#?}", self.name);
    }
}

/// Forbids keys that the schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            keys.values_mut().for_each(close);
            if keys.get("properties").is_some_and(Value::is_object) {
                keys.insert("unevaluatedProperties".to_owned(), false.into());
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(close),
        _ => {}
    }
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Holds the schemas in `docs/schema` and the tables of the page against the documents; with
/// `JFATHOM_WRITE_COMMANDS=1` in the environment it writes them.
///
/// # Panics
/// If one is not current.
pub fn hold_reference(all: &[Documents]) {
    let docs = docs();
    let mut page = fs::read_to_string(docs.join(PAGE)).unwrap();
    let mut shown = BTreeMap::new();
    for documents in all {
        let schema = serde_json::to_string_pretty(&documents.schema).unwrap() + "\n";
        hold(&docs.join(format!("schema/{}.json", documents.name)), &schema);
        let begin = format!("<!-- {} -->\n", documents.name);
        let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
        let (_, after) = rest.split_once("<!-- end -->").unwrap();
        let tables = tables(&documents.schema, &mut shown);
        page = format!("{before}{begin}{tables}<!-- end -->{after}");
    }
    let mut titles: Vec<&str> = page.lines().filter(|line| line.starts_with("### ")).collect();
    let count = titles.len();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), count, "two objects of the page have the same name");
    hold(&docs.join(PAGE), &page);
}

fn hold(file: &Path, text: &str) {
    if std::env::var_os("JFATHOM_WRITE_COMMANDS").is_some_and(|value| value == "1") {
        fs::write(file, text).unwrap();
    }
    assert!(
        fs::read_to_string(file).is_ok_and(|written| written == text),
        "{} is old: JFATHOM_WRITE_COMMANDS=1 cargo test --workspace -- the_reference",
        file.display()
    );
}

/// The table of a document, and those of its objects that are not shown yet, in the order in which
/// they are named.
fn tables(schema: &Value, shown: &mut BTreeMap<String, Value>) -> String {
    let objects = schema["$defs"].as_object().cloned().unwrap_or_default();
    let mut named = VecDeque::new();
    let mut text = match schema.get("properties") {
        Some(_) => table(schema, &objects, &mut named),
        None => format!("\n{}\n", kind(schema, &objects, &mut named)),
    };
    while let Some(name) = named.pop_front() {
        let object = &objects[&name];
        match shown.insert(name.clone(), object.clone()) {
            None => text += &format!("\n### {name}\n{}", table(object, &objects, &mut named)),
            Some(other) => assert_eq!(&other, object, "two objects have the name {name}"),
        }
    }
    text
}

/// What an object is, and its keys; or what an enumeration is, and its values.
fn table(object: &Value, objects: &Map<String, Value>, named: &mut VecDeque<String>) -> String {
    let mut text = String::new();
    if let Some(meaning) = object["description"].as_str() {
        text += &format!("\n{}\n", sentence(meaning));
    }
    let Some(keys) = object["properties"].as_object() else {
        return text + &format!("\n{}\n", values(object).join(", "));
    };
    text += "\n|key|type|meaning|\n|-|-|-|\n";
    let required = object["required"].as_array();
    for (key, value) in keys {
        let is_there = required.is_some_and(|keys| keys.iter().any(|other| other == key));
        let kind = kind(value, objects, named);
        // A key is left out where it would be null.
        let (key, kind) = match is_there {
            true => (format!("`{key}`"), &*kind),
            false => (format!("*`{key}`*"), kind.trim_end_matches('?')),
        };
        let meaning = value["description"].as_str().map(sentence).unwrap_or_default();
        text += &format!("|{key}|{kind}|{}|\n", meaning.replace('|', "\\|"));
    }
    text
}

/// A documentation comment in one line.
fn sentence(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The values of an enumeration, each with what it means.
fn values(schema: &Value) -> Vec<String> {
    let [some, more] = ["enum", "oneOf"].map(|key| schema[key].as_array().into_iter().flatten());
    let all = more.flat_map(|value| match (&value["const"], value["description"].as_str()) {
        (Value::String(word), Some(meaning)) => {
            vec![format!("`{word}` ({})", sentence(meaning).trim_end_matches('.'))]
        }
        (Value::String(word), None) => vec![format!("`{word}`")],
        _ => values(value),
    });
    some.filter_map(Value::as_str).map(|word| format!("`{word}`")).chain(all).collect()
}

/// The type of a value; objects and enumerations that it names are added to `named`.
fn kind(schema: &Value, objects: &Map<String, Value>, named: &mut VecDeque<String>) -> String {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let object = &objects[&name];
        if object["enum"].is_array() && object["description"].is_null() {
            return values(object).join(", ");
        }
        let link = format!("[{name}](#{})", name.to_lowercase());
        named.push_back(name);
        return link;
    }
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if let Some([one, _null]) = schema["anyOf"].as_array().map(Vec::as_slice) {
        return kind(one, objects, named) + "?";
    }
    let (word, null) = match &schema["type"] {
        Value::Array(words) => (words[0].as_str(), "?"),
        word => (word.as_str(), ""),
    };
    let word = match (word, &schema["additionalProperties"]) {
        (Some("array"), _) => kind(&schema["items"], objects, named) + "[]",
        (Some("object"), values @ Value::Object(_)) => {
            format!("{{{}}}", kind(values, objects, named))
        }
        (Some(word), _) => word.to_owned(),
        (None, _) => panic!("a schema without a type: {schema}"),
    };
    word + null
}
