//! Class files on a class path, to read methods that a profile names.

use crate::{
    class_path_entries::expand,
    error::{Result, usage},
    sources::WAR_CLASSES,
};
use jfathom_archive::{Input, Limits, Work};
use jfathom_plan::{ClassHierarchy, Digest, MANIFEST_PATH, MethodKey, MethodLines};
use jfathom_rewriter::{Digests, method_lines, summarize, superclass};
use std::{
    collections::{BTreeSet, HashMap},
    ffi::OsStr,
};

/// The class files of a class path, as far as they were asked for.
#[derive(Debug, Default)]
pub struct CodePath {
    /// By internal name, in the order of the class path. Multi-release jars have several.
    classes: HashMap<String, Vec<ClassBytes>>,
    hierarchy: ClassHierarchy,
    passed_over: Vec<String>,
}

/// Who made a file.
enum Origin {
    Compiled,
    Rewritten,
}

#[derive(Debug)]
struct ClassBytes {
    place: String,
    bytes: Vec<u8>,
}

/// What a class path says of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeAnswer {
    /// Its code is the recorded one.
    Recorded {
        /// The class file: `app.jar!com/acme/Engine.class`.
        place: String,
        /// Lines and calls.
        lines: MethodLines,
    },
    /// Its code has another digest than the recorded one, or none that can be read.
    Different {
        /// The class file.
        place: String,
    },
    /// No class file has the method.
    Absent,
}

impl CodePath {
    /// Reads the classes with these internal names from jars, class directories and nested jars.
    /// `class_path` is as for `java -cp`; `lib/*` stands for the jars of a folder. An entry that
    /// cannot be read is passed over, as by the JVM.
    ///
    /// # Errors
    /// Fails if an entry was rewritten by jfathom: its lines would be those of code with probes.
    pub fn read(class_path: &OsStr, classes: &BTreeSet<&str>) -> Result<Self> {
        let mut all = Self::default();
        for path in expand(class_path) {
            match Input::open_to_read(&path, &Limits::default())
                .and_then(|input| all.add(&input, classes))
            {
                Ok(Origin::Compiled) => {}
                Ok(Origin::Rewritten) => {
                    return Err(usage(format!(
                        "{}: was rewritten; name the file that it was made of",
                        path.display()
                    )));
                }
                Err(error) => all.passed_over.push(format!(
                    "{}: passed over on the class path: {}",
                    path.display(),
                    error.kind().problem()
                )),
            }
        }
        Ok(all)
    }

    /// Entries that could not be read, with the reason.
    pub fn passed_over(&self) -> &[String] {
        &self.passed_over
    }

    fn add(
        &mut self,
        input: &Input,
        classes: &BTreeSet<&str>,
    ) -> Result<Origin, jfathom_archive::Error> {
        for folder in ["", WAR_CLASSES] {
            if input.read(&format!("{folder}{MANIFEST_PATH}"))?.is_some() {
                return Ok(Origin::Rewritten);
            }
        }
        let visited = input.visit(&Work::default(), |entry, bytes| {
            let name = entry.name().class_name().filter(|name| classes.contains(name));
            let found = name.map(|name| {
                let place = entry.location().to_string();
                (name.to_owned(), ClassBytes { place, bytes: bytes.to_vec() })
            });
            (superclass(bytes), found)
        });
        for (header, found) in visited?.values {
            if let Some((class, super_class, is_interface)) = header {
                self.hierarchy.add(class, super_class, is_interface);
            }
            if let Some((name, class)) = found {
                self.classes.entry(name).or_default().push(class);
            }
        }
        Ok(Origin::Compiled)
    }

    /// The superclasses of all classes on the path.
    pub fn hierarchy(&self) -> &ClassHierarchy {
        &self.hierarchy
    }

    /// The lines and calls of a method whose code has this digest.
    pub fn lines(&self, key: &MethodKey, digest: Digest) -> CodeAnswer {
        let mut different = None;
        for ClassBytes { place, bytes } in self.classes.get(&key.class).into_iter().flatten() {
            let Ok(summary) = summarize(bytes, Digests::Compute) else { continue };
            let method = summary
                .methods
                .iter()
                .find(|method| method.name == key.name && method.descriptor == key.descriptor);
            let Some(method) = method else { continue };
            let lines = method_lines(bytes, &key.name, &key.descriptor);
            match lines {
                Ok(Some(lines)) if method.digest == digest => {
                    return CodeAnswer::Recorded { place: place.clone(), lines };
                }
                _ => {
                    different.get_or_insert_with(|| place.clone());
                }
            }
        }
        match different {
            Some(place) => CodeAnswer::Different { place },
            None => CodeAnswer::Absent,
        }
    }
}
