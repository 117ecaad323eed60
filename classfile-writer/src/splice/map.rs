//! From old positions to new ones.

/// A position at which something is inserted, or an instruction that changes its length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    /// The old position.
    pub bci: u32,
    /// New minus old position of what is before it.
    pub shift: i32,
    /// Bytes of the trampolines that come first.
    pub island: u32,
    /// Bytes that branches to the position skip: the trampolines, and code with `Landing::After`.
    pub skip: u32,
    /// Bytes that branches to the position run: code with `Landing::Before`.
    pub run: u32,
    /// New minus old position of what is behind the instruction.
    pub shift_after: i32,
    /// First of the pieces that are inserted here, and the one after the last.
    pub pieces: (u32, u32),
    /// How the instruction changes.
    pub change: Change,
}

/// How an instruction changes its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Not at all.
    None,
    /// A switch: new padding, new offsets.
    Switch,
    /// `goto` or `jsr` becomes the wide form.
    Wide,
    /// `if*` becomes the inverse condition over a `goto_w`.
    Inverted,
}

impl Change {
    /// Growth of an instruction that is at `old` and comes to `new`.
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

/// What an old position became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Before everything that is inserted there: where a range that ends there ends.
    pub base: u32,
    /// Where branches to it land.
    pub target: u32,
    /// Where its instruction is.
    pub instruction: u32,
}

/// All events of one method, ascending by old position.
#[derive(Debug, Default)]
pub(super) struct Map {
    pub events: Vec<Event>,
}

impl Map {
    /// What became of the old position.
    #[inline]
    pub(super) fn at(&self, bci: u32) -> Place {
        self.place(self.events.partition_point(|event| event.bci < bci), bci)
    }

    /// The place of `bci`, given the number of the first event that is not before it.
    #[inline]
    fn place(&self, index: usize, bci: u32) -> Place {
        let moved = |shift: i32| (bci as i32).wrapping_add(shift) as u32;
        match self.events.get(index) {
            Some(event) if event.bci == bci => {
                let base = moved(event.shift);
                let target = base + event.skip;
                Place { base, target, instruction: target + event.run }
            }
            Some(event) => {
                let at = moved(event.shift);
                Place { base: at, target: at, instruction: at }
            }
            None => {
                let at = moved(self.events.last().map_or(0, |event| event.shift_after));
                Place { base: at, target: at, instruction: at }
            }
        }
    }

    /// A reader for positions that mostly come close to each other.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        let mut cursor = Cursor { map: self, index: 0, low: 0, high: 0, shift: 0 };
        cursor.settle();
        cursor
    }
}

/// Looks positions up, starting where the last one was found.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'m> {
    map: &'m Map,
    /// Number of events before the last position.
    index: usize,
    /// Positions from here up to `high` lie between two events, and move by `shift`.
    low: u32,
    high: u32,
    shift: i32,
}

/// Steps in either direction after which a binary search is cheaper.
const MAX_STEPS: u32 = 6;

impl Cursor<'_> {
    /// What became of the old position.
    #[inline]
    pub(super) fn at(&mut self, bci: u32) -> Place {
        if self.low <= bci && bci < self.high {
            let at = (bci as i32 + self.shift) as u32;
            return Place { base: at, target: at, instruction: at };
        }
        self.seek(bci)
    }

    #[inline(never)]
    fn seek(&mut self, bci: u32) -> Place {
        let events = &self.map.events;
        let mut steps = MAX_STEPS;
        loop {
            if events.get(self.index).is_some_and(|event| event.bci < bci) {
                self.index += 1;
            } else if self.index > 0 && events.get(self.index - 1).is_some_and(|event| event.bci >= bci) {
                self.index -= 1;
            } else {
                break;
            }
            steps -= 1;
            if steps == 0 {
                self.index = events.partition_point(|event| event.bci < bci);
                break;
            }
        }
        self.settle();
        self.map.place(self.index, bci)
    }

    /// Takes the bounds from the events around.
    fn settle(&mut self) {
        let events = &self.map.events;
        let before = self.index.checked_sub(1).and_then(|index| events.get(index));
        self.low = before.map_or(0, |event| event.bci + 1);
        (self.high, self.shift) = match events.get(self.index) {
            Some(event) => (event.bci, event.shift),
            None => (u32::MAX, before.map_or(0, |event| event.shift_after)),
        };
    }
}
