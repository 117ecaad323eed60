//! Class names as JVMTI has them.

use crate::ffi::{Jni, Jvmti, Object};
use crate::live::class_changes::LoaderHash;
use jfathom_plan::probe;

/// Whether a class is the live runtime's. The load hook leaves it unchanged.
pub fn is_ours(name: &[u8]) -> bool {
    name.starts_with(probe::LIVE_PREFIX.as_bytes())
}

/// The name of a hidden class as the JVM shows it (`a/b$$Lambda/0x…`), from the one that JVMTI
/// gives; none for other classes.
pub fn hidden(name: &[u8]) -> Option<Vec<u8>> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let mut name = name.to_vec();
    *name.get_mut(dot)? = b'/';
    Some(name)
}

/// A class name without what makes a hidden class's name its own: the address or number behind the
/// last dot, or before Java 15 behind the last slash.
pub fn without_hidden_suffix(name: &[u8]) -> &[u8] {
    let at = name.iter().rposition(|&byte| byte == b'.' || byte == b'/');
    match at.map(|at| (at, &name[at..])) {
        Some((at, [b'.', ..] | [b'/', b'0'..=b'9', ..])) => &name[..at],
        _ => name,
    }
}

/// A class name as in Java source.
pub fn dotted(name: &[u8]) -> String {
    classfile_writer::mutf8::decode_lossy(name).replace('/', ".")
}

/// The hash of the loader that defined a class; 0 for the boot loader.
pub fn loader_hash(jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>) -> LoaderHash {
    let loader = jvmti.class_loader(jni, class);
    loader.map_or(0, |loader| jvmti.object_hash(loader.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_classes_lose_their_suffix() {
        for (name, without) in [
            ("a/B", "a/B"),
            ("B", "B"),
            ("a/B$$Lambda$14.0x0000000800c03000", "a/B$$Lambda$14"),
            ("a/B$$Lambda.0x00007f", "a/B$$Lambda"),
            ("a/B$$Lambda$14/1234", "a/B$$Lambda$14"),
        ] {
            assert_eq!(without_hidden_suffix(name.as_bytes()), without.as_bytes());
        }
    }
}
