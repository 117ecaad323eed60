//! The `release` file of a Java home, which names its version and vendor.

use jfathom_files::read_plain;
use std::path::Path;

/// The longest `release` file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a `release` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaRelease(String);

impl JavaRelease {
    /// Reads the file of a Java home; none if it has none, as a folder of launcher scripts.
    pub fn read(home: &Path) -> Option<Self> {
        // The path may be another process's word.
        let bytes = read_plain(&home.join("release"), MAX_BYTES).ok()?;
        String::from_utf8(bytes).ok().map(Self)
    }

    /// The feature version: 8, 11, 17 and so on.
    pub fn feature_version(&self) -> Option<u32> {
        let version = self.0.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
        feature_version(version.trim().trim_matches('"'))
    }

    /// Whether it has a module; none if the file does not name its modules.
    pub fn has_module(&self, module: &str) -> Option<bool> {
        let modules = self.0.lines().find_map(|line| line.strip_prefix("MODULES="))?;
        Some(modules.trim().trim_matches('"').split_whitespace().any(|name| name == module))
    }

    /// Whether its JVM is OpenJ9.
    pub fn is_openj9(&self) -> bool {
        self.0.to_ascii_lowercase().contains("openj9")
    }
}

/// The feature version of a `java.version`: 17 of `17.0.9`, 8 of `1.8.0_392`.
pub fn feature_version(version: &str) -> Option<u32> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|digit: char| !digit.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn versions_of_release_files() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(JavaRelease::read(home.path()), None);
        for (text, version) in [
            ("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.2\"\nJAVA_VERSION_DATE=\"2026\"\n", Some(25)),
            ("JAVA_VERSION=\"17\"", Some(17)),
            ("JAVA_VERSION=\"1.8.0_402\"", Some(8)),
            ("JAVA_VERSION=\"21-ea\"", Some(21)),
            ("JAVA_VERSION=\"\"", None),
            ("OS_ARCH=\"x86_64\"", None),
            ("", None),
        ] {
            fs::write(home.path().join("release"), text).unwrap();
            let release = JavaRelease::read(home.path()).unwrap();
            assert_eq!(release.feature_version(), version, "{text}");
            assert!(!release.is_openj9());
        }
        let modules = JavaRelease("MODULES=\"java.base jdk.jfr\"".to_owned());
        assert_eq!(modules.has_module("jdk.jfr"), Some(true));
        assert_eq!(modules.has_module("jdk"), Some(false));
        assert_eq!(JavaRelease(String::new()).has_module("java.base"), None);
        assert!(JavaRelease("JVM_VARIANT=\"Openj9\"".to_owned()).is_openj9());
    }
}
