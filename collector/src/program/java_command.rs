//! A command line of the `java` launcher, parsed as the launcher does.

mod argument_file;
mod environment;
pub(crate) mod words;

use argument_file::Words;
pub use environment::JavaEnvironment;
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// The classes and flags of a `java …` command. Paths are as the command has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JavaCommand {
    /// Entries of the last `-cp`, with wildcards as they are; with `-jar`, the jar alone.
    pub class_path: Vec<PathBuf>,
    /// Entries of `-p`.
    pub module_path: Vec<PathBuf>,
    /// Whether it has `-jar`: then the jar's own manifest can enable native access.
    pub jar: bool,
    /// Whether it names the modules that may use native access.
    pub native_access: bool,
    /// What the program begins with.
    pub main: Option<JavaMain>,
    /// Whether options bring further classes, or may do so: agents, patched modules, the boot class
    /// path, a class loader, or an argument file that cannot be read.
    pub adds_classes: bool,
}

/// What a `java` command begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JavaMain {
    /// A class, by its name with dots.
    Class(String),
    /// The main class of a jar.
    Jar,
    /// A module, with or without a class of it: `app` or `app/com.acme.Main`.
    Module(String),
    /// A source file, whose classes are in memory.
    Source,
}

/// Starts of options that bring classes from elsewhere than class and module path.
const ADDING_CLASSES: &[&str] = &[
    "-agentlib",
    "-agentpath",
    "-javaagent",
    "-Xbootclasspath",
    "-Djava.system.class.loader",
    "-Djava.class.path",
    "-Djdk.module.",
    "-XX:Flags=",
    "-XX:VMOptionsFile=",
    "--upgrade-module-path",
];

/// Launcher options that take the next argument, unless they are written with `=`.
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

impl JavaCommand {
    /// Whether `command` is the launcher's: only then can flags be put into its arguments.
    pub fn is_java(command: &OsStr) -> bool {
        Path::new(command).file_name() == Some(OsStr::new("java"))
    }

    /// Reads the arguments that follow `java`, and what the environment adds to them. What it does
    /// not know it passes over; an argument file that cannot be read holds nothing.
    pub fn parse(arguments: &[OsString], environment: &JavaEnvironment) -> Self {
        let mut java = Self::default();
        let mut asked_class_path = None;
        let mut main = None;
        let class_path = environment.class_path.as_deref();
        let words: Vec<OsString> =
            environment.words().into_iter().chain(arguments.iter().cloned()).collect();
        let (pieces, _, has_unread) = pieces(&words);
        let adds = |word: &OsStr| {
            let bytes = word.as_bytes();
            ADDING_CLASSES.iter().any(|option| bytes.starts_with(option.as_bytes()))
        };
        java.adds_classes = has_unread
            || pieces.iter().any(|piece| {
                piece.role == Role::Patch
                    || piece.lead.as_deref().is_some_and(adds)
                    || piece.role == Role::Other && adds(&piece.value)
            })
            || environment.jvm_words().any(|word| {
                adds(&word)
                    || word.as_bytes().starts_with(b"--patch-module")
                    || word.as_bytes().starts_with(b"@")
            });
        let is_source = pieces.iter().any(|piece| {
            [Some(&*piece.value), piece.lead.as_deref()].contains(&Some(OsStr::new("--source")))
        });
        for Piece { role, value, .. } in pieces {
            match role {
                Role::ClassPath => asked_class_path = Some(split_paths(&value)),
                Role::ModulePath => java.module_path = split_paths(&value),
                Role::NativeAccess => java.native_access = true,
                Role::Jar => {
                    java.jar = true;
                    java.main = Some(JavaMain::Jar);
                    main = Some(value);
                }
                Role::Module => {
                    java.main = Some(JavaMain::Module(value.to_string_lossy().into_owned()));
                }
                Role::Main if is_source || value.as_bytes().ends_with(b".java") => {
                    java.main = Some(JavaMain::Source);
                }
                Role::Main => {
                    let name = value.to_string_lossy().replace('/', ".");
                    java.main = Some(JavaMain::Class(name));
                }
                Role::Patch | Role::Other => {}
            }
        }
        java.class_path = match (java.jar, main) {
            (true, main) => main.into_iter().map(PathBuf::from).collect(),
            (false, _) => {
                asked_class_path.or_else(|| class_path.map(split_paths)).unwrap_or_default()
            }
        };
        java
    }

