//! The constants that were fitted on this machine, in the user's configuration directory: one file
//! with an entry for each processor, JVM and clock.

use jfathom_files::trusted_directory;
use jfathom_profile::{FittedConstants, Jvm, Machine, Profile};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsStr,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// The file's name, with the version of its form.
const FILE: &str = "constants-1.json";
/// What the file says that it is.
const FORMAT: &str = "jfathom-fitted-constants";
/// The most bytes that are read of it.
const LIMIT: u64 = 1 << 20;
/// The most entries; the oldest make room.
const ENTRIES: usize = 64;

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    format: String,
    entries: Vec<Entry>,
}

/// The constants of one machine, JVM and clock.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    of: Origin,
    constants: FittedConstants,
}

/// What constants depend on, as far as a profile tells.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Origin {
    arch: String,
    cpu: String,
    cpus: u32,
    vendor: String,
    vm_name: String,
    vm_version: String,
    clock: String,
}

impl Origin {
    fn new(machine: &Machine, jvm: &Jvm) -> Self {
        Self {
            arch: machine.arch.clone(),
            cpu: machine.cpu.clone(),
            cpus: machine.cpus,
            vendor: jvm.vendor.clone(),
            vm_name: jvm.vm_name.clone(),
            vm_version: jvm.vm_version.clone(),
            clock: jvm.clock.name.clone(),
        }
    }
}

/// Gives the profiles' JVMs the constants that were fitted for them. Returns what is wrong with the
/// file, which is then ignored.
pub(crate) fn attach(directory: &Path, profiles: &mut [Profile]) -> Option<String> {
    let entries = match read(directory) {
        Ok(entries) => entries,
        Err(why) => {
            let file = directory.join(FILE);
            return Some(format!(
                "{}: ignored, and shipped constants are used: {why}",
                file.display()
            ));
        }
    };
    for Profile { meta, .. } in profiles {
        for jvm in &mut meta.jvms {
            let origin = Origin::new(&meta.machine, jvm);
            let entry = entries.iter().find(|entry| entry.of == origin);
            jvm.constants = entry.map(|entry| entry.constants.clone());
        }
    }
    None
}

/// Keeps constants for the machine, JVM and clock of a profile, in place of earlier ones. Returns
/// the file.
///
/// # Errors
/// What the system says, and that others can write to the directory.
pub fn keep_constants(
    directory: &Path,
    profile: &Profile,
    constants: &FittedConstants,
) -> io::Result<PathBuf> {
    let Some(jvm) = profile.meta.jvms.first() else {
        return Err(io::Error::other("the profile has no JVM"));
    };
    let of = Origin::new(&profile.meta.machine, jvm);
    // What cannot be read is of no use to anybody.
    let mut entries = read(directory).unwrap_or_default();
    entries.retain(|entry| entry.of != of);
    entries.push(Entry { of, constants: constants.clone() });
    entries.sort_by_key(|entry| entry.constants.taken_millis);
    let surplus = entries.len().saturating_sub(ENTRIES);
    entries.drain(..surplus);
    let document = Document { format: FORMAT.to_owned(), entries };
    let mut text = serde_json::to_vec_pretty(&document).map_err(io::Error::other)?;
    text.push(b'\n');
    let (open, path) = trusted_directory(directory)?;
    open.require_own_unshared()?;
    open.replace(OsStr::new(FILE), 0o600, |file| file.write_all(&text))?;
    Ok(path.join(FILE))
}

fn read(directory: &Path) -> io::Result<Vec<Entry>> {
    // Opening would make the directory.
    let found = std::fs::symlink_metadata(directory.join(FILE));
    if found.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Ok(Vec::new());
    }
    let (directory, _) = trusted_directory(directory)?;
    directory.require_own_unshared()?;
    let bytes = directory.read(OsStr::new(FILE), LIMIT)?;
    let document: Document = serde_json::from_slice(&bytes)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    let is_valid = document.format == FORMAT
        && document.entries.iter().all(|entry| entry.constants.is_valid());
    match is_valid {
        true => Ok(document.entries),
        false => Err(io::Error::new(ErrorKind::InvalidData, "it is no file of fitted constants")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::Constant;
    use jfathom_testkit::profiles::one_thread;
    use std::{fs, os::unix::fs::PermissionsExt};

    fn constants(taken_millis: u64) -> FittedConstants {
        let constant = Constant { value: 1.5, error: 0.25 };
        FittedConstants {
            taken_millis,
            programs: 27,
            counted: constant,
            count_record: constant,
            demoted: constant,
            inlining: constant,
        }
    }

    fn attached(directory: &Path, profile: Profile) -> (Option<String>, Option<FittedConstants>) {
        let mut profiles = [profile];
        let notice = attach(directory, &mut profiles);
        (notice, profiles[0].meta.jvms[0].constants.clone())
    }

    #[test]
    fn constants_hold_for_their_machine_jvm_and_clock() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().canonicalize().unwrap().join("jfathom");
        assert_eq!(attached(&directory, one_thread(&[])), (None, None));
        assert!(!directory.exists());
        keep_constants(&directory, &one_thread(&[]), &constants(1)).unwrap();
        let file = keep_constants(&directory, &one_thread(&[]), &constants(2)).unwrap();
        assert_eq!(attached(&directory, one_thread(&[])), (None, Some(constants(2))));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let changes: [fn(&mut Profile); 4] = [
            |profile| profile.meta.machine.cpu = "another".to_owned(),
            |profile| profile.meta.jvms[0].vendor = "another".to_owned(),
            |profile| profile.meta.jvms[0].vm_version = "another".to_owned(),
            |profile| profile.meta.jvms[0].clock.name = "tsc".to_owned(),
        ];
        for change in changes {
            let mut other = one_thread(&[]);
            change(&mut other);
            assert_eq!(attached(&directory, other.clone()), (None, None));
            keep_constants(&directory, &other, &constants(3)).unwrap();
            assert_eq!(attached(&directory, other), (None, Some(constants(3))));
        }
        assert_eq!(attached(&directory, one_thread(&[])), (None, Some(constants(2))));
    }

    #[test]
    fn a_damaged_or_foreign_file_is_ignored_and_named() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().canonicalize().unwrap().join("jfathom");
        let file = keep_constants(&directory, &one_thread(&[]), &constants(1)).unwrap();
        let good = fs::read_to_string(&file).unwrap();
        let bad_value = good.replacen("0.25", "-0.25", 1);
        let other_format = good.replace(FORMAT, "another");
        for text in ["", "{", "[1]", &good[..good.len() / 2], &bad_value, &other_format] {
            fs::write(&file, text).unwrap();
            let (notice, found) = attached(&directory, one_thread(&[]));
            assert_eq!(found, None, "{text}");
            assert!(notice.unwrap().contains("constants-1.json: ignored"), "{text}");
        }
        fs::write(&file, &good).unwrap();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
        let (notice, found) = attached(&directory, one_thread(&[]));
        assert_eq!(found, None);
        assert!(notice.unwrap().contains("ignored"));
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", &file).unwrap();
        assert!(attached(&directory, one_thread(&[])).0.is_some());
        // A new fit replaces what is there.
        keep_constants(&directory, &one_thread(&[]), &constants(5)).unwrap();
        assert_eq!(attached(&directory, one_thread(&[])), (None, Some(constants(5))));
    }
}
