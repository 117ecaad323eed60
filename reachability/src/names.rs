//! Interned names: each text is stored once and has a dense number.

use std::fmt::Debug;
use std::sync::Arc;

/// A text: class name in internal form, member name, or descriptor.
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

/// Names and signatures of an index, with fixed numbers. A world's own numbers follow them.
pub(crate) trait BaseNames: Debug + Send + Sync {
    /// Number of names; they are numbered from 0.
    fn name_count(&self) -> u32;
    /// Number of signatures; they are numbered from 0.
    fn sig_count(&self) -> u32;
    /// The text of a name. Empty if there is no such number.
    fn name(&self, id: u32) -> &[u8];
    /// The number of a text with this hash, if it is there.
    fn find_name(&self, hash: u32, text: &[u8]) -> Option<u32>;
    /// The numbers of name and descriptor of a signature.
    fn sig(&self, id: u32) -> Option<(u32, u32)>;
    /// The number of the signature with this name, descriptor and hash.
    fn find_sig(&self, hash: u32, parts: (u32, u32)) -> Option<u32>;
}

/// All names of a world, in modified UTF-8 (JVMS 4.4.7). The first can be those of an index.
#[derive(Debug)]
pub struct Names {
    base: Option<Arc<dyn BaseNames>>,
    /// Number of names and of signatures in `base`.
    base_names: u32,
    base_sigs: u32,
    text: Vec<u8>,
    /// The end of each text. It is the start of the next.
    ends: Vec<usize>,
    names: Table,
    sigs: Vec<(NameId, NameId)>,
    sig_table: Table,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            base: None,
            base_names: 0,
            base_sigs: 0,
            text: Vec::new(),
            ends: Vec::new(),
            names: Table::new(),
            sigs: Vec::new(),
            sig_table: Table::new(),
        }
    }
}

impl Names {
    /// Names that begin with those of `base`, under the same numbers.
    pub(crate) fn over(base: Arc<dyn BaseNames>) -> Self {
        let (base_names, base_sigs) = (base.name_count(), base.sig_count());
        Self { base: Some(base), base_names, base_sigs, ..Self::default() }
    }

    /// Whether they begin with the names of exactly this value.
    pub(crate) fn is_over<B: BaseNames>(&self, base: &Arc<B>) -> bool {
        let own = self.base.as_ref().map(|own| Arc::as_ptr(own).cast::<()>());
        own == Some(Arc::as_ptr(base).cast())
    }

    /// Reserves memory for more names.
    pub(crate) fn reserve(&mut self, names: usize) {
        self.ends.reserve(names);
    }

    /// The number of a text. An unknown text gets a new one.
    pub fn intern(&mut self, text: &[u8]) -> NameId {
        let hash = hash(text);
        if let Some(id) = self.find_hashed(hash, text) {
            return id;
        }
        let id = self.ends.len() as u32;
        self.text.extend_from_slice(text);
        self.ends.push(self.text.len());
        self.names.insert(hash, id);
        NameId(self.base_names + id)
    }

    /// The number of a text, if it has one.
    pub fn find(&self, text: &[u8]) -> Option<NameId> {
        self.find_hashed(hash(text), text)
    }

    fn find_hashed(&self, hash: u32, text: &[u8]) -> Option<NameId> {
        if let Some(id) = self.base.as_ref().and_then(|base| base.find_name(hash, text)) {
            return Some(NameId(id));
        }
        let own = self.names.find(hash, |id| text_of(&self.text, &self.ends, id) == text)?;
        Some(NameId(self.base_names + own))
    }

    /// The text of a name.
    pub fn text(&self, id: NameId) -> &[u8] {
        match (id.0.checked_sub(self.base_names), &self.base) {
            (None, Some(base)) => base.name(id.0),
            (own, _) => text_of(&self.text, &self.ends, own.unwrap_or(id.0)),
        }
    }

