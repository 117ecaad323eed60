//! The index of a jar (JAR specification, "JAR Index"): the packages of a jar and of those that it
//! needs. Java 17 and earlier look for nothing in these jars that the index does not name, and do
//! not follow the `Class-Path` beside it; later ones do not read it.

use crate::JarManifest;

/// Its entry; JVMs read no other spelling.
pub(crate) const NAME: &[u8] = b"META-INF/INDEX.LIST";

/// Whether a JVM that follows the `Class-Path` instead finds every jar that the index names. The
/// first is the jar with the index.
pub(crate) fn is_needless(index: &[u8], manifest: &JarManifest) -> bool {
    let class_path = manifest.main().get("Class-Path").unwrap_or_default();
    let jars = index.split(|&byte| matches!(byte, b'\n' | b'\r'));
    let mut jars = jars.filter(|line| line.ends_with(b".jar")).skip(1);
    jars.all(|jar| class_path.split_ascii_whitespace().any(|word| word.as_bytes() == jar))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_needless_beside_a_class_path_with_all_its_jars() {
        let index = b"JarIndex-Version: 1.0\r\n\r\napp.jar\r\na\r\n\r\nlib/b.jar\r\nb\r\n\r\n";
        let manifest = |text: &str| JarManifest::parse(text.as_bytes());
        assert!(is_needless(index, &manifest("Class-Path: c.jar lib/b.jar\n")));
        assert!(!is_needless(index, &manifest("Class-Path: b.jar\n")));
        assert!(!is_needless(index, &manifest("")));
        assert!(is_needless(b"JarIndex-Version: 1.0\n\napp.jar\na\n", &manifest("")));
        assert!(is_needless(b"", &manifest("")));
    }
}
