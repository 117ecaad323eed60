//! What a JVM is to link, as entries of its class path.

use crate::{
    failure::{archive, context},
    rewrite::WAR_CLASSES,
};
use anyhow::Result;
use jfathom_archive::{Input, Kind};
use std::path::{Path, PathBuf};

/// Folders of web and Spring Boot archives in which classes lie.
const CLASS_FOLDERS: [&str; 2] = [WAR_CLASSES, "BOOT-INF/classes/"];

/// A class path and what is to be linked of it.
pub(super) struct ClassPath {
    pub(super) entries: Vec<PathBuf>,
    pub(super) asked: Vec<String>,
}

impl ClassPath {
    /// All classes of these jars and directories. Nested jars and class folders, which no class path reaches, are unpacked
    /// below `folder`.
    pub(super) fn new<'a>(containers: impl Iterator<Item = &'a Path>, folder: &Path) -> Result<Self> {
        let mut entries = Vec::new();
        for (number, path) in containers.enumerate() {
            let input = Input::open(path).map_err(archive)?;
            entries.push(path.to_owned());
            if input.kind() == Kind::Archive {
                unpack(&input, &folder.join(number.to_string()), &mut entries)?;
            }
        }
        let asked = entries.iter().map(|entry| entry.display().to_string()).collect();
        Ok(Self { entries, asked })
    }

    /// Modules of the JDK itself.
    pub(super) fn modules(names: impl Iterator<Item = String>) -> Self {
        Self { entries: Vec::new(), asked: names.map(|name| format!("jrt:{name}")).collect() }
    }
}

fn unpack(input: &Input, folder: &Path, entries: &mut Vec<PathBuf>) -> Result<()> {
    let mut class_folders = Vec::new();
    for (number, name) in input.names().enumerate() {
        let Some(text) = name.as_str() else { continue };
        let found = CLASS_FOLDERS.iter().find_map(|prefix| Some((prefix, text.strip_prefix(*prefix)?)));
        let target = match found {
            Some((prefix, below)) if name.is_class() => {
                let root = folder.join(prefix);
                if !class_folders.contains(&root) {
                    class_folders.push(root.clone());
                }
                // A name that leads elsewhere is none that a class loader asks for.
                match jfathom_archive::EntryName::from(below).relative_path() {
                    Some(below) => root.join(below),
                    None => continue,
                }
            }
            _ if name.is_nested_archive() => {
                let target = folder.join(format!("{number}.jar"));
                entries.push(target.clone());
                target
            }
            _ => continue,
        };
        let bytes = input.read(text).map_err(archive)?.unwrap_or_default();
        let parent = target.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(|error| context(error, parent, "cannot create"))?;
        std::fs::write(&target, bytes).map_err(|error| context(error, &target, "cannot write"))?;
    }
    entries.extend(class_folders);
    Ok(())
}
