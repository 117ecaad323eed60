//! The wire format of protocol buffers, as far as pprof and OpenTelemetry need it.

/// A message as bytes. Zero values and empty texts are left out, as proto3 reads them anyway.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    bytes: Vec<u8>,
}

const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const LENGTH_DELIMITED: u64 = 2;

impl Message {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// An integer that is not negative, of any integer type without zigzag or fixed width.
    pub fn uint(&mut self, field: u32, value: u64) -> &mut Self {
        if value != 0 {
            self.tag(field, VARINT);
            varint(&mut self.bytes, value);
        }
        self
    }

    pub fn fixed64(&mut self, field: u32, value: u64) -> &mut Self {
        self.tag(field, FIXED64);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// A text; an element of a repeated field may be empty.
    pub fn text(&mut self, field: u32, text: &str) -> &mut Self {
        self.delimited(field, text.as_bytes())
    }

    pub fn message(&mut self, field: u32, message: &Self) -> &mut Self {
        self.delimited(field, &message.bytes)
    }

    /// A repeated field of integers, packed; left out if it is empty.
    pub fn packed(&mut self, field: u32, values: impl Iterator<Item = u64> + Clone) -> &mut Self {
        let length: usize = values.clone().map(varint_length).sum();
        if length > 0 {
            self.tag(field, LENGTH_DELIMITED);
            varint(&mut self.bytes, length as u64);
            self.bytes.reserve(length);
            values.for_each(|value| varint(&mut self.bytes, value));
        }
        self
    }

    fn delimited(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.tag(field, LENGTH_DELIMITED);
        varint(&mut self.bytes, bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn tag(&mut self, field: u32, wire_type: u64) {
        varint(&mut self.bytes, u64::from(field) << 3 | wire_type);
    }
}

/// Appends a number in groups of seven bits, the lowest first.
pub(crate) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Bytes of a number as [`varint`] writes it.
pub(crate) fn varint_length(value: u64) -> usize {
    (u64::BITS - (value | 1).leading_zeros()).div_ceil(7) as usize
}
