//! Zip files with every field in the test's hand.

/// One entry to write.
#[derive(Clone)]
pub struct RawEntry {
    pub name: Vec<u8>,
    pub method: u16,
    pub flags: u16,
    pub data: Vec<u8>,
    pub crc: u32,
    pub size: u64,
    pub descriptor: Descriptor,
    /// Sizes in a zip64 field of both headers.
    pub zip64: bool,
    pub local_extra: Vec<u8>,
    pub central_extra: Vec<u8>,
    pub comment: Vec<u8>,
    /// Instead of where it really is.
    pub offset: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Descriptor {
    None,
    Signed,
    Bare,
    Signed64,
    Bare64,
    /// Announced, but not there.
    Missing,
}

/// A stored entry.
pub fn stored(name: impl Into<Vec<u8>>, content: &[u8]) -> RawEntry {
    RawEntry {
        name: name.into(),
        method: 0,
        flags: 0,
        data: content.to_vec(),
        crc: libdeflater::crc32(content),
        size: content.len() as u64,
        descriptor: Descriptor::None,
        zip64: false,
        local_extra: Vec::new(),
        central_extra: Vec::new(),
        comment: Vec::new(),
        offset: None,
    }
}

/// A deflated entry.
pub fn deflated(name: impl Into<Vec<u8>>, content: &[u8]) -> RawEntry {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut data = vec![0; compressor.deflate_compress_bound(content.len())];
    let len = compressor.deflate_compress(content, &mut data).unwrap();
    data.truncate(len);
    RawEntry { method: 8, data, ..stored(name, content) }
}

/// The rest of the file.
#[derive(Clone, Default)]
pub struct Shape {
    pub preamble: Vec<u8>,
    /// Do the offsets count from the beginning of the preamble?
    pub offsets_count_preamble: bool,
    pub comment: Vec<u8>,
    pub zip64_end: bool,
    /// The low 16 bits of the count only, without a zip64 end record.
    pub wrap_count: bool,
    /// Bytes between the entries and the directory.
    pub gap: Vec<u8>,
    pub trailer: Vec<u8>,
}

pub fn build(entries: &[RawEntry], shape: &Shape) -> Vec<u8> {
    let mut out = shape.preamble.clone();
    let base = if shape.offsets_count_preamble { 0 } else { shape.preamble.len() };
    let mut central = Vec::new();
    for entry in entries {
        let offset = (out.len() - base) as u32;
        let described = entry.descriptor != Descriptor::None;
        let flags = entry.flags | if described { 8 } else { 0 };
        let needed: u16 = if entry.zip64 { 45 } else { 20 };
        let (c, s) = match entry.zip64 {
            true => (u32::MAX, u32::MAX),
            false => (entry.data.len() as u32, entry.size as u32),
        };
        let mut local_extra = entry.local_extra.clone();
        let mut central_extra = entry.central_extra.clone();
        if entry.zip64 {
            for extra in [&mut local_extra, &mut central_extra] {
                put(extra, &[1, 0, 16, 0]);
                put(extra, &entry.size.to_le_bytes());
                put(extra, &(entry.data.len() as u64).to_le_bytes());
            }
        }
        put(&mut out, b"PK\x03\x04");
        put(&mut out, &needed.to_le_bytes());
        put(&mut out, &flags.to_le_bytes());
        put(&mut out, &entry.method.to_le_bytes());
        put(&mut out, &0x6543_4321u32.to_le_bytes());
        let local = if described { [0, 0, 0] } else { [entry.crc, c, s] };
        local.iter().for_each(|f| put(&mut out, &f.to_le_bytes()));
        put(&mut out, &(entry.name.len() as u16).to_le_bytes());
        put(&mut out, &(local_extra.len() as u16).to_le_bytes());
        put(&mut out, &entry.name);
        put(&mut out, &local_extra);
        put(&mut out, &entry.data);
        put_descriptor(&mut out, entry);

        put(&mut central, b"PK\x01\x02");
        put(&mut central, &0x031eu16.to_le_bytes());
        put(&mut central, &needed.to_le_bytes());
        put(&mut central, &flags.to_le_bytes());
        put(&mut central, &entry.method.to_le_bytes());
        put(&mut central, &0x6543_4321u32.to_le_bytes());
        [entry.crc, c, s].iter().for_each(|f| put(&mut central, &f.to_le_bytes()));
        for len in [entry.name.len(), central_extra.len(), entry.comment.len()] {
            put(&mut central, &(len as u16).to_le_bytes());
        }
        put(&mut central, &[0, 0, 1, 0, 0, 0, 0xa4, 0x81]);
        put(&mut central, &entry.offset.unwrap_or(offset).to_le_bytes());
        put(&mut central, &entry.name);
        put(&mut central, &central_extra);
        put(&mut central, &entry.comment);
    }
    put(&mut out, &shape.gap);
    let offset = (out.len() - base) as u64;
    put(&mut out, &central);
    let count = entries.len() as u64;
    if shape.zip64_end {
        let end64 = (out.len() - base) as u64;
        put(&mut out, b"PK\x06\x06");
        put(&mut out, &44u64.to_le_bytes());
        put(&mut out, &[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        [count, count, central.len() as u64, offset]
            .iter()
            .for_each(|f| put(&mut out, &f.to_le_bytes()));
        put(&mut out, b"PK\x06\x07\0\0\0\0");
        put(&mut out, &end64.to_le_bytes());
        put(&mut out, &1u32.to_le_bytes());
    }
    let (count16, size32, offset32) = match shape.zip64_end {
        true => (0xffff, u32::MAX, u32::MAX),
        false => {
            assert!(shape.wrap_count || count < 0xffff);
            (count as u16, central.len() as u32, offset as u32)
        }
    };
    put(&mut out, b"PK\x05\x06\0\0\0\0");
    put(&mut out, &count16.to_le_bytes());
    put(&mut out, &count16.to_le_bytes());
    put(&mut out, &size32.to_le_bytes());
    put(&mut out, &offset32.to_le_bytes());
    put(&mut out, &(shape.comment.len() as u16).to_le_bytes());
    put(&mut out, &shape.comment);
    put(&mut out, &shape.trailer);
    out
}

fn put_descriptor(out: &mut Vec<u8>, entry: &RawEntry) {
    use Descriptor::*;
    let (signed, wide) = match entry.descriptor {
        None | Missing => return,
        Signed => (true, false),
        Bare => (false, false),
        Signed64 => (true, true),
        Bare64 => (false, true),
    };
    if signed {
        put(out, b"PK\x07\x08");
    }
    put(out, &entry.crc.to_le_bytes());
    for size in [entry.data.len() as u64, entry.size] {
        if wide { put(out, &size.to_le_bytes()) } else { put(out, &(size as u32).to_le_bytes()) }
    }
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(bytes);
}
