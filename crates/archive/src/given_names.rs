//! Output paths of the inputs that the user named.
//!
//! Each input keeps its file name. Inputs with the same file name keep their paths below their
//! common folder: `a/target/classes` and `b/target/classes`. A jar beside them keeps its file name.
//! If two outputs would be equal, or one inside another, the later one gets a number: `classes-2`,
//! `x-2.jar`.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// How output paths are derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// From file names if they differ.
    Flat,
    /// From the paths below the common folder.
    Tree,
}

/// The path below the output directory of each of the absolute `paths`, which differ. The results
/// differ too, and none lies inside another.
pub(crate) fn below_output(paths: &[PathBuf], layout: Layout) -> Vec<PathBuf> {
    let mut groups: HashMap<&OsStr, Vec<usize>> = HashMap::new();
    for (at, path) in paths.iter().enumerate() {
        let key = if layout == Layout::Flat { name(path) } else { OsStr::new("") };
        groups.entry(key).or_default().push(at);
    }
    let mut taken = Taken::default();
    let mut below = vec![PathBuf::new(); paths.len()];
    // An input with a unique file name keeps it, whatever the others get.
    let is_single = |path: &Path| groups.get(name(path)).is_some_and(|group| group.len() == 1);
    let (single, several): (Vec<usize>, Vec<usize>) =
        (0..paths.len()).partition(|&at| is_single(&paths[at]));
    for at in single.into_iter().chain(several) {
        let path = &paths[at];
        let group = groups.get(if layout == Layout::Flat { name(path) } else { OsStr::new("") });
        let common =
            group.map(|group| common_folder(group.iter().map(|&other| paths[other].as_path())));
        let tail = common.and_then(|common| path.strip_prefix(common).ok().map(Path::to_owned));
        let plain = || PathBuf::from(name(path));
        let candidates = tail
            .into_iter()
            .chain(std::iter::once_with(plain))
            .chain((2..).map(|n| numbered(path, n)));
        // Every candidate after the first two has its own number, so one is free.
        below[at] =
            candidates.into_iter().find(|candidate| taken.take(candidate)).unwrap_or_else(plain);
    }
    below
}

fn name(path: &Path) -> &OsStr {
    path.file_name().unwrap_or(OsStr::new("root"))
}

/// `classes-2`, `x-2.jar`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let name = Path::new(name(path));
    let mut numbered = OsString::from(name.file_stem().unwrap_or_default());
    numbered.push(format!("-{number}"));
    if let Some(extension) = name.extension() {
        numbered.push(".");
        numbered.push(extension);
    }
    PathBuf::from(numbered)
}

/// The longest folder with all paths below it.
fn common_folder<'p>(mut paths: impl Iterator<Item = &'p Path>) -> PathBuf {
    let folder =
        |path: &'p Path| path.parent().unwrap_or(path).components().collect::<Vec<Component<'p>>>();
    let mut common = paths.next().map(folder).unwrap_or_default();
    for path in paths {
        let same = common.iter().zip(folder(path)).take_while(|(a, b)| **a == *b).count();
        common.truncate(same);
    }
    common.into_iter().collect()
}

/// Paths that are taken.
#[derive(Default)]
struct Taken {
    paths: HashSet<PathBuf>,
    /// All folders above them.
    above: HashSet<PathBuf>,
}

impl Taken {
    /// Takes the path, unless it is taken, or one of both lies inside the other.
    fn take(&mut self, path: &Path) -> bool {
        let above = || path.ancestors().skip(1).filter(|folder| *folder != Path::new(""));
        let is_free = !path.as_os_str().is_empty()
            && !self.paths.contains(path)
            && !self.above.contains(path)
            && !above().any(|folder| self.paths.contains(folder));
        if is_free {
            self.above.extend(above().map(Path::to_owned));
            self.paths.insert(path.to_owned());
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(paths: &[&str], layout: Layout) -> Vec<String> {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        below_output(&paths, layout).iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn names_that_differ_stay() {
        assert_eq!(placed(&["/w/a.jar", "/w/lib/b.jar"], Layout::Flat), ["a.jar", "b.jar"]);
        assert_eq!(placed(&["/w/a.jar", "/w/lib/b.jar"], Layout::Tree), ["a.jar", "lib/b.jar"]);
        assert_eq!(placed(&["/"], Layout::Flat), ["root"]);
    }

    #[test]
    fn inputs_of_one_name_keep_what_tells_them_apart() {
        let modules = ["/w/a/target/classes", "/w/b/target/classes", "/w/lib/x.jar"];
        assert_eq!(
            placed(&modules, Layout::Flat),
            ["a/target/classes", "b/target/classes", "x.jar"]
        );
        assert_eq!(placed(&["/w/x.jar", "/w/b/x.jar"], Layout::Flat), ["x.jar", "b/x.jar"]);
        assert_eq!(placed(&["/x.jar", "/b/x.jar"], Layout::Flat), ["x.jar", "b/x.jar"]);
    }

    #[test]
    fn none_lies_in_another() {
        assert_eq!(
            placed(&["/w/classes", "/w/classes/x/classes"], Layout::Flat),
            ["classes", "classes-2"]
        );
        assert_eq!(
            placed(&["/w/a/classes", "/w/b/classes", "/v/a"], Layout::Flat),
            ["classes", "b/classes", "a"]
        );
        assert_eq!(
            placed(&["/w/a/x.jar", "/w/b/x.jar", "/v/a", "/v/b"], Layout::Flat),
            ["x.jar", "x-2.jar", "a", "b"]
        );
    }
}
