//! Numbers and texts as JFR writes them.

/// Bytes of a chunk.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoder {
    pub bytes: Vec<u8>,
}

/// A number that the format's signed 64 bits hold.
pub(super) fn bounded(number: u64) -> u64 {
    number.min(i64::MAX as u64)
}

/// One event, constant or element as bytes.
pub(super) fn encoded(fill: impl FnOnce(&mut Encoder)) -> Encoder {
    let mut encoder = Encoder::default();
    fill(&mut encoder);
    encoder
}

/// How a string is encoded: as UTF-8 with its length.
const UTF8: u8 = 3;

impl Encoder {
    /// A byte or a boolean.
    pub fn byte(&mut self, byte: u8) -> &mut Self {
        self.bytes.push(byte);
        self
    }

    /// A compressed number, in groups of seven bits, the lowest first. A ninth byte would have
    /// eight; numbers here fit into 63 bits, which is nine groups.
    pub fn number(&mut self, number: u64) -> &mut Self {
        let mut rest = bounded(number);
        for _ in 0..8 {
            if rest < 0x80 {
                break;
            }
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.byte(rest as u8)
    }

    pub fn string(&mut self, text: &str) -> &mut Self {
        self.byte(UTF8).number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    pub fn append(&mut self, other: &Self) -> &mut Self {
        self.bytes.extend_from_slice(&other.bytes);
        self
    }

    /// Appends an event: its size in bytes, the size itself included, and what it consists of.
    pub fn event(&mut self, body: &Self) -> &mut Self {
        let length = body.bytes.len();
        // The size of the size depends on itself; four bytes hold 256 MiB, five 32 GiB.
        let digits = (1..=5).find(|digits| (length + digits) >> (7 * digits) == 0).unwrap_or(5);
        self.number((length + digits) as u64).append(body)
    }
}
