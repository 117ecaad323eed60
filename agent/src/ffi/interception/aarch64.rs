//! Stubs for AArch64 Linux (Procedure Call Standard for the Arm 64-bit Architecture).

use super::native_call::{ORIGINALS, SESSION, entered};
use crate::ffi::table::JNI_SLOTS as SLOTS;
use std::arch::naked_asm;
use std::ffi::c_void;

pub const SUPPORTED: bool = true;
/// Bytes from stub to stub.
const STRIDE: usize = 8;

/// The stub for a slot of the table.
pub fn address(slot: usize) -> *mut c_void {
    debug_assert!(slot < SLOTS);
    (stubs as *const () as *mut u8).wrapping_add(slot * STRIDE).cast()
}

/// One stub for each slot: it puts the slot's number into a register that holds no argument.
///
/// # Safety
/// Called as the function of the slot.
#[unsafe(naked)]
unsafe extern "C" fn stubs() {
    naked_asm!(
        ".set jfathom_interception_slot, 0",
        ".rept {slots}",
        "movz w9, #jfathom_interception_slot",
        "b {forward}",
        ".set jfathom_interception_slot, jfathom_interception_slot + 1",
        ".endr",
        slots = const SLOTS,
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
        "adrp x10, {session}",
        "add x10, x10, :lo12:{session}",
        "ldr w10, [x10]",
        "cbz w10, 2f",
        "stp x29, x30, [sp, #-224]!",
        "mov x29, sp",
        // Registers of arguments, and the slot.
        "stp x0, x1, [sp, #16]",
        "stp x2, x3, [sp, #32]",
        "stp x4, x5, [sp, #48]",
        "stp x6, x7, [sp, #64]",
        "stp x8, x9, [sp, #80]",
        "stp q0, q1, [sp, #96]",
        "stp q2, q3, [sp, #128]",
        "stp q4, q5, [sp, #160]",
        "stp q6, q7, [sp, #192]",
        // The first four arguments are the caller's.
        "mov w4, w9",
        "bl {entered}",
        "ldp q6, q7, [sp, #192]",
        "ldp q4, q5, [sp, #160]",
        "ldp q2, q3, [sp, #128]",
        "ldp q0, q1, [sp, #96]",
        "ldp x8, x9, [sp, #80]",
        "ldp x6, x7, [sp, #64]",
        "ldp x4, x5, [sp, #48]",
        "ldp x2, x3, [sp, #32]",
        "ldp x0, x1, [sp, #16]",
        "ldp x29, x30, [sp], #224",
        "2:",
        "adrp x10, {originals}",
        "add x10, x10, :lo12:{originals}",
        "ldr x16, [x10, x9, lsl #3]",
        "br x16",
        session = sym SESSION,
        entered = sym entered,
        originals = sym ORIGINALS,
    )
}
