//! The classes that a JVM links, as entries of its class path.

use crate::{
    error::{Result, at},
    sources::WAR_CLASSES,
};
use jfathom_archive::{Input, InputKind};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Folders of classes in web and Spring Boot archives.
const CLASS_FOLDERS: [&str; 2] = [WAR_CLASSES, "BOOT-INF/classes/"];

/// The classes to link.
#[derive(Default)]
pub(super) struct ClassPath {
    /// Modules of the JDK.
    pub(super) modules: Vec<String>,
    /// Arguments of the linking program: modules, jars and directories.
    pub(super) arguments: Vec<OsString>,
}

impl ClassPath {
    /// All classes of these jars and directories. Nested jars and class folders are unpacked below
    /// `folder`, since no class path reaches into them.
    pub(super) fn new<'a>(
        containers: impl Iterator<Item = &'a Path>,
        folder: &Path,
    ) -> Result<Self> {
        let mut entries = Vec::new();
        for (number, path) in containers.enumerate() {
            let input = Input::open(path)?;
            entries.push(path.to_owned());
            if input.kind() == InputKind::Archive {
                unpack(&input, &folder.join(number.to_string()), &mut entries)?;
            }
        }
        Ok(Self {
            modules: Vec::new(),
            arguments: entries.into_iter().map(PathBuf::into_os_string).collect(),
        })
    }

    /// Modules of the JDK itself.
    pub(super) fn modules(names: impl Iterator<Item = String>) -> Self {
        let modules: Vec<String> = names.collect();
        let arguments =
            modules.iter().flat_map(|module| ["--module".into(), module.into()]).collect();
        Self { modules, arguments }
    }
}

fn unpack(input: &Input, folder: &Path, entries: &mut Vec<PathBuf>) -> Result<()> {
    let mut class_folders = Vec::new();
    for (number, name) in input.names().enumerate() {
        let Some(text) = name.as_str() else { continue };
        let found =
            CLASS_FOLDERS.iter().find_map(|prefix| Some((prefix, text.strip_prefix(*prefix)?)));
        let target = match found {
            Some((prefix, below)) if name.is_class() => {
                let root = folder.join(prefix);
                if !class_folders.contains(&root) {
                    class_folders.push(root.clone());
                }
                // No class loader looks up a name that leads out of its folder.
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
        let bytes = input.read(text)?.unwrap_or_default();
        let parent = target.parent().unwrap_or(folder);
        jfathom_files::create_directories(parent, 0o777).map_err(at(parent, "cannot create"))?;
        jfathom_files::write(&target, bytes).map_err(at(&target, "cannot write"))?;
    }
    entries.extend(class_folders);
    Ok(())
}
