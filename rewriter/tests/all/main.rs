//! Rewritten classes, judged by JVMs and by what their sources state.

mod call_sites;
mod damage;
mod hooks;
mod java_base;
mod jvm;
mod limits;
mod regions;
mod small;
mod summaries;
mod support;
