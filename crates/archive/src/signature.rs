//! Signed jars (JAR specification, "Signed JAR File").

use crate::EntryName;

/// Whether a signer wrote this file: `*.SF`, `*.RSA`, `*.DSA`, `*.EC` or `SIG-*` directly in
/// `META-INF/`, without regard to case.
pub(crate) fn is_signature_file(name: &EntryName) -> bool {
    let name = name.as_bytes().to_ascii_uppercase();
    let Some(file) = name.strip_prefix(b"META-INF/") else { return false };
    let endings = [&b".SF"[..], b".RSA", b".DSA", b".EC"];
    !file.contains(&b'/')
        && (file.starts_with(b"SIG-") || endings.iter().any(|e| file.ends_with(e)))
}

#[cfg(test)]
mod tests {
    use super::is_signature_file;

    #[test]
    fn signature_files_lie_directly_in_meta_inf() {
        for name in [
            "META-INF/A.SF",
            "meta-inf/a.rsa",
            "META-INF/a.DSA",
            "META-INF/B.EC",
            "META-INF/SIG-FOO",
        ] {
            assert!(is_signature_file(&name.into()), "{name}");
        }
        for name in [
            "META-INF/x/A.SF",
            "A.SF",
            "META-INF/MANIFEST.MF",
            "META-INF/services/a.SF",
            "META-INF/SF",
        ] {
            assert!(!is_signature_file(&name.into()), "{name}");
        }
    }
}
