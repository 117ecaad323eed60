//! What an ELF file asks of the system, by readelf.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::{path::Path, process::Command};

/// The interpreter of a 64-bit little-endian program (ELF, program header `PT_INTERP`); a static
/// one has none.
pub fn interpreter(elf: &[u8]) -> Result<Option<String>> {
    const PT_INTERP: u64 = 3;
    if elf.get(..6) != Some(b"\x7fELF\x02\x01") {
        bail!("no 64-bit little-endian ELF file");
    }
    let number = |at: usize, bytes: usize| -> Result<u64> {
        let end = at.checked_add(bytes).context("ELF")?;
        let bytes = elf.get(at..end).context("the ELF file is cut off")?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    let [first, size, count] = [number(32, 8)?, number(54, 2)?, number(56, 2)?];
    for header in (0..count).map(|index| first.saturating_add(index * size)) {
        let header = usize::try_from(header)?;
        if number(header, 4)? == PT_INTERP {
            let begin = usize::try_from(number(header + 8, 8)?)?;
            let end = begin.saturating_add(usize::try_from(number(header + 32, 8)?)?);
            let name = elf.get(begin..end).context("the ELF file is cut off")?;
            return Ok(Some(String::from_utf8_lossy(name).trim_end_matches('\0').to_owned()));
        }
    }
    Ok(None)
}

/// The newest version of glibc that a file needs a symbol of: (2, 34).
pub fn glibc(file: &Path) -> Result<(u32, u32)> {
    let list = shell::output(Command::new("readelf").args(["-W", "--version-info"]).arg(file))?;
    newest(&list).with_context(|| format!("{}: needs no glibc", file.display()))
}

fn newest(list: &str) -> Option<(u32, u32)> {
    let versions = list.split("GLIBC_").skip(1).filter_map(|rest| {
        let number = rest.split(|c: char| !(c.is_ascii_digit() || c == '.')).next()?;
        let mut parts = number.split('.').map(str::parse);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    });
    versions.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers() {
        let list = " 0x0080:   Name: GLIBC_2.34  Flags: none\n Name: GLIBC_2.4\nGLIBC_2.2.5";
        assert_eq!(newest(list), Some((2, 34)));
        assert_eq!(newest("Name: GCC_3.0"), None);
    }

    #[test]
    fn a_test_program_has_an_interpreter_and_text_has_none() {
        let this = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(interpreter(&this).unwrap().unwrap().starts_with('/'));
        assert!(interpreter(b"#!/bin/sh").is_err());
        assert!(interpreter(&this[..40]).is_err());
    }
}
