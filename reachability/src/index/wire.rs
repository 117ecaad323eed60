//! Numbers as bytes.

/// Writes numbers.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u32);
        self.0.extend_from_slice(text);
    }
}

/// Reads numbers. `None` at the end of the bytes, or if a number is too large.
#[derive(Clone, Copy)]
pub(super) struct Reader<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub(super) fn number(&mut self) -> Option<u32> {
        let mut value = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(value).ok();
            }
        }
        None
    }

    pub(super) fn short(&mut self) -> Option<u16> {
        u16::try_from(self.number()?).ok()
    }

    /// The count of items of at least one byte each. It is bounded by the bytes left, so no more is
    /// allocated.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.bytes.len().saturating_sub(self.at)).then_some(count)
    }

    pub(super) fn text(&mut self) -> Option<&'b [u8]> {
        let len = self.count()?;
        let text = self.bytes.get(self.at..self.at + len)?;
        self.at += len;
        Some(text)
    }

    pub(super) fn string(&mut self) -> Option<String> {
        std::str::from_utf8(self.text()?).ok().map(str::to_owned)
    }
}
