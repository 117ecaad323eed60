//! The program's containers: inputs, their nested jars, and the folders with classes.

use crate::{Error, Notice};
use jfathom_archive::Notice::PassedOver;
use jfathom_archive::{EntryName, Input, InputKind};
use jfathom_reachability::{Container, ContainerKind};
use std::ops::Deref;

/// Folders of an archive that class loaders treat as its root: Spring Boot's, and that of the
/// servlet specification (10.5).
const CLASS_FOLDERS: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];

/// A borrowed or owned container.
#[derive(Debug)]
pub(crate) enum InputRef<'i> {
    Own(Box<Input>),
    Callers(&'i Input),
}

impl Deref for InputRef<'_> {
    type Target = Input;

    fn deref(&self) -> &Input {
        match self {
            Self::Own(input) => input,
            Self::Callers(input) => input,
        }
    }
}

/// The program's class path.
#[derive(Debug, Default)]
pub(crate) struct Program<'i> {
    pub(crate) inputs: Vec<InputRef<'i>>,
    /// The containers as worlds need them.
    pub(crate) containers: Vec<Container>,
    /// By container: the position of its input.
    pub(crate) input_of: Vec<usize>,
}

impl<'i> Program<'i> {
    /// Adds a container and its nested jars.
    ///
    /// A class loader with such folders searches them first, then the libraries. The root of the
    /// archive only starts it. Without such folders the root comes first.
    pub(crate) fn add(
        &mut self,
        input: InputRef<'i>,
        notices: &mut Vec<Notice>,
    ) -> Result<(), Error> {
        let (nested, found) = match (input.nested(), &input) {
            (Ok(nested), _) => nested,
            (Err(error), InputRef::Callers(_)) => return Err(error.into()),
            // Of a class path nothing is required.
            (Err(error), InputRef::Own(input)) => {
                let (location, problem) = (input.location().clone(), error.kind().problem());
                notices.push(Notice::of_archive(PassedOver { location, problem }));
                return Ok(());
            }
        };
        notices.extend(found.into_iter().map(Notice::of_archive));
        if nested.is_empty() && !input.names().any(EntryName::is_class) {
            notices.push(Notice::NoClasses { location: input.location().to_string() });
        }
        let (at, folders) = (self.inputs.len(), folders(&input));
        self.hold(input, notices);
        for folder in &folders {
            self.push(at, folder, &[], notices);
        }
        if folders.is_empty() {
            self.push(at, "", &[], notices);
        }
        for input in nested {
            let inner = self.inputs.len();
            self.hold(InputRef::Own(Box::new(input)), notices);
            self.push(inner, "", &[], notices);
        }
        if !folders.is_empty() {
            self.push(at, "", &folders, notices);
        }
        Ok(())
    }

    fn hold(&mut self, input: InputRef<'i>, notices: &mut Vec<Notice>) {
        notices.extend(input.notices().iter().cloned().map(Notice::of_archive));
        self.inputs.push(input);
    }

    /// Adds the classes of an input below `prefix`, without those below the folders `without`.
    /// Where the jar manifest cannot be read it says nothing.
    fn push(&mut self, at: usize, prefix: &str, without: &[&str], notices: &mut Vec<Notice>) {
        let Some(input) = self.inputs.get(at) else { return };
        let manifest = input.manifest().unwrap_or_else(|error| {
            let (location, problem) = (error.location().to_string(), error.kind().problem());
            notices.push(Notice::NotRead { location, problem });
            None
        });
        let flag = manifest.as_ref().and_then(|manifest| manifest.main().get("Multi-Release"));
        let visible = |name: &EntryName| match name.as_str() {
            Some(text) if !without.iter().any(|folder| text.starts_with(folder)) => text.to_owned(),
            // Its position stays taken.
            _ => String::new(),
        };
        let container = Container {
            label: input.location().to_string(),
            kind: ContainerKind::Program,
            multi_release: input.kind() == InputKind::Archive
                && flag.is_some_and(|flag| flag.eq_ignore_ascii_case("true")),
            prefix: prefix.to_owned(),
            entries: input.names().map(visible).collect(),
        };
        self.containers.push(container);
        self.input_of.push(at);
    }
}

/// The folders that an archive has.
fn folders(input: &Input) -> Vec<&'static str> {
    let has =
        |folder: &str| input.names().any(|name| name.as_bytes().starts_with(folder.as_bytes()));
    let is_archive = input.kind() == InputKind::Archive;
    CLASS_FOLDERS.into_iter().filter(|folder| is_archive && has(folder)).collect()
}
