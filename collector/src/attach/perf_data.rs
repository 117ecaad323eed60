//! What a HotSpot JVM writes about itself into `/tmp/hsperfdata_USER/PID` (its jvmstat figures,
//! version 2).

use super::target::directory;
use jfathom_files::Access;
use std::{
    collections::HashMap,
    ffi::OsStr,
    io::Read,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::Path,
};

/// The JVM's texts, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerfData(HashMap<String, String>);

/// The first four bytes of the file.
const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
/// Most bytes of the file that are read; it has 32 KiB, unless `-XX:PerfDataMemorySize` says
/// otherwise.
const LIMIT: u64 = 16 << 20;
/// The size of an entry's header, in bytes.
const ENTRY_HEADER: usize = 20;

impl PerfData {
    /// Reads the file of a JVM; none where it writes none.
    pub(super) fn read(pid: u32, inner_pid: u32, uid: u32) -> Option<Self> {
        let tmp = directory(pid, Path::new("/tmp")).ok()?;
        for name in tmp.names().ok()? {
            if !name.as_bytes().starts_with(b"hsperfdata_") {
                continue;
            }
            // The folder is named after the user, whose name in the container need not be known
            // here.
            let file = tmp.beneath(Path::new(&name)).and_then(|folder| {
                folder.open_file(OsStr::new(&inner_pid.to_string()), Access::Read)
            });
            if let Ok(file) = file
                && file.metadata().is_ok_and(|meta| meta.uid() == uid)
            {
                let mut bytes = Vec::new();
                file.take(LIMIT).read_to_end(&mut bytes).ok()?;
                return Self::parse(&bytes);
            }
        }
        None
    }

    /// Reads the texts: a prologue of 32 bytes (magic, byte order, version, …, offset of the first
    /// entry at 24, number of entries at 28), then entries (length, offset of the name, length
    /// of a vector, type, flags, unit, variability, offset of the data).
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        if bytes.get(..4)? != MAGIC {
            return None;
        }
        let little = match bytes.get(4)? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let int = |at: usize| -> Option<usize> {
            let word: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
            usize::try_from(if little {
                i32::from_le_bytes(word)
            } else {
                i32::from_be_bytes(word)
            })
            .ok()
        };
        let text = |range: &[u8]| {
            let end = range.iter().position(|&b| b == 0).unwrap_or(range.len());
            String::from_utf8_lossy(&range[..end]).into_owned()
        };
        let mut texts = HashMap::new();
        let mut at = int(24)?;
        for _ in 0..int(28)? {
            let Some(length) = int(at).filter(|length| *length >= ENTRY_HEADER) else { break };
            let Some(entry) = bytes.get(at..at.saturating_add(length)) else { break };
            let (name, vector, data) = (int(at + 4)?, int(at + 8)?, int(at + 16)?);
            if entry.get(12) == Some(&b'B') && vector > 0 {
                let value =
                    entry.get(data..data.saturating_add(vector)).or_else(|| entry.get(data..));
                texts.insert(text(entry.get(name..)?), text(value.unwrap_or_default()));
            }
            at += length;
        }
        Some(Self(texts))
    }

    /// One of its texts.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Main class or jar with the program's arguments.
    pub fn command(&self) -> Option<&str> {
        self.get("sun.rt.javaCommand")
    }

    /// `java.version`.
    pub fn version(&self) -> Option<&str> {
        self.get("java.property.java.version")
    }

    /// The feature version: 17 of `17.0.9`, 8 of `1.8.0_392`.
    pub(super) fn feature_version(&self) -> Option<u32> {
        let version = self.version()?;
        version
            .strip_prefix("1.")
            .unwrap_or(version)
            .split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    }

    /// Whether its flags allow that something attaches: the first of its capabilities.
    pub(super) fn can_attach(&self) -> Option<bool> {
        self.get("sun.rt.jvmCapabilities")?.bytes().next().map(|byte| byte == b'1')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[1, 2, 0, 1]].concat();
        for word in [0i32, 0, 0, 0, 32, entries.len() as i32] {
            bytes.extend(word.to_le_bytes());
        }
        for (name, value) in entries {
            let name_end = ENTRY_HEADER + name.len() + 1;
            let length = name_end + value.len() + 1;
            for word in [length, ENTRY_HEADER, value.len() + 1] {
                bytes.extend((word as i32).to_le_bytes());
            }
            bytes.extend([b'B', 1, 5, 1]);
            bytes.extend((name_end as i32).to_le_bytes());
            for text in [name, value] {
                bytes.extend(text.as_bytes());
                bytes.push(0);
            }
        }
        bytes
    }

    #[test]
    fn texts_by_name() {
        let bytes = file(&[
            ("sun.rt.javaCommand", "app.jar a b"),
            ("java.property.java.version", "17.0.9"),
            ("sun.rt.jvmCapabilities", "1100"),
        ]);
        let data = PerfData::parse(&bytes).unwrap();
        assert_eq!(data.command(), Some("app.jar a b"));
        assert_eq!((data.feature_version(), data.can_attach()), (Some(17), Some(true)));
        let old = PerfData::parse(&file(&[
            ("java.property.java.version", "1.8.0_392"),
            ("sun.rt.jvmCapabilities", "0"),
        ]));
        assert_eq!(
            old.as_ref().map(|data| (data.feature_version(), data.can_attach())),
            Some((Some(8), Some(false)))
        );
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        let whole = file(&[("a", "1"), ("b", "2")]);
        for cut in 0..whole.len() {
            if let Some(data) = PerfData::parse(&whole[..cut]) {
                assert!(data.get("b").is_none(), "{cut}");
            }
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let _ = PerfData::parse(&bytes);
            }
        }
    }
}
