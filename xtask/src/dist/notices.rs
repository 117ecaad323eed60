//! The notices that go with a binary: every crate in it, Rust's library and, in the static one,
//! glibc.

use super::{
    crates::Crate,
    licences::{Allowed, of_c_code, texts},
};
use crate::shell;
use anyhow::{Context, Result, ensure};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
    process::Command,
};

/// The copyright file of the C library that the static binary is linked with.
const GLIBC: &str = "/usr/share/doc/libc6-dev/copyright";
/// The licence that this file refers to.
const LGPL: &str = "/usr/share/common-licenses/LGPL-2.1";

/// What stands before glibc's own notices.
const ABOUT_GLIBC: &str = "\
This binary is linked statically with the GNU C Library, which is under the GNU Lesser General Public
License, version 2.1 or later, and with the unwinder of GCC, which is under the GNU General Public
License, version 3, with the GCC Runtime Library Exception 3.1.

The source code of jfathom, its licence and its build (`cargo xtask dist`) let you link the command
with another version of the GNU C Library. The notices of the library and the text of its licence
follow.
";

/// A file of notices.
pub struct Notice {
    /// Its file name.
    pub name: &'static str,
    /// Its content.
    pub text: Vec<u8>,
}

/// The licences of all crates in the command.
pub struct Notices {
    crates: Vec<Crate>,
    /// Each text, with the indexes of the crates that have it.
    texts: BTreeMap<String, BTreeSet<usize>>,
}

impl Notices {
    /// Collects them.
    ///
    /// # Errors
    /// Fails if the licence of a crate is unknown, not among those of `deny.toml`, or has no text.
    pub fn collect(crates: &[Crate]) -> Result<Self> {
        let allowed = Allowed::read()?;
        let mut notices = Self { crates: crates.to_vec(), texts: BTreeMap::new() };
        for (index, found) in crates.iter().enumerate() {
            let licence = found.licence.as_deref();
            let licence = licence.with_context(|| format!("{}: names no licence", found.name))?;
            allowed.check(licence).with_context(|| found.name.clone())?;
            of_c_code(&found.name).map_or(Ok(()), |licence| allowed.check(licence))?;
            for text in texts(found)? {
                notices.texts.entry(text).or_default().insert(index);
            }
        }
        Ok(notices)
    }

    /// Fails if the binary has the path of a crate's source in it, and the notices lack the crate.
    pub fn check_binary(&self, binary: &[u8]) -> Result<()> {
        let found = crates_in(binary);
        ensure!(found.len() > 20, "only {} crates found in the binary", found.len());
        let known = |found: &Crate| format!("{}-{}", found.name, found.version);
        let known: BTreeSet<String> = self.crates.iter().map(known).collect();
        let missing: Vec<&String> = found.difference(&known).collect();
        ensure!(missing.is_empty(), "no notice of {missing:?}, which the binary contains");
        Ok(())
    }

    /// The notices of the binary that is linked to the system's C library.
    pub fn of_dynamic(&self) -> Result<Vec<Notice>> {
        let sysroot = shell::output(Command::new("rustc").args(["--print", "sysroot"]))?;
        let library = Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html");
        Ok(vec![
            Notice { name: "THIRD-PARTY-NOTICES.txt", text: self.text().into_bytes() },
            Notice { name: "RUST-LIBRARY-NOTICES.html", text: read(&library)? },
        ])
    }

    /// The notices of the static binary.
    pub fn of_static(&self) -> Result<Vec<Notice>> {
        let mut notices = self.of_dynamic()?;
        let parts = [ABOUT_GLIBC.as_bytes(), &read(Path::new(GLIBC))?, &read(Path::new(LGPL))?];
        notices.push(Notice { name: "GLIBC-NOTICES.txt", text: parts.join(&b"\n\n"[..]) });
        Ok(notices)
    }

