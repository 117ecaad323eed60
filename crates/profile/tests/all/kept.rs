//! Profiles of the format versions that are read: `tests/kept/VERSION.jfp`, with what they say
//! beside them.
//!
//! A new format version needs a new one: record a run series with a root and demoted methods, and
//! run this test with `JFATHOM_KEEP_PROFILE=FILE.jfp`.

use jfathom_profile::{Builder, Machine, Metric, Profile};
use jfathom_testkit::{profiles::profile, tree_text::render};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept")
}

/// The format version of a file. It is written by hand, as `docs/profile-format.md` has it.
fn version(file: &[u8]) -> u32 {
    u32::from_le_bytes(*file[8..].first_chunk().unwrap())
}

fn read(file: &[u8]) -> Profile {
    Profile::read(&mut &*file).unwrap()
}

fn bytes(profile: &Profile) -> Vec<u8> {
    let mut bytes = Vec::new();
    profile.write(&mut bytes).unwrap();
    bytes
}

/// What a reader of any version must find in a profile.
fn text(profile: &Profile) -> String {
    let jvms = &profile.meta.jvms;
    let demoted = profile.methods.iter().filter(|method| method.demotion.is_some()).count();
    let calibrations: usize = jvms.iter().map(|jvm| jvm.calibrations.len()).sum();
    let runs: Vec<String> = profile
        .runs
        .iter()
        .map(|run| {
            let sum = |metric: Metric| run.numbers[metric].iter().sum::<u64>();
            let calls = sum(Metric::Timed) + sum(Metric::Counted);
            let ticks = sum(Metric::SelfTime);
            format!("run of {} records, {calls} calls, {ticks} ticks", run.info.quality.records)
        })
        .collect();
    format!(
        "{}\n{} JVMs, {calibrations} calibrations, {} records, {} methods, {demoted} demoted\n\
         {}\n{}",
        profile.meta.command.join(" "),
        jvms.len(),
        profile.quality.records,
        profile.methods.len(),
        runs.join("\n"),
        render(profile, &profile.tree)
    )
}

/// Keeps a profile, without what it says about the machine.
fn keep(path: &Path) {
    let mut profile = read(&fs::read(path).unwrap());
    profile.meta.machine = Machine::default();
    for jar in profile.meta.jvms.iter_mut().flat_map(|jvm| &mut jvm.provenance) {
        jar.container = "market.jar".to_owned();
    }
    let file = bytes(&profile);
    let name = version(&file).to_string();
    fs::write(folder().join(&name).with_extension("txt"), text(&profile)).unwrap();
    fs::write(folder().join(&name).with_extension("jfp"), file).unwrap();
}

#[test]
fn kept_profiles_say_what_they_said() {
    if let Some(path) = env::var_os("JFATHOM_KEEP_PROFILE") {
        keep(Path::new(&path));
    }
    let mut versions = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "jfp") {
            let file = fs::read(&path).unwrap();
            versions.push(version(&file));
            assert_eq!(path.file_stem().unwrap().to_str().unwrap(), version(&file).to_string());
            let said = fs::read_to_string(path.with_extension("txt")).unwrap();
            assert_eq!(text(&read(&file)), said, "{}", path.display());
        }
    }
    let now = version(&bytes(&profile(&Builder::new())));
    assert!(versions.contains(&now), "no kept profile of version {now}");
}
