use super::*;
use jfathom_profile::Slice;
use jfathom_testkit::small_profile;
use std::time::Duration;

fn files_named(folder: &Path, name: &str, max_size: Option<u64>) -> SliceFiles {
    let pattern = folder.join(name).display().to_string().parse().unwrap();
    let options = SliceOptions { every: Duration::from_secs(1), pattern, max_size };
    SliceFiles::new(options, false, folder)
}

fn files(folder: &Path, max_size: Option<u64>) -> SliceFiles {
    files_named(folder, "p-%n.jfp", max_size)
}

fn slice(number: u32) -> Profile {
    let slice = Some(Slice { number, ..Slice::default() });
    Profile { slice, ..small_profile::profile() }
}

/// A slice that its JVM has made.
fn add(files: &mut SliceFiles, number: u32, progress: &Arc<Progress>) -> Vec<String> {
    progress.unwritten.fetch_add(1, Ordering::AcqRel);
    files.add(slice(number), progress)
}

fn unwritten(progress: &Arc<Progress>) -> u64 {
    progress.unwritten.load(Ordering::Acquire)
}

#[test]
fn the_oldest_profiles_go_beyond_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let progress = Arc::default();
    let mut one = files(folder.path(), None);
    assert_eq!(add(&mut one, 9, &progress), [""; 0]);
    let bytes = one.written[0].1;
    let mut files = files(folder.path(), Some(bytes * 2 + bytes / 2));
    for number in 0..5 {
        assert_eq!(add(&mut files, number, &progress), [""; 0]);
    }
    let names = ["p-0003.jfp", "p-0004.jfp"].map(|name| folder.path().join(name));
    assert_eq!(files.paths(), names);
    // What another recording has left stays.
    assert!(folder.path().join("p-0009.jfp").is_file());
    assert!(!folder.path().join("p-0002.jfp").exists());
    assert_eq!(unwritten(&progress), 0);
}

#[test]
fn equal_names_become_different_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = files(folder.path(), None);
    files.add_last(slice(1));
    let mut other = slice(1);
    other.meta.jvms[0].pid += 1;
    files.add_last(other);
    assert_eq!(files.paths().len(), 2);
}

#[test]
fn slices_of_one_second_have_names_of_their_own_though_none_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let later = folder.path().join("later");
    let mut files = files_named(&later, "p-%t.jfp", None);
    let progress = Arc::default();
    for number in 0..3 {
        add(&mut files, number, &progress);
    }
    fs::create_dir(&later).unwrap();
    assert_eq!(add(&mut files, 3, &progress), [""; 0]);
    assert_eq!(files.paths().len(), 4);
    assert_eq!(fs::read_dir(&later).unwrap().count(), 4);
}

#[test]
fn what_cannot_be_written_is_saved_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("later");
    let pattern = gone.join("p-%n.jfp").display().to_string().parse().unwrap();
    let options = SliceOptions { every: Duration::from_secs(1), pattern, max_size: None };
    let mut files = SliceFiles::new(options, false, folder.path());
    let progress = Arc::default();
    let notes = add(&mut files, 0, &progress);
    assert!(notes[0].contains("tried again") && files.has_kept(), "{notes:?}");
    assert_eq!(saved_slices::find(folder.path()).unwrap().len(), 1);
    assert_eq!(unwritten(&progress), 0);
    fs::create_dir(&gone).unwrap();
    assert_eq!(add(&mut files, 1, &progress), [""; 0]);
    assert_eq!(files.paths().len(), 2);
    assert_eq!(saved_slices::find(folder.path()).unwrap(), [""; 0].map(PathBuf::from));
}

#[test]
fn what_is_never_written_stays_in_the_session_directory() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = files_named(&folder.path().join("never"), "p-%n.jfp", None);
    files.session = folder.path().to_owned();
    let progress = Arc::default();
    for number in 0..6 {
        add(&mut files, number, &progress);
    }
    files.add_last(slice(6));
    assert_eq!((files.leave_kept(), unwritten(&progress)), (0, 0));
    drop(files);
    let saved = saved_slices::find(folder.path()).unwrap();
    let numbers = saved.iter().map(|path| {
        let read = Profile::read(&mut fs::read(path).unwrap().as_slice()).unwrap();
        read.slice.unwrap().number
    });
    // The two oldest were given up, and the last one is its JVM's profile.
    assert_eq!(numbers.collect::<Vec<_>>(), [2, 3, 4, 5]);
}

#[test]
fn a_slice_on_no_disk_counts_as_unwritten() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = files_named(&folder.path().join("never"), "p-%n.jfp", None);
    files.session = folder.path().join("never");
    let progress = Arc::default();
    add(&mut files, 0, &progress);
    assert_eq!(unwritten(&progress), 1);
    assert_eq!(files.leave_kept(), 1);
}

#[test]
fn slices_without_records_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = files(folder.path(), None);
    let mut silent = slice(0);
    (silent.quality.records, silent.quality.virtual_calls) = (0, 0);
    files.add_last(silent);
    assert!(!files.has_records());
    files.add_last(slice(1));
    assert!(files.has_records());
}