    /// The text of a name, for display.
    pub fn show(&self, id: NameId) -> String {
        classfile_writer::mutf8::decode_lossy(self.text(id)).into_owned()
    }

    /// The number of a signature. An unknown one gets a new number.
    pub fn sig(&mut self, name: NameId, descriptor: NameId) -> SigId {
        if let Some(known) = self.find_sig(name, descriptor) {
            return known;
        }
        let id = self.sigs.len() as u32;
        self.sigs.push((name, descriptor));
        self.sig_table.insert(pair_hash(name, descriptor), id);
        SigId(self.base_sigs + id)
    }

    /// The number of a signature, if it has one.
    pub fn find_sig(&self, name: NameId, descriptor: NameId) -> Option<SigId> {
        let hash = pair_hash(name, descriptor);
        if let Some(base) = &self.base
            && name.0.max(descriptor.0) < self.base_names
            && let Some(id) = base.find_sig(hash, (name.0, descriptor.0))
        {
            return Some(SigId(id));
        }
        let same = |id: u32| self.sigs.get(id as usize) == Some(&(name, descriptor));
        self.sig_table.find(hash, same).map(|id| SigId(self.base_sigs + id))
    }

    /// The number of a signature, by its texts.
    pub fn sig_of(&mut self, name: &[u8], descriptor: &[u8]) -> SigId {
        let (name, descriptor) = (self.intern(name), self.intern(descriptor));
        self.sig(name, descriptor)
    }

    /// Name and descriptor of a signature.
    pub fn parts(&self, sig: SigId) -> (NameId, NameId) {
        let own = match (sig.0.checked_sub(self.base_sigs), &self.base) {
            (None, Some(base)) => {
                base.sig(sig.0).map(|(name, descriptor)| (NameId(name), NameId(descriptor)))
            }
            (own, _) => self.sigs.get(own.unwrap_or(sig.0) as usize).copied(),
        };
        own.unwrap_or((NameId(0), NameId(0)))
    }

    /// The name in a signature.
    pub fn name_of(&self, sig: SigId) -> &[u8] {
        self.text(self.parts(sig).0)
    }

    /// The descriptor in a signature.
    pub fn descriptor_of(&self, sig: SigId) -> &[u8] {
        self.text(self.parts(sig).1)
    }

    /// Number of texts. All numbers are smaller.
    pub fn len(&self) -> usize {
        self.base_names as usize + self.ends.len()
    }

    pub(crate) fn sig_count(&self) -> usize {
        self.base_sigs as usize + self.sigs.len()
    }

    /// The hashes of all names outside the index, by number.
    pub(crate) fn hashes(&self) -> Vec<u32> {
        self.names.hashes(self.ends.len())
    }

    /// The hashes of all signatures outside the index, by number.
    pub(crate) fn sig_hashes(&self) -> Vec<u32> {
        self.sig_table.hashes(self.sigs.len())
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory in use, without those of the index.
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
    let mut hash =
        words.iter().fold(text.len() as u64, |all, word| mix(all, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash = mix(hash, u64::from_le_bytes(last));
    (hash ^ hash >> 32) as u32
}

fn pair_hash(name: NameId, descriptor: NameId) -> u32 {
    let hash = mix(u64::from(name.0) << 32 | u64::from(descriptor.0), 1);
    (hash ^ hash >> 32) as u32
}

/// An open hash table of numbers. The caller has their values.
#[derive(Debug)]
struct Table {
    /// Hash, and number plus one. 0 in a free slot. The length is a power of two.
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

    /// The hash of each number, below `count`.
    fn hashes(&self, count: usize) -> Vec<u32> {
        let mut hashes = vec![0; count];
        for &(hash, entry) in &self.slots {
            if let Some(slot) = (entry as usize).checked_sub(1).and_then(|id| hashes.get_mut(id)) {
                *slot = hash;
            }
        }
        hashes
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
        let ids: Vec<NameId> =
            (0..5000).map(|i| names.intern(format!("name{i}").as_bytes())).collect();
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
