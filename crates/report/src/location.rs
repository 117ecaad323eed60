//! Source locations of methods, as far as class files name them.

use jfathom_profile::MethodInfo;

/// A source file below a folder of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// `com/acme/Engine.java`: one or more names, none of which leads up.
    pub(crate) path: String,
    /// The first line of the method's code, from 1.
    pub(crate) line: Option<u32>,
}

/// The file of a method: the folder of its package, and the file that its class names. None if the
/// class names none, or one that would lead out of the folder.
pub(crate) fn location(info: &MethodInfo) -> Option<Location> {
    let source = info.source.as_deref()?;
    let source = source.rsplit(['/', '\\']).next().filter(|name| is_name(name))?;
    let path = match info.key.class.rsplit_once('/') {
        Some((package, _)) if package.split('/').all(is_name) => format!("{package}/{source}"),
        Some(_) => return None,
        None => source.to_owned(),
    };
    Some(Location { path, line: info.line.filter(|line| *line > 0) })
}

fn is_name(part: &str) -> bool {
    !matches!(part, "" | "." | "..")
}

/// The path of a method's source file below a folder of sources: `com/acme/Engine.java`. None if
/// its class names no file, or one that would lead out of the folder.
pub fn source_path(info: &MethodInfo) -> Option<String> {
    location(info).map(|location| location.path)
}