    /// The list of the crates, then each text.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "Software of others in jfathom\n\n\
             jfathom is under the Apache License 2.0 (LICENSE). Its binary also contains the\n\
             following crates, and Rust's standard library (RUST-LIBRARY-NOTICES.html).\n\n",
        );
        for found in &self.crates {
            let licence = found.licence.as_deref().unwrap_or_default();
            let _ = write!(text, "{} {}: {licence}", found.name, found.version);
            if let Some(licence) = of_c_code(&found.name) {
                let _ = write!(text, "; its C code: {licence}");
            }
            if let Some(repository) = &found.repository {
                let _ = write!(text, "\n    {repository}");
            }
            if !found.authors.is_empty() {
                let _ = write!(text, "\n    by {}", found.authors.join(", "));
            }
            text.push('\n');
        }
        for (licence, users) in &self.texts {
            let names: Vec<&str> =
                users.iter().map(|user| self.crates[*user].name.as_str()).collect();
            let line = "=".repeat(80);
            let _ = write!(text, "\n{line}\n{}\n{line}\n\n{licence}\n", wrapped(&names));
        }
        text
    }
}

/// Names with commas, in lines of at most 80 columns if the names are shorter.
fn wrapped(names: &[&str]) -> String {
    let mut lines = vec![String::new()];
    for (index, name) in names.iter().enumerate() {
        let name = if index + 1 < names.len() { format!("{name},") } else { (*name).to_owned() };
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = name,
            Some(line) if line.len() + 1 + name.len() <= 80 => {
                line.push(' ');
                line.push_str(&name);
            }
            _ => lines.push(name),
        }
    }
    lines.join("\n")
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}

/// Names and versions of the crates whose sources' paths a binary has, as its panics' places:
/// `…/registry/src/INDEX/NAME-VERSION/…`.
fn crates_in(binary: &[u8]) -> BTreeSet<String> {
    const BEFORE: &[u8] = b"/registry/src/";
    let starts = binary.windows(BEFORE.len()).enumerate().filter(|(_, bytes)| *bytes == BEFORE);
    let found = starts.filter_map(|(at, _)| {
        let mut parts = binary[at + BEFORE.len()..].split(|byte| *byte == b'/');
        let (_index, name) = (parts.next()?, parts.next()?);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(byte);
        name.iter().all(is_name).then(|| String::from_utf8_lossy(name).into_owned())
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::{crates::in_the_programs, release::host};

    #[test]
    fn the_command_has_a_notice_of_each_crate_and_of_its_c_code() {
        let crates = in_the_programs(&host().unwrap()).unwrap();
        let notices = Notices::collect(&crates).unwrap();
        let text = notices.text();
        for found in &crates {
            let line = format!("\n{} {}: ", found.name, found.version);
            assert!(text.contains(&line), "{line}");
        }
        let users: BTreeSet<usize> = notices.texts.values().flatten().copied().collect();
        assert_eq!(users.len(), crates.len(), "each crate has a text");
        // Words of the holders, from the sources of the C code.
        for holder in ["Meta Platforms, Inc.", "Eric Biggers", "BoringSSL"] {
            assert!(text.contains(holder), "{holder}");
        }
    }

    #[test]
    fn paths_in_a_binary_name_its_crates() {
        let binary = b"\0/home/a/.cargo/registry/src/index-1/serde-1.0.2/src/lib.rs\0\
                       /registry/src/index-1/zstd-sys-2.1+zstd.1.5/a.c/registry/src/";
        let found: Vec<String> = crates_in(binary).into_iter().collect();
        assert_eq!(found, ["serde-1.0.2", "zstd-sys-2.1+zstd.1.5"]);
    }

    #[test]
    fn names_are_wrapped() {
        let names = ["a".repeat(60), "b".repeat(30)];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(wrapped(&names).lines().count(), 2);
        assert_eq!(wrapped(&["a", "b"]), "a, b");
    }
}
