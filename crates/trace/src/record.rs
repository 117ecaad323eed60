//! Records: words of 64 bits, never zero. `docs/trace-format.md` has the bit tables.

use jfathom_plan::MethodId;

use crate::layout as l;

/// Mask of the time bits of a timed record.
pub const TIME_MASK: u64 = (1 << l::TIME_BITS) - 1;
/// Mask of an id once it is shifted down.
pub const ID_MASK: u64 = (1 << l::ID_BITS) - 1;
const HIGH_MASK: u64 = (1 << (64 - l::TIME_BITS)) - 1;
/// The same in a THREAD_START, which has one bit less: no clock reaches it.
const START_HIGH_MASK: u64 = PAYLOAD_MASK >> 32;
const PAYLOAD_MASK: u64 = (1 << l::ESCAPE_SHIFT) - 1;
/// Mask of the ns in a RAN record.
const RAN_MASK: u64 = l::RAN_FIRST - 1;
/// Mask of the calls of each method of a pair.
const FEW_MASK: u64 = (1 << l::COUNTED_PAIR_BITS) - 1;
/// Bits of the ticks in an UNSAMPLED record.
const DURATION_BITS: u32 = 64 - l::UNSAMPLED_BITS;
const DURATION_MASK: u64 = (1 << DURATION_BITS) - 1;
const LOW_MASK: u64 = (1 << l::ESCAPE_ID_SHIFT) - 1;

/// One record. Times are the low 39 bits of ticks since the clock's base; coarse times are those
/// with the low 6 bits zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// A method was entered.
    Entry {
        /// The method.
        id: MethodId,
        /// Low 39 bits of the time.
        time: u64,
    },
    /// A method returned.
    Return {
        /// The method.
        id: MethodId,
        /// Low 39 bits of the time.
        time: u64,
    },
    /// A method was left by an exception.
    Throw {
        /// The method.
        id: MethodId,
        /// Low 39 bits of the time.
        time: u64,
    },
    /// First record of a thread.
    ThreadStart {
        /// High bits of the times that follow.
        high: u32,
        /// Low 32 bits of the thread's number.
        sequence: u32,
    },
    /// Last record of a thread.
    ThreadEnd,
    /// New high bits of the times that follow.
    TimeHigh {
        /// High 25 bits.
        high: u32,
    },
    /// Ticks before the next time that are no time of the program.
    Adjust {
        /// How many, at most 56 bits.
        ticks: u64,
    },
    /// An exception was caught.
    Caught {
        /// The method that caught it.
        id: MethodId,
        /// Coarse time.
        time: u64,
    },
    /// The class of the exception that the next catch has caught.
    CaughtClass {
        /// Its number; zero if it has none.
        class: u32,
    },
    /// A task spawned inside a root begins to run.
    TaskOpen {
        /// The root.
        id: MethodId,
        /// Coarse time.
        time: u64,
    },
    /// The innermost task of this root has ended.
    TaskClose {
        /// The root.
        id: MethodId,
        /// Coarse time.
        time: u64,
    },
    /// Calls of a counted method since its last such record.
    Counted {
        /// The method.
        id: MethodId,
        /// How many, at most 34 bits.
        calls: u64,
    },
    /// The same of two counted methods.
    CountedPair {
        /// The methods, and how many calls each has, at most 6 bits.
        methods: [(MethodId, u64); 2],
    },
    /// A call of a root that root sampling left out has ended.
    Unsampled {
        /// The root.
        id: MethodId,
        /// How long it took; exact below 2²⁸ ticks, else cut to 28 bits.
        ticks: u64,
    },
    /// The records that follow in the ring are another thread's.
    Switch {
        /// The number of a virtual thread, at most 56 bits; zero for the ring's own thread.
        thread: u64,
    },
    /// When the switch right before it was.
    SwitchTime {
        /// A whole time, at most 56 bits.
        time: u64,
    },
    /// A virtual thread has ended.
    VirtualEnd {
        /// Its number.
        thread: u64,
    },
    /// A task was handed to another thread.
    HandOff {
        /// The hand-off's number, at most 22 bits; it wraps.
        number: u32,
        /// Coarse time.
        time: u64,
    },
    /// The task that was just opened has this hand-off.
    TaskNumber {
        /// The hand-off's number.
        number: u32,
        /// Coarse time.
        time: u64,
    },
    /// The thread, a virtual one, had no carrier for a part of the time since its last record.
    Parked {
        /// How many ticks, at most 56 bits.
        ticks: u64,
    },
    /// The thread has allocated memory on the Java heap since its last record.
    Allocated {
        /// How many bytes, at most 56 bits.
        bytes: u64,
    },
    /// The thread's CPU clock was read.
    Ran {
        /// Whether it is known only from the next time on. There are no ns then.
        is_first: bool,
        /// For how many ns the thread has run since the last such record, at most 55 bits.
        nanos: u64,
    },
    /// An escape of a kind that this version does not know.
    Unknown {
        /// Its kind, 1 to 63.
        kind: u8,
        /// Its low 56 bits.
        payload: u64,
    },
}

