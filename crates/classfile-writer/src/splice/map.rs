//! Mapping of old positions to new ones.

/// A position at which something is inserted, or an instruction that changes its length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    /// The old position.
    pub bci: u32,
    /// New minus old position of the code before it.
    pub shift: i32,
    /// Bytes of its trampolines, which come first.
    pub island: u32,
    /// Bytes that branches to the position skip: the trampolines, and code with `Landing::After`.
    pub skip: u32,
    /// Bytes that branches to the position run: code with `Landing::Before`.
    pub run: u32,
    /// New minus old position of the code after the instruction.
    pub shift_after: i32,
    /// First piece to insert here, and the piece after the last.
    pub pieces: (u32, u32),
    /// How the instruction changes.
    pub change: Change,
}

/// Change of an instruction's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// None.
    None,
    /// A switch: new padding, new offsets.
    Switch,
    /// `goto` or `jsr` becomes the wide form.
    Wide,
    /// `if*` becomes the inverse condition over a `goto_w`.
    Inverted,
}

impl Change {
    /// Growth of an instruction that moves from `old` to `new`.
    pub(super) fn growth(self, old: u32, new: u32) -> i32 {
        use crate::instruction::Switch;
        match self {
            Change::None => 0,
            Change::Switch => Switch::padding(new) as i32 - Switch::padding(old) as i32,
            Change::Wide => 2,
            Change::Inverted => 5,
        }
    }
}

/// New positions for an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    /// Before all insertions: the end of a range that ends here.
    pub base: u32,
    /// The target of branches to it.
    pub target: u32,
    /// Its instruction.
    pub instruction: u32,
}

/// All events of one method, ascending by old position.
#[derive(Debug, Default)]
pub(super) struct Map {
    pub events: Vec<Event>,
    /// Move of each old position, the code's end included; see [`pack`]. Later entries are left
    /// over from other methods.
    moves: Vec<u64>,
    /// Number of valid entries of `moves`.
    known: usize,
}

/// The moves of the three parts of a [`Position`], 16 bits each, as wrapping differences. Code in
/// its layout has at most 65,535 bytes.
#[inline]
fn pack(shift: i32, skip: u32, run: u32) -> u64 {
    let [base, target, instruction] =
        [0, skip, skip + run].map(|more| u64::from((shift as u32).wrapping_add(more) as u16));
    base | target << 16 | instruction << 32
}

impl Map {
    /// The new positions for an old one. Slow, and right during layout too.
    pub(super) fn at(&self, bci: u32) -> Position {
        let index = self.events.partition_point(|event| event.bci < bci);
        let moved = |shift: i32| (bci as i32).wrapping_add(shift) as u32;
        match self.events.get(index) {
            Some(event) if event.bci == bci => {
                let base = moved(event.shift);
                let target = base + event.skip;
                Position { base, target, instruction: target + event.run }
            }
            Some(event) => {
                let at = moved(event.shift);
                Position { base: at, target: at, instruction: at }
            }
            None => {
                let at = moved(self.last_shift());
                Position { base: at, target: at, instruction: at }
            }
        }
    }

    fn last_shift(&self) -> i32 {
        self.events.last().map_or(0, |event| event.shift_after)
    }

    /// Computes the move of each position, for [`Map::positions`]. `code_length` is that of the old
    /// code.
    pub(super) fn settle(&mut self, code_length: usize) {
        self.known = code_length + 1;
        if self.moves.len() < self.known {
            self.moves.resize(self.known, 0);
        }
        let last = self.last_shift();
        let mut from = 0;
        for event in &self.events {
            let at = event.bci as usize;
            if let Some(([between @ .., here], _)) =
                self.moves.get_mut(from..).and_then(|rest| rest.split_at_mut_checked(at + 1 - from))
            {
                between.fill(pack(event.shift, 0, 0));
                *here = pack(event.shift, event.skip, event.run);
            }
            from = at + 1;
        }
        if let Some(rest) = self.moves.get_mut(from..self.known) {
            rest.fill(pack(last, 0, 0));
        }
    }

    /// The positions, after [`Map::settle`].
    #[inline]
    pub(super) fn positions(&self) -> Positions<'_> {
        Positions {
            moves: self.moves.get(..self.known).unwrap_or_default(),
            last: self.last_shift(),
        }
    }
}

/// Look-up of positions after the layout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Positions<'m> {
    moves: &'m [u64],
    /// Move of positions beyond the code. Damaged tables can have them.
    last: i32,
}

impl Positions<'_> {
    /// The new positions for an old one.
    #[inline]
    pub(super) fn at(self, bci: u32) -> Position {
        match self.moves.get(bci as usize) {
            Some(&moves) => {
                let moved = |by: u64| u32::from((bci as u16).wrapping_add(by as u16));
                Position {
                    base: moved(moves),
                    target: moved(moves >> 16),
                    instruction: moved(moves >> 32),
                }
            }
            None => {
                let at = (bci as i32).wrapping_add(self.last) as u32;
                Position { base: at, target: at, instruction: at }
            }
        }
    }
}