    /// Whether the JVM of a `java` with these arguments has no JFR because a flag of theirs turns
    /// it off. `options` is the value of `JDK_JAVA_OPTIONS`, which the launcher puts before them.
    /// The JVM obeys that flag from nowhere else: neither from `JAVA_TOOL_OPTIONS` nor from a file
    /// of settings.
    pub fn turns_jfr_off(arguments: &[OsString], options: Option<&OsStr>) -> bool {
        let mut all = options
            .map(|options| argument_file::split(options.to_os_string().into_vec()))
            .unwrap_or_default();
        all.extend_from_slice(arguments);
        let whole = pieces(&all).0.into_iter().filter(|piece| piece.lead.is_none());
        let flags = whole.flat_map(|piece| {
            let value = piece.value.to_string_lossy().into_owned();
            match value.strip_prefix(VM_OPTIONS_FILE) {
                Some(file) => argument_file::read(Path::new(file)).unwrap_or_default(),
                None => vec![piece.value],
            }
        });
        flags.rev().find_map(|flag| jfr_flag(&flag.to_string_lossy())) == Some(false)
    }

    /// The arguments that follow `java` with other paths for its classes: in class and module
    /// paths, in patches of modules, and after `-jar`. `other` returns the new path of an entry, or
    /// none if the entry stays. Argument files are replaced by their contents.
    pub fn moved(
        arguments: &[OsString],
        other: &dyn Fn(&Path) -> Option<PathBuf>,
    ) -> Vec<OsString> {
        let change = |role, value: OsString| match role {
            Role::ClassPath | Role::ModulePath => moved_paths(&value, other),
            Role::Jar => other(Path::new(&value)).map_or(value, PathBuf::into_os_string),
            Role::Patch => {
                let equals =
                    value.as_bytes().iter().position(|&byte| byte == b'=').map_or(0, |at| at + 1);
                let (module, paths) = value.as_bytes().split_at(equals);
                let paths = moved_paths(OsStr::from_bytes(paths), other);
                OsString::from_vec([module, paths.as_bytes()].concat())
            }
            Role::Main | Role::Module | Role::NativeAccess | Role::Other => value,
        };
        rebuilt(arguments, &change, &[])
    }

    /// The arguments that follow `java` with these flags behind all others of the JVM, which they
    /// take back. Argument files are replaced by their contents.
    pub fn with_last_flags(arguments: &[OsString], flags: &[String]) -> Vec<OsString> {
        rebuilt(arguments, &|_, value| value, flags)
    }

    /// The value of `CLASSPATH` with other paths for its entries, as in [`JavaCommand::moved`].
    pub fn moved_paths(class_path: &OsStr, other: &dyn Fn(&Path) -> Option<PathBuf>) -> OsString {
        moved_paths(class_path, other)
    }

    /// The class path, as [`JavaCommand::class_path`]. Without any the launcher takes the working
    /// directory, except for modules.
    pub fn used_class_path(&self) -> Vec<PathBuf> {
        match (&self.main, self.class_path.is_empty()) {
            (Some(JavaMain::Class(_)), true) => vec![PathBuf::from(".")],
            _ => self.class_path.clone(),
        }
    }

    /// All files and directories of class path and module path, class path first.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.class_path.iter().chain(&self.module_path).map(PathBuf::as_path)
    }
}

/// The JVM reads flags from this file.
const VM_OPTIONS_FILE: &str = "-XX:VMOptionsFile=";

/// The flag that turns JFR off.
pub(crate) const JFR_OFF: &str = "-XX:-FlightRecorder";

/// Whether a flag turns JFR on or off; none if it does neither.
pub(crate) fn jfr_flag(flag: &str) -> Option<bool> {
    match flag {
        "-XX:+FlightRecorder" => Some(true),
        JFR_OFF => Some(false),
        _ => None,
    }
}

/// The meaning of an argument of the launcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    ClassPath,
    ModulePath,
    Patch,
    Jar,
    /// The main class, or a source file.
    Main,
    Module,
    NativeAccess,
    Other,
}

/// One option with its argument, or one word.
struct Piece {
    /// The option; none if `value` is the whole word.
    lead: Option<OsString>,
    /// Whether option and argument are one word, with `=` between them.
    joined: bool,
    role: Role,
    value: OsString,
}