/// The type (`TYPE_*`) of a record.
#[inline(always)]
pub const fn type_of(word: u64) -> u32 {
    (word >> l::TYPE_SHIFT) as u32
}

/// The id bits of a timed record.
#[inline(always)]
pub const fn id_bits(word: u64) -> u32 {
    ((word >> l::TIMED_ID_SHIFT) & ID_MASK) as u32
}

/// Whether COUNTED records were written before a timed record, if there was anything to tell.
#[inline(always)]
pub const fn is_flushed(word: u64) -> bool {
    word & l::UNFLUSHED == 0
}

/// The time bits of a timed record.
#[inline(always)]
pub const fn time_bits(word: u64) -> u64 {
    word & TIME_MASK
}

fn method(bits: u64) -> MethodId {
    MethodId::new((bits & ID_MASK) as u32).expect("masked to the width of an id")
}

impl Record {
    /// The record in `word`, or nothing if `word` is zero (not committed). Unknown escapes and
    /// reserved bits are no error.
    pub fn decode(word: u64) -> Option<Self> {
        if word == 0 {
            return None;
        }
        let (id, time) = (method(word >> l::TIMED_ID_SHIFT), time_bits(word));
        Some(match type_of(word) {
            l::TYPE_ENTRY => Self::Entry { id, time },
            l::TYPE_RETURN => Self::Return { id, time },
            l::TYPE_THROW => Self::Throw { id, time },
            _ => Self::escape(word),
        })
    }

    fn escape(word: u64) -> Self {
        let payload = word & PAYLOAD_MASK;
        let (id, low) = (method(payload >> l::ESCAPE_ID_SHIFT), payload & LOW_MASK);
        let time = low << l::COARSE_SHIFT & TIME_MASK;
        match word & !PAYLOAD_MASK {
            l::ESCAPE_THREAD_START => {
                Self::ThreadStart { high: (payload >> 32) as u32, sequence: payload as u32 }
            }
            l::ESCAPE_THREAD_END => Self::ThreadEnd,
            l::ESCAPE_TIME_HIGH => Self::TimeHigh { high: (payload & HIGH_MASK) as u32 },
            l::ESCAPE_ADJUST => Self::Adjust { ticks: payload },
            l::ESCAPE_CAUGHT => Self::Caught { id, time },
            l::ESCAPE_CAUGHT_CLASS => Self::CaughtClass { class: payload as u32 },
            l::ESCAPE_TASK_OPEN => Self::TaskOpen { id, time },
            l::ESCAPE_TASK_CLOSE => Self::TaskClose { id, time },
            l::ESCAPE_COUNTED => Self::Counted { id, calls: low },
            l::ESCAPE_COUNTED_PAIR => {
                let other = method(payload >> l::COUNTED_PAIR_BITS);
                let calls = low >> l::COUNTED_PAIR_SHIFT;
                Self::CountedPair { methods: [(id, calls), (other, payload & FEW_MASK)] }
            }
            l::ESCAPE_UNSAMPLED => {
                let (shift, ticks) = (low >> DURATION_BITS, low & DURATION_MASK);
                // Shifts of the producer end at 36; others lose bits.
                Self::Unsampled { id, ticks: ticks << shift.min(63) }
            }
            l::ESCAPE_SWITCH => Self::Switch { thread: payload },
            l::ESCAPE_SWITCH_TIME => Self::SwitchTime { time: payload },
            l::ESCAPE_VIRTUAL_END => Self::VirtualEnd { thread: payload },
            l::ESCAPE_HAND_OFF => Self::HandOff { number: id.get(), time },
            l::ESCAPE_TASK_NUMBER => Self::TaskNumber { number: id.get(), time },
            l::ESCAPE_PARKED => Self::Parked { ticks: payload },
            l::ESCAPE_ALLOCATED => Self::Allocated { bytes: payload },
            l::ESCAPE_RAN => {
                Self::Ran { is_first: payload & l::RAN_FIRST != 0, nanos: payload & RAN_MASK }
            }
            _ => Self::Unknown { kind: (word >> l::ESCAPE_SHIFT) as u8, payload },
        }
    }

