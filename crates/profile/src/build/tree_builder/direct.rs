//! Which nodes were certainly called by the node above them: directly, or through code without
//! probes.

/// One bit for each node; shorter than the nodes if later ones have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DirectCalls {
    words: Vec<u64>,
}

const BITS: usize = u64::BITS as usize;
/// A list of numbers of this size has room for at least as many.
const LEAST_WORDS: usize = 4;

impl DirectCalls {
    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Bytes that they take at most once there are so many nodes.
    pub fn bytes_after(&self, nodes: usize) -> usize {
        let words = nodes / BITS + 1;
        match words > self.words.capacity() {
            true => words.max(2 * self.words.capacity()).max(LEAST_WORDS) * size_of::<u64>(),
            false => self.bytes(),
        }
    }

    /// A call of the node was direct.
    #[inline]
    pub fn set(&mut self, node: u32) {
        let bit = 1_u64 << (node as usize % BITS);
        match self.words.get_mut(node as usize / BITS) {
            // Nearly all calls are of nodes that have it: a test is less work than a store.
            Some(word) if *word & bit != 0 => {}
            Some(word) => *word |= bit,
            None => self.grow(node, bit),
        }
    }

    #[cold]
    fn grow(&mut self, node: u32, bit: u64) {
        let word = node as usize / BITS;
        self.words.resize(word + 1, 0);
        self.words[word] = bit;
    }

    /// Whether a call of the node was direct.
    pub fn has(&self, node: u32) -> bool {
        let word = self.words.get(node as usize / BITS).copied().unwrap_or(0);
        word >> (node as usize % BITS) & 1 != 0
    }

    /// The nodes that have it, where they are after a fold.
    pub fn follow(&mut self, nodes: u32, to: impl Fn(u32) -> u32) {
        let before = std::mem::take(self);
        (1..nodes).filter(|node| before.has(*node)).for_each(|node| self.set(to(node)));
    }

    /// All bits, for a checkpoint.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// What [`DirectCalls::words`] gave, for so many nodes.
    pub fn from_words(mut words: Vec<u64>, nodes: usize) -> Self {
        words.truncate(nodes / BITS + 1);
        Self { words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_a_set() {
        let mut direct = DirectCalls::default();
        let nodes = [3, 64, 63, 1_000, 3, 128];
        for node in nodes {
            let most = direct.bytes_after(node as usize + 1);
            direct.set(node);
            assert!(direct.bytes() <= most);
        }
        assert!((0..2_000).all(|node| direct.has(node) == nodes.contains(&node)));
        let read = DirectCalls::from_words(direct.words().to_vec(), 1_001);
        assert_eq!(read, direct);
        direct.follow(1_001, |node| node / 2);
        assert!(
            (0..2_000)
                .all(|node| { direct.has(node) == nodes.iter().any(|before| before / 2 == node) })
        );
    }
}