/// The arguments up to the main class, the jar or the module, which is the last piece; the
/// arguments of the program; and whether an argument file could not be read.
fn pieces(arguments: &[OsString]) -> (Vec<Piece>, Vec<OsString>, bool) {
    let mut pieces = Vec::new();
    let mut words = Words::new(arguments);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        if !text.starts_with('-') {
            pieces.push(Piece { lead: None, joined: false, role: Role::Main, value: word });
            break;
        }
        let (option, role) = match text.split_once('=') {
            Some((option, _)) if option.starts_with("--") => (option, role(option)),
            _ => (&*text, role(&text)),
        };
        let is_main = matches!(option, "-jar" | "-m" | "--module");
        let takes = is_main || WITH_ARGUMENT.contains(&option);
        let piece = match text.len() > option.len() {
            true => Piece {
                lead: Some(OsString::from_vec(word.as_bytes()[..option.len()].to_vec())),
                joined: true,
                role,
                value: OsString::from_vec(word.as_bytes()[option.len() + 1..].to_vec()),
            },
            false => match takes.then(|| words.next()).flatten() {
                Some(value) => Piece { lead: Some(word), joined: false, role, value },
                // An option that lacks its argument has no meaning.
                None => Piece {
                    lead: None,
                    joined: false,
                    role: if takes { Role::Other } else { role },
                    value: word,
                },
            },
        };
        pieces.push(piece);
        if is_main {
            break;
        }
    }
    let has_unread = words.has_unread;
    (pieces, words.rest(), has_unread)
}

/// Arguments with changed values and further flags, which stand before the main class, the jar or
/// the module.
fn rebuilt(
    arguments: &[OsString],
    change: &dyn Fn(Role, OsString) -> OsString,
    flags: &[String],
) -> Vec<OsString> {
    let (pieces, rest, _) = pieces(arguments);
    let mut words = Vec::with_capacity(arguments.len() + flags.len());
    let mut flags = flags.iter().map(OsString::from);
    for Piece { lead, joined, role, value } in pieces {
        if is_main(lead.as_deref().unwrap_or(&value)) {
            words.extend(flags.by_ref());
        }
        let value = change(role, value);
        match (lead, joined) {
            (Some(lead), true) => {
                words.push(OsString::from_vec([lead.as_bytes(), b"=", value.as_bytes()].concat()))
            }
            (Some(lead), false) => words.extend([lead, value]),
            (None, _) => words.push(value),
        }
    }
    // The launcher would read a word that begins with one @ as a file.
    for word in words.iter_mut().filter(|word| word.as_bytes().starts_with(b"@")) {
        *word = OsString::from_vec([b"@", word.as_bytes()].concat());
    }
    words.extend(rest);
    words
}

/// Whether a word begins what the launcher runs: no option, or one that names it.
fn is_main(word: &OsStr) -> bool {
    let word = word.as_bytes();
    !word.starts_with(b"-") || matches!(word, b"-jar" | b"-m" | b"--module")
}

fn role(option: &str) -> Role {
    match option {
        "-cp" | "-classpath" | "--class-path" => Role::ClassPath,
        "-p" | "--module-path" => Role::ModulePath,
        "--patch-module" => Role::Patch,
        "--enable-native-access" => Role::NativeAccess,
        "-jar" => Role::Jar,
        "-m" | "--module" => Role::Module,
        _ => Role::Other,
    }
}

/// An empty entry is the working directory.
fn split_paths(value: &OsStr) -> Vec<PathBuf> {
    let or_here =
        |path: PathBuf| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path };
    std::env::split_paths(value).map(or_here).collect()
}

fn moved_paths(value: &OsStr, other: &dyn Fn(&Path) -> Option<PathBuf>) -> OsString {
    let entry = |entry: &[u8]| match entry {
        [] => Vec::new(),
        entry => match other(Path::new(OsStr::from_bytes(entry))) {
            Some(path) => path.into_os_string().into_vec(),
            None => entry.to_vec(),
        },
    };
    let entries: Vec<Vec<u8>> = value.as_bytes().split(|&byte| byte == b':').map(entry).collect();
    OsString::from_vec(entries.join(&b':'))
}

#[cfg(test)]
mod tests;
