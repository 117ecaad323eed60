//! Tests across crates, with real JVMs.

mod agent_samples;
mod alloc_selected;
mod allocations;
mod between;
mod broken;
mod calls;
mod catches;
mod catches_beyond;
mod check;
mod commands;
mod containers;
mod control_groups;
mod coroutines;
mod count_only;
mod cpu;
mod eight_hours;
mod features;
mod fuzz;
mod hand_off_arrows;
mod handed_off;
mod identity;
mod indexed_jars;
mod late_readings;
mod latencies;
mod live;
mod odd_names;
mod odd_places;
mod old_jvms;
mod older_runtimes;
mod osgi;
mod overflows;
mod parked;
mod placements;
mod probe_functions;
mod regions;
mod roots;
mod slice_kills;
mod slices;
mod stack_samples;
mod stack_walks;
mod trust;
mod truth;
mod verify;
mod virtual_threads;
mod virtual_waits;
mod waits;
mod wire;

use jfathom_archive::{NewEntry, create_jar};
use jfathom_tests::tool::Tool;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The command under test.
const JFATHOM: Tool = Tool(env!("CARGO_BIN_EXE_jfathom-under-test"));

/// Makes a jar of a directory of classes, with a main class.
fn jar(classes: &Path, main: &str, jar: &Path) -> PathBuf {
    let manifest = format!("Manifest-Version: 1.0\r\nMain-Class: {main}\r\n\r\n");
    let mut entries = vec![NewEntry::new("META-INF/MANIFEST.MF", manifest)];
    add_files(classes, "", &mut entries);
    fs::write(jar, create_jar(&entries).expect("names are short"))
        .expect("the folder can be written");
    jar.to_path_buf()
}

/// Adds all files below a directory, sorted.
fn add_files(directory: &Path, prefix: &str, entries: &mut Vec<NewEntry>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(directory)
        .expect("the directory is there")
        .map(|entry| entry.expect("can be read").path())
        .collect();
    paths.sort();
    for path in paths {
        let name =
            format!("{prefix}{}", path.file_name().expect("entries have names").to_string_lossy());
        if path.is_dir() {
            add_files(&path, &format!("{name}/"), entries);
        } else {
            entries.push(NewEntry::new(name.as_str(), fs::read(&path).expect("the file is there")));
        }
    }
}
