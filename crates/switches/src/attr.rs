//! What the kernel is asked for: `struct perf_event_attr` of `linux/perf_event.h`.

/// The structure up to its field `clockid` (`PERF_ATTR_SIZE_VER3`, Linux 3.19): the kernel accepts
/// any size that it knows. Fields that stay zero have no names.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attr {
    kind: u32,
    size: u32,
    config: u64,
    _sample_period: u64,
    sample_type: u64,
    _read_format: u64,
    flags: u64,
    _wakeup_to_bp_type: u64,
    _bp: [u64; 2],
    _branch_and_registers: [u64; 2],
    _sample_stack_user: u32,
    clock: i32,
}

const TYPE_SOFTWARE: u32 = 1;
const COUNT_SW_DUMMY: u64 = 9;
const SAMPLE_TID: u64 = 1 << 1;
const SAMPLE_TIME: u64 = 1 << 2;

const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HV: u64 = 1 << 6;
/// All records end with the ids and the time of `sample_type`.
const SAMPLE_ID_ALL: u64 = 1 << 18;
const USE_CLOCKID: u64 = 1 << 25;
const CONTEXT_SWITCH: u64 = 1 << 26;
/// Linux 5.13.
const INHERIT_THREAD: u64 = 1 << 35;

impl Attr {
    /// Records at the switches of a thread, and of those that it starts. Processes that it starts
    /// are watched, too, if `with_children`: Linux before 5.13 knows no other way.
    pub(crate) fn switches(with_children: bool) -> Self {
        let threads = if with_children { INHERIT } else { INHERIT | INHERIT_THREAD };
        Self {
            kind: TYPE_SOFTWARE,
            size: size_of::<Self>() as u32,
            config: COUNT_SW_DUMMY,
            sample_type: SAMPLE_TID | SAMPLE_TIME,
            // What excludes the kernel needs no privilege. Switches are told all the same.
            flags: threads
                | EXCLUDE_KERNEL
                | EXCLUDE_HV
                | SAMPLE_ID_ALL
                | USE_CLOCKID
                | CONTEXT_SWITCH,
            clock: libc::CLOCK_MONOTONIC,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn the_layout_is_that_of_the_kernel() {
        assert_eq!(size_of::<Attr>(), 96);
        let offsets = [offset_of!(Attr, sample_type), offset_of!(Attr, flags)];
        assert_eq!(offsets, [24, 40]);
        assert_eq!(offset_of!(Attr, clock), 92);
    }
}
