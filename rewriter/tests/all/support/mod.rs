//! What the tests share: JDKs, one build of the Java cases, a small assembler, the harness run.

pub mod asm;
pub mod java;
pub mod made;
