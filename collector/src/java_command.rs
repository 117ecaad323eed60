//! A command line of the `java` launcher, read as the launcher reads it.

use crate::process;
use std::{
    ffi::{OsStr, OsString},
    fs,
    io::Read,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// What a `java …` command says about where its classes come from. Paths are as they stand there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JavaCommand {
    /// Entries of the last `-cp`, wildcards not expanded; with `-jar`, the jar alone.
    pub class_path: Vec<PathBuf>,
    /// Entries of `-p`.
    pub module_path: Vec<PathBuf>,
    /// Whether it starts with `-jar`, so that the jar's own manifest can enable native access.
    pub jar: bool,
    /// Whether it names an AOT cache (JEP 483), which the JVM drops when further flags open or add modules.
    pub aot_cache: bool,
    /// Whether it already says which modules may use native access.
    pub native_access: bool,
}

/// Launcher options that take the next argument, when they are not written with `=`.
const WITH_ARGUMENT: &[&str] = &[
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--limit-modules",
    "--patch-module",
    "--enable-native-access",
    "--illegal-native-access",
    "--source",
    "-d",
    "--describe-module",
];

/// The longest argument file that is read, in bytes.
const ARGUMENT_FILE_LIMIT: u64 = 4 << 20;

impl JavaCommand {
    /// Whether `command` is the launcher's: only then can flags be put into its arguments.
    pub fn is_java(command: &OsStr) -> bool {
        Path::new(command).file_name() == Some(OsStr::new("java"))
    }

    /// Reads the arguments that follow `java`. `class_path` is the value of `CLASSPATH`. What it does not know it passes
    /// over; an argument file that cannot be read holds nothing.
    pub fn parse(arguments: &[OsString], class_path: Option<&OsStr>) -> Self {
        let mut java = Self::default();
        let mut asked_class_path = None;
        let mut main = None;
        let mut words = expand(arguments).into_iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy().into_owned();
            if !text.starts_with('-') {
                main = Some(word);
                break;
            }
            let (option, value) = match text.split_once('=') {
                Some((option, _)) if option.starts_with("--") => {
                    (option.to_owned(), Some(OsString::from_vec(word.as_bytes()[option.len() + 1..].to_vec())))
                }
                _ if WITH_ARGUMENT.contains(&&*text) => (text, words.next()),
                _ => (text, None),
            };
            let paths = || value.as_deref().map(split_paths).unwrap_or_default();
            match &*option {
                "-cp" | "-classpath" | "--class-path" => asked_class_path = Some(paths()),
                "-p" | "--module-path" => java.module_path = paths(),
                "--enable-native-access" => java.native_access = true,
                "-jar" => {
                    java.jar = true;
                    main = words.next();
                    break;
                }
                "-m" | "--module" => break,
                _ => java.aot_cache |= ["-XX:AOTCache", "-XX:AOTMode"].iter().any(|flag| option.starts_with(flag)),
            }
        }
        java.class_path = match (java.jar, main) {
            (true, main) => main.into_iter().map(PathBuf::from).collect(),
            (false, _) => asked_class_path.or_else(|| class_path.map(split_paths)).unwrap_or_default(),
        };
        java
    }

    /// All files and directories that it names, class path first.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.class_path.iter().chain(&self.module_path).map(PathBuf::as_path)
    }
}

/// An empty entry is the working directory.
fn split_paths(value: &OsStr) -> Vec<PathBuf> {
    let or_here = |path: PathBuf| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path };
    std::env::split_paths(value).map(or_here).collect()
}

/// Puts the contents of `@FILE` arguments in their places: words between blanks, quotes around words, `#` to the line's end.
fn expand(arguments: &[OsString]) -> Vec<OsString> {
    let mut words = Vec::new();
    for argument in arguments {
        match argument.as_bytes() {
            [b'@', b'@', ..] => words.push(OsString::from_vec(argument.as_bytes()[1..].to_vec())),
            [b'@', file @ ..] => words.extend(read_argument_file(Path::new(OsStr::from_bytes(file)))),
            _ => words.push(argument.clone()),
        }
    }
    words
}

fn read_argument_file(file: &Path) -> Vec<OsString> {
    let mut text = Vec::new();
    let read = fs::File::open(file).and_then(|f| f.take(ARGUMENT_FILE_LIMIT).read_to_end(&mut text));
    if read.is_err() {
        return Vec::new();
    }
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.into_iter().peekable();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(q), _) if byte == q => quote = None,
            (Some(_), b'\\') => match bytes.next() {
                Some(b'\n' | b'\r') => while bytes.next_if(|b| b.is_ascii_whitespace()).is_some() {},
                Some(b'n') => word.get_or_insert_default().push(b'\n'),
                Some(b't') => word.get_or_insert_default().push(b'\t'),
                Some(other) => word.get_or_insert_default().push(other),
                None => {}
            },
            (Some(_), _) => word.get_or_insert_default().push(byte),
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, b'#') if word.is_none() => while bytes.next_if(|&b| b != b'\n' && b != b'\r').is_some() {},
            (None, _) if byte.is_ascii_whitespace() => words.extend(word.take().map(OsString::from_vec)),
            (None, _) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// The feature version (8, 11, 17, …) of the Java home that a `java` command belongs to, taken from its `release` file
/// without running it; none where there is no such file, as behind launcher scripts.
pub fn java_version(java: &OsStr, path: Option<&OsStr>) -> Option<u32> {
    let launcher = process::find_program(java, path)?.canonicalize().ok()?;
    let bin = launcher.parent()?;
    // Java 8 had its launcher also in `jre/bin`.
    let homes = [bin.parent(), bin.parent().and_then(Path::parent)];
    homes.into_iter().flatten().find_map(|home| version_of_release(&fs::read_to_string(home.join("release")).ok()?))
}

/// Why the agent cannot be loaded by the JVM of a `java` command, where its files show it: that JVM would end at once.
pub(crate) fn unfit_for_agents(java: &OsStr, path: Option<&OsStr>) -> Option<&'static str> {
    let launcher = process::find_program(java, path)?.canonicalize().ok()?;
    let mut head = Vec::new();
    fs::File::open(&launcher).ok()?.take(ELF_HEAD).read_to_end(&mut head).ok()?;
    if head.windows(MUSL.len()).any(|window| window == MUSL) {
        return Some("is a JVM with musl (Alpine), and the agent is built for glibc");
    }
    let release = fs::read_to_string(launcher.parent()?.parent()?.join("release")).ok()?;
    let is_openj9 = release.to_ascii_lowercase().contains("openj9");
    is_openj9.then_some("is an OpenJ9 JVM, and the agent runs in HotSpot")
}

/// The name of its loader stands so early in a program.
const ELF_HEAD: u64 = 4096;
/// In the name of musl's loader.
const MUSL: &[u8] = b"/ld-musl-";

pub(crate) fn version_of_release(release: &str) -> Option<u32> {
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?.trim().trim_matches('"');
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests;
