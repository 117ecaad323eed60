//! Interned names: each text once, known by a dense number.

/// A text: the internal name of a class, the name of a member, a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

/// The name and the descriptor of a member together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SigId(pub(crate) u32);

impl NameId {
    pub(crate) const fn ix(self) -> usize {
        self.0 as usize
    }
}

/// All names of a world, in modified UTF-8 (JVMS 4.4.7).
#[derive(Debug)]
pub struct Names {
    text: Vec<u8>,
    /// Where each text ends; it begins where the one before ends.
    ends: Vec<usize>,
    names: Table,
    sigs: Vec<(NameId, NameId)>,
    sig_table: Table,
}

impl Default for Names {
    fn default() -> Self {
        let (text, ends, sigs) = (Vec::new(), Vec::new(), Vec::new());
        Self { text, ends, names: Table::new(), sigs, sig_table: Table::new() }
    }
}

impl Names {
    /// The number of a text; a new one where it was not known.
    pub fn intern(&mut self, text: &[u8]) -> NameId {
        let hash = hash(text);
        if let Some(id) = self.names.find(hash, |id| text_of(&self.text, &self.ends, id) == text) {
            return NameId(id);
        }
        let id = self.ends.len() as u32;
        self.text.extend_from_slice(text);
        self.ends.push(self.text.len());
        self.names.insert(hash, id);
        NameId(id)
    }

    /// The number of a text, if it has one.
    pub fn find(&self, text: &[u8]) -> Option<NameId> {
        self.names.find(hash(text), |id| text_of(&self.text, &self.ends, id) == text).map(NameId)
    }

    /// A text.
    pub fn text(&self, id: NameId) -> &[u8] {
        text_of(&self.text, &self.ends, id.0)
    }

    /// A text for display.
    pub fn show(&self, id: NameId) -> String {
        classfile_writer::mutf8::decode_lossy(self.text(id)).into_owned()
    }

    /// The number of a name with a descriptor; a new one where it was not known.
    pub fn sig(&mut self, name: NameId, descriptor: NameId) -> SigId {
        let hash = pair_hash(name, descriptor);
        if let Some(id) = self.sig_table.find(hash, |id| self.sigs.get(id as usize) == Some(&(name, descriptor))) {
            return SigId(id);
        }
        let id = self.sigs.len() as u32;
        self.sigs.push((name, descriptor));
        self.sig_table.insert(hash, id);
        SigId(id)
    }

    /// The number of a name with a descriptor, if it has one.
    pub fn find_sig(&self, name: NameId, descriptor: NameId) -> Option<SigId> {
        let same = |id: u32| self.sigs.get(id as usize) == Some(&(name, descriptor));
        self.sig_table.find(pair_hash(name, descriptor), same).map(SigId)
    }

    /// The number of a name with a descriptor, both as texts.
    pub fn sig_of(&mut self, name: &[u8], descriptor: &[u8]) -> SigId {
        let (name, descriptor) = (self.intern(name), self.intern(descriptor));
        self.sig(name, descriptor)
    }

    /// Name and descriptor.
    pub fn parts(&self, sig: SigId) -> (NameId, NameId) {
        self.sigs.get(sig.0 as usize).copied().unwrap_or((NameId(0), NameId(0)))
    }

    /// The name, without the descriptor.
    pub fn name_of(&self, sig: SigId) -> &[u8] {
        self.text(self.parts(sig).0)
    }

    /// The descriptor.
    pub fn descriptor_of(&self, sig: SigId) -> &[u8] {
        self.text(self.parts(sig).1)
    }

    /// How many texts there are; their numbers are below it.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn sig_count(&self) -> usize {
        self.sigs.len()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> usize {
        let tables = self.names.slots.capacity() + self.sig_table.slots.capacity();
        self.text.capacity() + 8 * (self.ends.capacity() + self.sigs.capacity() + tables)
    }
}

fn text_of<'t>(text: &'t [u8], ends: &[usize], id: u32) -> &'t [u8] {
    let id = id as usize;
    let start = id.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    ends.get(id).and_then(|&end| text.get(start..end)).unwrap_or_default()
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER)
}

fn hash(text: &[u8]) -> u32 {
    let (words, rest) = text.as_chunks::<8>();
    let mut hash = words.iter().fold(text.len() as u64, |all, word| mix(all, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash = mix(hash, u64::from_le_bytes(last));
    (hash ^ hash >> 32) as u32
}

fn pair_hash(name: NameId, descriptor: NameId) -> u32 {
    let hash = mix(u64::from(name.0) << 32 | u64::from(descriptor.0), 1);
    (hash ^ hash >> 32) as u32
}

/// An open hash table of numbers; what they stand for is kept elsewhere.
#[derive(Debug)]
struct Table {
    /// Hash, and number plus one; 0 where the slot is free. A power of two of them.
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl Table {
    fn new() -> Self {
        Self { slots: vec![(0, 0); 1 << 10], used: 0 }
    }

    fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                (_, 0) => return None,
                (known, id) if known == hash && same(id - 1) => return Some(id - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn insert(&mut self, hash: u32, id: u32) {
        if self.used * 2 >= self.slots.len() {
            let wider = vec![(0, 0); self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, wider);
            for (hash, id) in old.into_iter().filter(|slot| slot.1 != 0) {
                self.put(hash, id);
            }
        }
        self.put(hash, id + 1);
        self.used += 1;
    }

    fn put(&mut self, hash: u32, entry: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (hash, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_pairs_keep_their_numbers_while_the_tables_grow() {
        let mut names = Names::default();
        let ids: Vec<NameId> = (0..5000).map(|i| names.intern(format!("name{i}").as_bytes())).collect();
        let sigs: Vec<SigId> = ids.windows(2).map(|pair| names.sig(pair[0], pair[1])).collect();
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(names.text(id), format!("name{i}").as_bytes());
            assert_eq!(names.find(format!("name{i}").as_bytes()), Some(id));
        }
        for (pair, &sig) in ids.windows(2).zip(&sigs) {
            assert_eq!((names.parts(sig), names.sig(pair[0], pair[1])), ((pair[0], pair[1]), sig));
        }
        assert_eq!((names.len(), names.find(b"name")), (5000, None));
        assert_eq!(names.intern(b""), names.intern(b""));
    }
}