    /// The record's word. Fields that are wider than their bits are cut; an unknown escape of kind
    /// 0 becomes kind 63.
    pub fn encode(self) -> u64 {
        let timed = |head: u64, id: MethodId, time: u64| {
            head | u64::from(id.get()) << l::TIMED_ID_SHIFT | time & TIME_MASK
        };
        let with_id = |head: u64, id: MethodId, low: u64| {
            head | u64::from(id.get()) << l::ESCAPE_ID_SHIFT | low & LOW_MASK
        };
        let numbered = |head: u64, number: u32, low: u64| {
            head | (u64::from(number) & ID_MASK) << l::ESCAPE_ID_SHIFT | low & LOW_MASK
        };
        let coarse = |time: u64| (time & TIME_MASK) >> l::COARSE_SHIFT;
        match self {
            Self::Entry { id, time } => timed(l::ENTRY, id, time),
            Self::Return { id, time } => timed(l::RETURN, id, time),
            Self::Throw { id, time } => timed(l::THROW, id, time),
            Self::ThreadStart { high, sequence } => {
                l::ESCAPE_THREAD_START
                    | (u64::from(high) & START_HIGH_MASK) << 32
                    | u64::from(sequence)
            }
            Self::ThreadEnd => l::ESCAPE_THREAD_END,
            Self::TimeHigh { high } => l::ESCAPE_TIME_HIGH | u64::from(high) & HIGH_MASK,
            Self::Adjust { ticks } => l::ESCAPE_ADJUST | ticks & PAYLOAD_MASK,
            Self::Caught { id, time } => with_id(l::ESCAPE_CAUGHT, id, coarse(time)),
            Self::CaughtClass { class } => l::ESCAPE_CAUGHT_CLASS | u64::from(class),
            Self::TaskOpen { id, time } => with_id(l::ESCAPE_TASK_OPEN, id, coarse(time)),
            Self::TaskClose { id, time } => with_id(l::ESCAPE_TASK_CLOSE, id, coarse(time)),
            Self::Counted { id, calls } => with_id(l::ESCAPE_COUNTED, id, calls),
            Self::CountedPair { methods: [(id, calls), (other, other_calls)] } => {
                let other = u64::from(other.get()) << l::COUNTED_PAIR_BITS | other_calls & FEW_MASK;
                let calls = (calls & FEW_MASK) << l::COUNTED_PAIR_SHIFT;
                with_id(l::ESCAPE_COUNTED_PAIR, id, calls | other)
            }
            Self::Unsampled { id, ticks } => {
                let shift = l::UNSAMPLED_BITS.saturating_sub(ticks.leading_zeros());
                let duration = u64::from(shift) << DURATION_BITS | ticks >> shift;
                with_id(l::ESCAPE_UNSAMPLED, id, duration)
            }
            Self::Switch { thread } => l::ESCAPE_SWITCH | thread & PAYLOAD_MASK,
            Self::SwitchTime { time } => l::ESCAPE_SWITCH_TIME | time & PAYLOAD_MASK,
            Self::VirtualEnd { thread } => l::ESCAPE_VIRTUAL_END | thread & PAYLOAD_MASK,
            Self::HandOff { number, time } => numbered(l::ESCAPE_HAND_OFF, number, coarse(time)),
            Self::TaskNumber { number, time } => {
                numbered(l::ESCAPE_TASK_NUMBER, number, coarse(time))
            }
            Self::Parked { ticks } => l::ESCAPE_PARKED | ticks & PAYLOAD_MASK,
            Self::Allocated { bytes } => l::ESCAPE_ALLOCATED | bytes & PAYLOAD_MASK,
            Self::Ran { is_first, nanos } => {
                let first = if is_first { l::RAN_FIRST } else { 0 };
                l::ESCAPE_RAN | first | nanos & RAN_MASK
            }
            Self::Unknown { kind, payload } => {
                let kind = if kind == 0 { 63 } else { u64::from(kind & 63) };
                kind << l::ESCAPE_SHIFT | payload & PAYLOAD_MASK
            }
        }
    }
}

#[cfg(test)]
mod tests;
