//! Which licences a release may have, and their texts.

use super::crates::Crate;
use crate::shell;
use anyhow::{Context, Result, ensure};
use spdx::{Expression, LicenseReq, ParseMode};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Beginnings of the names of files with licences and notices, in small letters.
const NAMES: &[&str] =
    &["licence", "license", "copying", "copyright", "notice", "unlicense", "patents"];

/// C code in crates: the crate, the text of its licence, and that licence.
///
/// zstd may be used under BSD-3-Clause or GPL-2.0; this project takes the former.
const C_CODE: &[(&str, &str, &str)] = &[
    ("libdeflate-sys", "libdeflate/COPYING", "MIT"),
    ("ring", "LICENSE-BoringSSL", "Apache-2.0 AND ISC"),
    ("zstd-sys", "zstd/LICENSE", "BSD-3-Clause"),
];

/// Texts of licences that ask for no copyright line, for crates that have no text of their own.
const TEXTS: &[(&str, &str)] = &[("0BSD", include_str!("texts/0BSD.txt"))];

/// The rules of `deny.toml`.
pub struct Allowed(Vec<String>);

impl Allowed {
    /// Reads them.
    pub fn read() -> Result<Self> {
        let text = fs::read_to_string(shell::root().join("deny.toml")).context("deny.toml")?;
        let rules: toml::Table = toml::from_str(&text).context("deny.toml")?;
        let list = rules.get("licenses").and_then(|licences| licences.get("allow"));
        let list = list.and_then(toml::Value::as_array).context("deny.toml: no licenses.allow")?;
        Ok(Self(list.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect()))
    }

    /// Fails if an expression allows no use under these licences.
    pub fn check(&self, expression: &str) -> Result<()> {
        // Old crates write a stroke for OR.
        let parsed = Expression::parse_mode(expression, ParseMode::LAX)
            .with_context(|| format!("licence {expression}"))?;
        let is_allowed = |licence: &LicenseReq| {
            let id = licence.license.id().map(|id| id.name);
            licence.addition.is_none() && id.is_some_and(|id| self.0.iter().any(|name| name == id))
        };
        ensure!(parsed.evaluate(is_allowed), "licence {expression}: not among deny.toml's");
        Ok(())
    }
}

/// The licences and notices that a crate comes with.
///
/// # Errors
/// Fails if it has none, or C code that [`C_CODE`] does not name.
pub fn texts(of: &Crate) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = fs::read_dir(&of.folder)
        .with_context(|| of.folder.display().to_string())?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_file() && is_licence(path))
        .collect();
    let c_code: Vec<_> = C_CODE.iter().filter(|(name, ..)| *name == of.name).collect();
    ensure!(!of.compiles_c || !c_code.is_empty(), "{}: has C code of an unknown licence", of.name);
    ensure!(
        !files.is_empty() || standard(of).is_some(),
        "{} {}: no text of its licence in {}",
        of.name,
        of.version,
        of.folder.display()
    );
    files.sort();
    files.extend(c_code.into_iter().map(|(_, file, _)| of.folder.join(file)));
    let read = |file: &PathBuf| {
        let bytes = fs::read(file).with_context(|| file.display().to_string())?;
        Ok(normal(&String::from_utf8_lossy(&bytes)))
    };
    let mut texts = files.iter().map(read).collect::<Result<Vec<_>>>()?;
    if texts.is_empty() {
        texts.extend(standard(of).map(normal));
    }
    Ok(texts)
}

/// The licence of the C code in a crate.
pub fn of_c_code(name: &str) -> Option<&'static str> {
    C_CODE.iter().find(|(of, ..)| *of == name).map(|(.., licence)| *licence)
}

fn standard(of: &Crate) -> Option<&'static str> {
    let licence = of.licence.as_deref()?;
    TEXTS.iter().find(|(id, _)| *id == licence).map(|(_, text)| *text)
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    // A script may be called license.rs.
    let is_text = ![".rs", ".toml", ".py", ".sh", ".hbs"].iter().any(|end| name.ends_with(end));
    is_text && NAMES.iter().any(|begin| name.starts_with(begin))
}

/// A text without what differs between copies of it: ends of lines, blanks there, empty lines
/// around it, and form feeds.
fn normal(text: &str) -> String {
    let text = text.replace(['\u{feff}', '\u{c}'], "");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> Allowed {
        Allowed(["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned).into())
    }

    #[test]
    fn an_expression_is_allowed_if_one_of_its_choices_is() {
        for fine in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-2.0-only OR MIT",
            "(MIT OR GPL-3.0-only) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            allowed().check(fine).unwrap();
        }
        for wrong in ["GPL-2.0-only", "MIT AND GPL-3.0-only", "LicenseRef-own", "Nothing", ""] {
            assert!(allowed().check(wrong).is_err(), "{wrong}");
        }
    }

    fn a_crate(folder: &Path) -> Crate {
        Crate {
            name: "a".to_owned(),
            version: "1.0.0".to_owned(),
            licence: Some("MIT".to_owned()),
            repository: None,
            authors: Vec::new(),
            folder: folder.to_owned(),
            compiles_c: false,
        }
    }

    #[test]
    fn a_crate_without_a_text_or_with_unknown_c_code_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("license.rs"), "fn main() {}").unwrap();
        let found = a_crate(folder.path());
        assert!(texts(&found).unwrap_err().to_string().contains("no text of its licence"));
        fs::write(folder.path().join("LICENSE-MIT"), "\r\nMay be used. \r\n").unwrap();
        fs::write(folder.path().join("NOTICE"), "By A.").unwrap();
        assert_eq!(texts(&found).unwrap(), ["May be used.", "By A."]);
        let with_c = Crate { compiles_c: true, ..found };
        assert!(texts(&with_c).unwrap_err().to_string().contains("C code"));
    }

    #[test]
    fn a_licence_without_a_copyright_line_has_its_standard_text() {
        let folder = tempfile::tempdir().unwrap();
        let found = Crate { licence: Some("0BSD".to_owned()), ..a_crate(folder.path()) };
        assert!(texts(&found).unwrap()[0].contains("with or without fee"));
    }
}
