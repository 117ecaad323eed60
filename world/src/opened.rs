//! A class path and a JDK, opened.

use crate::jdk;
use crate::program::{Held, Program};
use crate::{Error, JdkFacts, Notice, Options, Statistics};
use jfathom_archive::{Input, modules, open_all};
use jfathom_reachability::{ClassSource, Container, ContainerKind, World, module_provides, provider_file};
use std::borrow::Cow;
use std::path::PathBuf;

/// A program and its JDK, ready to be walked through.
///
/// It lives as long as the containers that [`open_inputs`] borrowed.
#[derive(Debug)]
pub struct Opened<'i> {
    program: Program<'i>,
    modules: Vec<Input>,
    jdk: JdkFacts,
    services: Vec<(String, String)>,
    notices: Vec<Notice>,
    statistics: Statistics,
}

/// Opens the jars and directories of a class path, with what their manifests' `Class-Path` names unless
/// [`Options::follow_class_path`] forbids it, the jars inside them, and the JDK.
///
/// # Errors
/// A path that cannot be opened; no JDK, or one that cannot be read.
pub fn open(paths: &[PathBuf], options: &Options) -> Result<Opened<'static>, Error> {
    let opened = open_all(paths, options.follow_class_path, &options.limits)?;
    let inputs = opened.inputs.into_iter().map(|input| Held::Own(Box::new(input))).collect();
    let notices = opened.notices.into_iter().map(Notice::of_archive).collect();
    build(inputs, notices, options)
}

/// As [`open`], of containers that are open already, in class path order.
///
/// # Errors
/// As for [`open`].
pub fn open_inputs<'i>(inputs: impl IntoIterator<Item = &'i Input>, options: &Options) -> Result<Opened<'i>, Error> {
    build(inputs.into_iter().map(Held::Callers).collect(), Vec::new(), options)
}

fn build<'i>(inputs: Vec<Held<'i>>, mut notices: Vec<Notice>, options: &Options) -> Result<Opened<'i>, Error> {
    let home = jdk::find(options.jdk.as_deref())?;
    let mut program = Program::default();
    for input in inputs {
        program.add(input, &mut notices)?;
    }
    let modules: Vec<Input> =
        modules(&home)?.iter().map(|module| Input::open_module(&home, module)).collect::<Result<_, _>>()?;
    let version = jdk::version_of(&home).unwrap_or_default();
    let release = jdk::feature(&version).unwrap_or(17);
    let mut services = Vec::new();
    for input in &modules {
        services.extend(module_provides(&input.read("module-info.class")?.unwrap_or_default()).unwrap_or_default());
    }
    for (container, &input) in program.containers.iter().zip(&program.input_of) {
        for entry in &container.entries {
            let Some(inner) = entry.strip_prefix(&container.prefix) else { continue };
            if inner.starts_with("META-INF/services/") {
                let text = program.inputs[input].read(entry)?.unwrap_or_default();
                services.extend(provider_file(inner, &text));
            } else if inner == "module-info.class" {
                let bytes = program.inputs[input].read(entry)?.unwrap_or_default();
                services.extend(module_provides(&bytes).unwrap_or_default());
            }
        }
    }
    Ok(Opened {
        program,
        modules,
        jdk: JdkFacts { home, release, version },
        services,
        notices,
        statistics: Statistics::default(),
    })
}

impl Opened<'_> {
    /// A world of it. Nothing but what is asked for is read.
    pub fn world(&self) -> World<'_> {
        let mut containers = self.program.containers.clone();
        containers.extend(self.modules.iter().map(|input| Container {
            label: input.place().to_string(),
            kind: ContainerKind::Jdk,
            multi_release: false,
            prefix: String::new(),
            entries: input.names().map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned()).collect(),
        }));
        World::new(self, containers, self.jdk.release)
    }

    /// The services and their providers that modules and `META-INF/services` declare, as internal names, for
    /// [`Question::services`](jfathom_reachability::Question).
    pub fn services(&self) -> &[(String, String)] {
        &self.services
    }

    /// What was noticed while it was opened; a world has notices of its own.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The JDK.
    pub fn jdk(&self) -> &JdkFacts {
        &self.jdk
    }

    /// Counts.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl ClassSource for Opened<'_> {
    fn read(&self, container: usize, _: usize, name: &str) -> Result<Cow<'_, [u8]>, String> {
        let input: Option<&Input> = match self.program.input_of.get(container) {
            Some(&at) => self.program.inputs.get(at).map(|input| &**input),
            None => self.modules.get(container - self.program.input_of.len()),
        };
        let input = input.ok_or("no such container")?;
        let read = input.read(name).map_err(|error| error.kind().to_string())?;
        read.map(Cow::Owned).ok_or_else(|| "there is no such entry".to_owned())
    }
}
