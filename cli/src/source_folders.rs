//! Folders of Java sources in a repository.

use std::path::Path;

/// Where sources are looked for by default: the folders of Maven and Gradle, and `src`.
const DEFAULT: &[&str] =
    &["src/main/java", "src/main/kotlin", "src/test/java", "src/test/kotlin", "src"];

/// The path of a source file from the current directory: in the first folder that has it. A path
/// that none has stays as it is.
pub(crate) fn find_source(folders: &[String], path: &str) -> String {
    let joined = |folder: &str| format!("{}/{path}", folder.trim_end_matches('/'));
    let is_there = |path: &String| Path::new(path).is_file();
    match folders.is_empty() {
        true => DEFAULT.iter().map(|folder| joined(folder)).find(is_there),
        false => folders.iter().map(|folder| joined(folder)).find(is_there),
    }
    .unwrap_or_else(|| path.to_owned())
}
