//! Call subgraphs of hand-made worlds and of compiled programs.

mod answers;
mod damage;
mod expander;
mod expansion;
mod mirrors;
mod support;
mod truth;
mod worlds;
