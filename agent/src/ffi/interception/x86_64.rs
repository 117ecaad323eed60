//! Stubs for x86-64 Linux (System V ABI, AMD64 supplement).

use super::native_call::{ORIGINALS, SESSION, entered};
use crate::ffi::table::JNI_SLOTS as SLOTS;
use std::arch::naked_asm;
use std::ffi::c_void;

pub const SUPPORTED: bool = true;
/// Bytes from stub to stub.
const STRIDE: usize = 16;

/// The stub for a slot of the table.
pub fn address(slot: usize) -> *mut c_void {
    debug_assert!(slot < SLOTS);
    (stubs as *const () as *mut u8).wrapping_add(slot * STRIDE).cast()
}

/// One stub for each slot: it puts the slot's number into a register that holds no argument. A
/// naked function has a section of its own, which begins with it and is aligned as its code asks.
///
/// # Safety
/// Called as the function of the slot.
#[unsafe(naked)]
unsafe extern "C" fn stubs() {
    naked_asm!(
        ".set jfathom_interception_slot, 0",
        ".rept {slots}",
        ".balign {stride}",
        "mov r11d, jfathom_interception_slot",
        "jmp {forward}",
        ".set jfathom_interception_slot, jfathom_interception_slot + 1",
        ".endr",
        slots = const SLOTS,
        stride = const STRIDE,
        forward = sym forward,
    )
}

/// Calls [`entered`], and goes on to the slot's function with the caller's registers and stack.
///
/// # Safety
/// Called by [`stubs`].
#[unsafe(naked)]
unsafe extern "C" fn forward() {
    naked_asm!(
        "cmp dword ptr [rip + {session}], 0",
        "je 2f",
        "push rbp",
        "mov rbp, rsp",
        // Registers of arguments; rax says how many vector registers hold variable ones.
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        "push r9",
        "push rax",
        "push r11",
        "sub rsp, 128",
        "movaps [rsp], xmm0",
        "movaps [rsp + 16], xmm1",
        "movaps [rsp + 32], xmm2",
        "movaps [rsp + 48], xmm3",
        "movaps [rsp + 64], xmm4",
        "movaps [rsp + 80], xmm5",
        "movaps [rsp + 96], xmm6",
        "movaps [rsp + 112], xmm7",
        // The first four arguments are the caller's.
        "mov r8d, r11d",
        "call {entered}",
        "movaps xmm0, [rsp]",
        "movaps xmm1, [rsp + 16]",
        "movaps xmm2, [rsp + 32]",
        "movaps xmm3, [rsp + 48]",
        "movaps xmm4, [rsp + 64]",
        "movaps xmm5, [rsp + 80]",
        "movaps xmm6, [rsp + 96]",
        "movaps xmm7, [rsp + 112]",
        "add rsp, 128",
        "pop r11",
        "pop rax",
        "pop r9",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "pop rbp",
        "2:",
        "lea r10, [rip + {originals}]",
        "jmp [r10 + r11 * 8]",
        session = sym SESSION,
        entered = sym entered,
        originals = sym ORIGINALS,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stub_has_the_number_of_its_slot() {
        for slot in 0..SLOTS {
            // SAFETY: a stub has more bytes.
            let code = unsafe { *address(slot).cast::<[u8; 6]>() };
            // mov r11d, slot
            let [.., low, high, 0, 0] = code else { panic!("{slot}: {code:x?}") };
            assert_eq!(
                (code[0], code[1], usize::from(low) | usize::from(high) << 8),
                (0x41, 0xbb, slot)
            );
        }
    }
}
