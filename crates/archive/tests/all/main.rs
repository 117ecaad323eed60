//! Containers read and written: jars, folders, JDK images, and damaged ones.

mod broken;
mod changed;
mod class_path;
mod common;
mod compressed;
mod jar;
mod jdk;
mod jvm;
mod module;
mod output;
mod store;
