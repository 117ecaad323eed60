//! What the tests share: JDKs, one build of the Java cases, a small assembler, the harness run,
//! pseudo-random regions.

pub mod asm;
pub mod java;
pub mod made;
pub mod random;
