//! Class files read, patched and damaged, judged by JVMs and `javap`.

mod damage;
mod handmade;
mod modules;
mod readers;
mod shapes;
mod support;
