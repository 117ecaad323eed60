//! Classes that can bring further classes into a JVM.

use crate::sources::Source;
use jfathom_archive::Work;
use std::sync::atomic::{AtomicBool, Ordering};

/// Names in the constant pool of a class without which no class can be defined but those of class
/// and module path, each with what it is for people. A program may also look them up as strings,
/// so they are searched for in all bytes.
const MAKERS: &[(&str, &str)] = &[
    ("URLClassLoader", "uses a URLClassLoader"),
    ("SecureClassLoader", "has a class loader of its own"),
    ("defineClass", "defines classes"),
    ("defineHiddenClass", "defines classes"),
    ("defineAnonymousClass", "defines classes"),
    ("defineModules", "defines modules"),
    ("javax/tools/", "uses the compiler"),
    ("javax/script/", "uses a script engine"),
    ("java/lang/instrument/", "is an agent, or uses one"),
    ("com/sun/tools/", "uses a tool of the JDK"),
    ("com/sun/jdi/", "uses a tool of the JDK"),
    ("jdk/jshell/", "uses a tool of the JDK"),
    ("java/util/spi/ToolProvider", "uses a tool of the JDK"),
    ("javax/management/loading/", "has a class loader of its own"),
    ("java/rmi/", "uses RMI"),
    ("loadLibrary", "loads native code"),
    ("sun/misc/Unsafe", "uses Unsafe"),
    ("java/lang/ProcessBuilder", "starts other programs"),
    // A constant of its own: the method of `Runtime`.
    ("\u{1}\0\u{4}exec", "starts other programs"),
    (".class", "names class files"),
];

/// A class of a container that can define classes, and how: `com.acme.Plugins uses a
/// URLClassLoader`. None if there is none.
pub(super) fn find_maker(source: &Source) -> Option<String> {
    let is_found = AtomicBool::new(false);
    let visited = source.input.visit(&Work::default(), |entry, bytes| {
        if is_found.load(Ordering::Relaxed) {
            return None;
        }
        let (_, how) = MAKERS.iter().find(|(name, _)| contains(bytes, name.as_bytes()))?;
        is_found.store(true, Ordering::Relaxed);
        let name = entry.name().class_name().unwrap_or_default();
        Some(format!("{} {how}", jfathom_plan::quoted_class(name)))
    });
    match visited {
        Ok(visited) => visited.values.into_iter().flatten().next(),
        // What cannot be read may be anything.
        Err(error) => Some(format!("{error}: nobody knows what is in it")),
    }
}

fn contains(bytes: &[u8], name: &[u8]) -> bool {
    let Some((first, _)) = name.split_first() else { return true };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = &rest[at..];
        if rest.starts_with(name) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}
