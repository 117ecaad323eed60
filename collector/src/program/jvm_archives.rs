//! The archives of classes that a command's JVM uses or writes: CDS archives and AOT caches.

use crate::program::java_command::words;
use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStringExt,
};

/// What the flags of a JVM say about archives of its own. The JVM complains of such an archive, or
/// drops it, if it was made with other modules than it runs with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JvmArchives {
    /// The flag that names an archive to use.
    pub used: Option<String>,
    /// The flag by which this run writes one. The JVM then loads no native agent.
    pub written: Option<String>,
    /// The flag by which the JVM writes the archive anew at its end, if that does not fit. It then
    /// loads no native agent either.
    pub renewed: Option<String>,
}

/// The variables that the launcher and the JVM read flags from, before and after those of the
/// command line.
const VARIABLES_BEFORE: [&str; 2] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"];
const VARIABLE_AFTER: &str = "_JAVA_OPTIONS";
/// Files with flags.
const OPTIONS_FILE: &str = "-XX:VMOptionsFile=";
const FLAGS_FILE: &str = "-XX:Flags=";
/// The longest such file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

impl JvmArchives {
    /// Those of `java` with these arguments. `variable` is the value of an environment variable.
    pub fn find(arguments: &[OsString], variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let of =
            |name: &str| variable(name).map_or(Vec::new(), |value| words::split(value.into_vec()));
        let mut all: Vec<OsString> = VARIABLES_BEFORE.into_iter().flat_map(of).collect();
        all.extend(words::of_options(arguments));
        all.extend(of(VARIABLE_AFTER));
        let mut found = Self::default();
        let mut is_off = false;
        // Options that the launcher's variable names by `@FILE` are in that file.
        for word in words::of_options(&all).iter().flat_map(|word| with_files(word)) {
            found.read(&word, &mut is_off);
        }
        if is_off { Self { used: None, renewed: None, ..found } } else { found }
    }

    /// Whether there are any.
    pub fn are_there(&self) -> bool {
        *self != Self::default()
    }

    fn read(&mut self, flag: &str, is_off: &mut bool) {
        let is = |name: &str| flag.starts_with(name);
        let own = || Some(flag.to_owned());
        match flag {
            "-Xshare:dump" | "-XX:+RecordDynamicDumpInfo" => self.written = own(),
            "-XX:AOTMode=record" | "-XX:AOTMode=create" => self.written = own(),
            "-Xshare:off" | "-XX:AOTMode=off" => *is_off = true,
            "-Xshare:auto" | "-Xshare:on" => *is_off = false,
            "-XX:+AutoCreateSharedArchive" => self.renewed = own(),
            "-XX:-AutoCreateSharedArchive" => self.renewed = None,
            _ if is("-XX:ArchiveClassesAtExit=") || is("-XX:AOTCacheOutput=") => {
                self.written = own();
            }
            _ if is("-XX:SharedArchiveFile=") || is("-XX:AOTCache=") => self.used = own(),
            _ => {}
        }
    }
}

/// A flag, or those of the file that it names.
fn with_files(word: &OsStr) -> Vec<String> {
    let word = word.to_string_lossy().into_owned();
    let lines = |path: &str| words::split(read(path));
    if let Some(path) = word.strip_prefix(OPTIONS_FILE) {
        return lines(path).iter().map(|word| word.to_string_lossy().into_owned()).collect();
    }
    if let Some(path) = word.strip_prefix(FLAGS_FILE) {
        let flags = lines(path);
        return flags.iter().map(|flag| format!("-XX:{}", flag.to_string_lossy())).collect();
    }
    vec![word]
}

/// The text of a file; none of one that cannot be read, or is no plain file.
fn read(path: &str) -> Vec<u8> {
    let is_plain = fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_BYTES);
    if is_plain { fs::read(path).unwrap_or_default() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn find(arguments: &str, variables: &[(&str, &str)]) -> JvmArchives {
        let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        JvmArchives::find(&arguments, |name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn flags_are_found_wherever_they_are() {
        let used = |found: JvmArchives| found.used.unwrap_or_default();
        let flag = "-XX:SharedArchiveFile=a.jsa";
        assert_eq!(used(find(&format!("{flag} -jar x.jar"), &[])), flag);
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
            assert_eq!(used(find("Main", &[(variable, flag)])), flag, "{variable}");
        }
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let arguments = write("args", flag);
        assert_eq!(used(find(&format!("@{arguments} Main"), &[])), flag);
        let at = format!("@{arguments}");
        assert_eq!(used(find("Main", &[("JDK_JAVA_OPTIONS", &at)])), flag);
        let options = format!("-XX:VMOptionsFile={}", write("options", "-Xmx1g\n-XX:AOTCache=a b"));
        assert_eq!(used(find(&format!("{options} Main"), &[])), "-XX:AOTCache=a");
        let flags = format!("-XX:Flags={}", write("flags", "+AutoCreateSharedArchive\n"));
        assert!(find(&format!("{flags} Main"), &[]).renewed.is_some());
        assert!(Path::new(&arguments).exists());
    }

    #[test]
    fn what_is_no_flag_of_the_jvm_or_is_taken_back_is_not_found() {
        for arguments in [
            "Main -XX:AOTCache=a.aot",
            "-jar x.jar -Xshare:dump",
            "-XX:SharedArchiveFile=a.jsa -Xshare:off Main",
            "-XX:+AutoCreateSharedArchive -XX:-AutoCreateSharedArchive Main",
            "-XX:Flags=/dev/zero Main",
            "@/no/such/file",
        ] {
            assert!(!find(arguments, &[]).are_there(), "{arguments}");
        }
        for flag in ["-XX:ArchiveClassesAtExit=a", "-XX:AOTCacheOutput=a", "-XX:AOTMode=record"] {
            assert_eq!(find(&format!("{flag} Main"), &[]).written.as_deref(), Some(flag));
        }
    }
}
