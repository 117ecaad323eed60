//! The environment variables from which the `java` launcher and its JVM take options.

use std::{
    env,
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
};

/// Variables with options of the JVM itself.
const JVM_OPTIONS: [&str; 2] = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"];

/// What the environment adds to a `java` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JavaEnvironment {
    /// The value of `CLASSPATH`.
    pub class_path: Option<OsString>,
    /// The value of `JDK_JAVA_OPTIONS`, which the launcher puts before its arguments.
    pub options: Option<OsString>,
    /// The values of `JAVA_TOOL_OPTIONS` and `_JAVA_OPTIONS`.
    pub jvm_options: Vec<OsString>,
}

impl JavaEnvironment {
    /// That of this process, which the commands that it starts inherit.
    pub fn of_process() -> Self {
        Self {
            class_path: env::var_os("CLASSPATH"),
            options: env::var_os("JDK_JAVA_OPTIONS"),
            jvm_options: JVM_OPTIONS.into_iter().filter_map(env::var_os).collect(),
        }
    }

    /// The words of `JDK_JAVA_OPTIONS`.
    pub(super) fn words(&self) -> Vec<OsString> {
        self.options.as_deref().map(words).unwrap_or_default()
    }

    /// The words of the JVM's own options.
    pub(super) fn jvm_words(&self) -> impl Iterator<Item = OsString> {
        self.jvm_options.iter().flat_map(|options| words(options))
    }
}

/// Words between blanks. Quotes enclose blanks, and mean nothing else; nothing escapes them.
fn words(text: &OsStr) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    for &byte in text.as_bytes() {
        match quote {
            Some(end) if byte == end => quote = None,
            None if matches!(byte, b'"' | b'\'') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            None if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}
