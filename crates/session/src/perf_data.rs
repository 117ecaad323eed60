//! HotSpot's performance data (hsperfdata): what a JVM writes about itself into
//! `/tmp/hsperfdata_USER/PID`, version 2 of the format.

use std::collections::HashMap;

/// The first four bytes of the file.
const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
/// Bytes of an entry before its name.
const ENTRY_HEADER: usize = 20;
/// The type of an entry with a text: JNI's name for an array of bytes.
const TYPE_BYTE: u8 = b'B';

/// The texts of a JVM, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerfData(HashMap<String, String>);

/// An entry of the file.
struct Entry<'b> {
    bytes: &'b [u8],
    /// Offset of the entry in the file.
    at: usize,
    /// Offsets in the entry.
    name: usize,
    data: usize,
    /// Values of a vector; 0 of a single one.
    vector: usize,
}

impl<'b> Entry<'b> {
    fn name(&self) -> &'b [u8] {
        until_zero(self.bytes.get(self.name..).unwrap_or_default())
    }

    fn text(&self) -> Option<&'b [u8]> {
        let is_text = self.bytes.get(12) == Some(&TYPE_BYTE) && self.vector > 0;
        let value = self.bytes.get(self.data..).filter(|_| is_text)?;
        Some(until_zero(&value[..value.len().min(self.vector)]))
    }
}

fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The entries of a file, as far as they can be read; none of another kind of file.
///
/// A prologue of 32 bytes has magic, byte order, version, …, offset of the first entry at 24 and
/// number of entries at 28. An entry begins with 32-bit words: length, offset of the name, length
/// of the vector, four bytes (type, flags, unit, variability), offset of the data.
fn entries(bytes: &[u8]) -> Option<impl Iterator<Item = Entry<'_>>> {
    let is_little = match bytes.strip_prefix(&MAGIC)?.first()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let word = move |at: usize| -> Option<usize> {
        let word: [u8; 4] = *bytes.get(at..)?.first_chunk()?;
        let value = if is_little { i32::from_le_bytes(word) } else { i32::from_be_bytes(word) };
        usize::try_from(value).ok()
    };
    let (mut at, count) = (word(24)?, word(28)?);
    let next = move |_| {
        let length = word(at).filter(|length| *length >= ENTRY_HEADER)?;
        let entry = Entry {
            bytes: bytes.get(at..at.checked_add(length)?)?,
            at,
            name: word(at + 4)?,
            data: word(at + 16)?,
            vector: word(at + 8)?,
        };
        at += length;
        Some(entry)
    };
    Some((0..count).map_while(next))
}

/// The offset in the file of a counter's value, a 64-bit word in this machine's byte order; none if
/// the JVM does not count that.
pub fn counter_offset(bytes: &[u8], name: &str) -> Option<usize> {
    let entry = entries(bytes)?.find(|entry| entry.name() == name.as_bytes())?;
    let end = entry.data.checked_add(size_of::<u64>())?;
    (entry.vector == 0 && end <= entry.bytes.len()).then(|| entry.at + entry.data)
}

impl PerfData {
    /// Reads the texts; none of another kind of file.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let texts = entries(bytes)?.filter_map(|entry| Some((text(entry.name()), entry.text()?)));
        Some(Self(texts.map(|(name, value)| (name, text(value))).collect()))
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

    /// Whether its flags allow that something attaches: the first of its capabilities.
    pub fn can_attach(&self) -> Option<bool> {
        self.get("sun.rt.jvmCapabilities")?.bytes().next().map(|byte| byte == b'1')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of an entry.
    enum Value {
        Text(&'static str),
        Counter(u64),
    }
    use Value::{Counter, Text};

    /// A file of this machine's byte order.
    fn file(entries: &[(&str, Value)]) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[1, 2, 0, 1]].concat();
        for word in [0i32, 0, 0, 0, 32, entries.len() as i32] {
            bytes.extend(word.to_le_bytes());
        }
        for (name, value) in entries {
            let data = (ENTRY_HEADER + name.len() + 1).next_multiple_of(8);
            let (kind, vector, value) = match value {
                Text(text) => (b'B', text.len() + 1, [text.as_bytes(), b"\0"].concat()),
                Counter(count) => (b'J', 0, count.to_le_bytes().to_vec()),
            };
            let start = bytes.len();
            let length = (data + value.len()).next_multiple_of(8);
            for word in [length, ENTRY_HEADER, vector] {
                bytes.extend((word as i32).to_le_bytes());
            }
            bytes.extend([kind, 1, 5, 1]);
            bytes.extend((data as i32).to_le_bytes());
            bytes.extend(name.as_bytes());
            bytes.resize(start + data, 0);
            bytes.extend(value);
            bytes.resize(start + length, 0);
        }
        bytes
    }

    #[test]
    fn texts_by_name() {
        let bytes = file(&[
            ("sun.rt.javaCommand", Text("app.jar a b")),
            ("sun.rt.safepointTime", Counter(42)),
            ("java.property.java.version", Text("17.0.9")),
            ("sun.rt.jvmCapabilities", Text("1100")),
        ]);
        let data = PerfData::parse(&bytes).unwrap();
        assert_eq!(data.command(), Some("app.jar a b"));
        assert_eq!((data.version(), data.can_attach()), (Some("17.0.9"), Some(true)));
        assert_eq!(data.get("sun.rt.safepointTime"), None);
        let closed = PerfData::parse(&file(&[("sun.rt.jvmCapabilities", Text("0"))])).unwrap();
        assert_eq!((closed.can_attach(), closed.version()), (Some(false), None));
    }

    #[test]
    fn a_counter_is_found_by_its_whole_name() {
        let bytes = file(&[
            ("sun.rt.safepointTimes", Counter(1)),
            ("sun.rt.safepointTime", Counter(42)),
            ("sun.rt.safepoint", Counter(3)),
            ("sun.rt.text", Text("long enough")),
        ]);
        let at = counter_offset(&bytes, "sun.rt.safepointTime").unwrap();
        assert_eq!(bytes[at..].first_chunk(), Some(&42_u64.to_le_bytes()));
        assert_eq!(counter_offset(&bytes, "sun.rt.safepoints"), None);
        assert_eq!(counter_offset(&bytes, "sun.rt.text"), None);
    }

    #[test]
    fn damaged_files_are_read_as_far_as_they_go() {
        let whole = file(&[("a", Text("1")), ("b", Text("2")), ("c", Counter(3))]);
        for cut in 0..whole.len() {
            assert_eq!(counter_offset(&whole[..cut], "c"), None, "{cut}");
            // The last eight bytes before the counter's entry are the text's padding.
            if let Some(data) = PerfData::parse(&whole[..cut.min(whole.len() - 48)]) {
                assert_eq!(data.get("b"), None, "{cut}");
            }
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let _ = PerfData::parse(&bytes);
                let found = counter_offset(&bytes, "c");
                assert!(found.is_none_or(|offset| offset + 8 <= bytes.len()), "{at}");
            }
        }
    }

    #[test]
    fn other_files_have_no_data() {
        for bytes in [&b""[..], &[0; 64], &MAGIC] {
            assert_eq!(PerfData::parse(bytes), None);
            assert_eq!(counter_offset(bytes, "c"), None);
        }
    }
}
