//! What the gate finds, and what it finds where there is nothing.

pub mod gate;
