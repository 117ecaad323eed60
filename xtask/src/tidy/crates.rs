//! What a crate may do beyond its edges: unsafe code, and I/O.

use super::finding::Finding;
use crate::shell;
use std::path::{Path, PathBuf};

/// Crates whose library forbids unsafe code.
const FORBID: &[&str] = &[
    "crates/classfile-writer",
    "crates/files",
    "crates/plan",
    "reachability",
    "rewriter",
    "crates/archive",
    "crates/check",
    "crates/profile",
    "collector",
    "crates/report",
    "crates/session",
    "cli",
    "runtime-java",
    "crates/testkit",
    "tests",
    "xtask",
    "crates/world",
    "crates/instrument",
    "crates/calibration",
    "crates/compare",
    "crates/statistics",
    "crates/tui",
    "crates/views",
    "crates/export",
    "crates/page",
    "crates/serve",
    "crates/tables",
    "crates/jfr",
    "crates/trust",
    "query",
    "push",
];

/// The only files with unsafe blocks.
const UNSAFE: &[&str] = &[
    "crates/clock/src/lib.rs",
    "crates/switches/src/sys.rs",
    "crates/trace/src/guard.rs",
    "crates/trace/src/map.rs",
];

/// How unsafe code begins.
const UNSAFE_CODE: &[&str] = &["unsafe {", "unsafe fn", "unsafe impl"];

/// The folder of bindings to the JVM, where unsafe blocks may be too.
const UNSAFE_FOLDER: &str = "agent/src/ffi";

/// Crates that are no part of the product.
const TEST_CRATES: &[&str] = &["crates/testkit", "fuzz", "tests"];

/// Crates whose library reads and writes nothing by itself.
const NO_IO: &[&str] = &[
    "crates/check",
    "crates/classfile-writer",
    "crates/calibration",
    "crates/compare",
    "crates/export",
    "crates/jfr",
    "crates/page",
    "crates/plan",
    "crates/profile",
    "crates/report",
    "crates/tables",
    "crates/statistics",
    "crates/trust",
    "crates/views",
    "reachability",
    "rewriter",
];

/// Ways out of a crate without I/O.
const IO: &[&str] =
    &["std::fs", "std::net", "std::process", "std::env", "fs::File", "File::open", "File::create"];

/// The ways to another machine, or to whoever asks on this one: only one crate may go them.
const SOCKETS: &[&str] = &["TcpListener", "TcpStream", "UdpSocket"];

/// The crate with sockets.
const SOCKET_CRATE: &str = "crates/serve";

/// Ways to make, replace or copy files that follow links and say nothing of owners; `files` has
/// others.
const MAKING: &[&str] = &[
    "File::create",
    "File::options",
    "OpenOptions",
    "DirBuilder",
    "create_new(",
    "fs::write",
    "fs::rename",
    "fs::copy",
    "fs::create_dir",
    "fs::hard_link",
    "symlink(",
    "tempfile_in",
    "NamedTempFile",
];

/// Where they may be nevertheless, and why.
const MAKERS: &[(&str, &str)] = &[(
    "crates/instrument/src/rewrite/roots_only.rs",
    "hard links, which are made exclusively, in a folder that was made so",
)];

/// The ways to a terminal. What is printed otherwise than through `cli/src/out.rs` may hold
/// anything that a class file does.
const TERMINAL: &[&str] = &["println!(", "print!(", "stdout()", "stderr()"];

/// Where they may be used: the way out itself, the bar, whose words are ours, and the agent, which
/// has no `cli`.
const PRINTS: &[&str] = &[
    "cli/src/out.rs",
    "cli/src/progress.rs",
    "agent/src/host/start.rs",
    "crates/files/src/output.rs",
    "query/src/main.rs",
    "push/src/main.rs",
];

/// Every breach in the libraries' sources.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in FORBID {
        let main = ["src/lib.rs", "src/main.rs"].map(|file| shell::root().join(folder).join(file));
        let source: String =
            main.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
        if !source.contains("#![forbid(unsafe_code)]") {
            findings.push(Finding::new(format!("{folder}/src"), "lacks #![forbid(unsafe_code)]"));
        }
    }
    for path in files.iter().filter(|path| is_library_source(path)) {
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        let name = path.to_string_lossy();
        findings.extend(making(&name, &text));
        findings.extend(breaches(&name, &text));
    }
    findings
}

/// Unsafe code, prints and I/O where a file may have none.
fn breaches(name: &str, text: &str) -> Vec<Finding> {
    let folder = folder(name);
    let may_be_unsafe = UNSAFE.contains(&name) || name.starts_with(UNSAFE_FOLDER);
    let may_print = PRINTS.contains(&name) || TEST_CRATES.contains(&folder);
    let may_do_io = !NO_IO.contains(&folder);
    let mut findings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let code = line.split("//").next().unwrap_or_default();
        let mut find = |what: String| findings.push(Finding::new(format!("{name}:{number}"), what));
        if !may_be_unsafe && UNSAFE_CODE.iter().any(|word| code.contains(word)) {
            find("unsafe code outside of trace's ring and map and the agent's bindings".into());
        }
        if !may_print && TERMINAL.iter().any(|way| prints(code, way)) {
            find("prints by itself: text for people goes through cli/src/out.rs".into());
        }
        if folder != SOCKET_CRATE && SOCKETS.iter().any(|way| code.contains(way)) {
            find(format!("a socket outside of {SOCKET_CRATE}"));
        }
        if !may_do_io && IO.iter().any(|way| code.contains(way)) {
            find(format!("{folder} does no I/O: take values in"));
        }
    }
    findings
}

/// Where files are made past the crate `files`, in product code: what stands above a file's own
/// tests, in crates that are not for tests.
fn making(name: &str, text: &str) -> Vec<Finding> {
    let is_free = folder(name) == "crates/files" || TEST_CRATES.contains(&folder(name));
    if is_free || MAKERS.iter().any(|(file, _)| *file == name) {
        return Vec::new();
    }
    let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = product.lines().map(|line| line.split("//").next().unwrap_or_default()).zip(1..);
    let finding = |(line, number): (&str, usize)| {
        let way = MAKING.iter().find(|way| line.contains(**way))?;
        let what =
            format!("{way} follows links and takes whatever lies there: use the crate files");
        Some(Finding::new(format!("{name}:{number}"), what))
    };
    code.filter_map(finding).collect()
}

/// Whether a line uses a way to the terminal: `eprintln!(` is one, `out::stdout()` is none.
fn prints(code: &str, way: &str) -> bool {
    code.match_indices(way).any(|(at, _)| !code[..at].ends_with("out::"))
}

/// Whether the path is product code of a crate: in `src`, not a test, and not this check itself.
fn is_library_source(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let folder = folder(&name);
    path.extension().is_some_and(|end| end == "rs")
        && name[folder.len()..].starts_with("/src/")
        && !["bench", "xtask"].contains(&folder)
        && !path.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// The folder of a file's package: the first part of its path, or the first two below `crates`.
fn folder(name: &str) -> &str {
    let parts = if name.starts_with("crates/") { 2 } else { 1 };
    let end = name.match_indices('/').nth(parts - 1).map_or(name.len(), |(at, _)| at);
    &name[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaches_are_found_where_they_are_none_elsewhere() {
        let found = |name: &str, code: &str| breaches(name, code).len();
        for code in ["unsafe { a() }", "println!()", "eprint!()", "let a = std::fs::read(b);"] {
            assert_eq!(found("rewriter/src/a.rs", code), 1, "{code}");
            assert_eq!(found("rewriter/src/a.rs", &format!("// {code}")), 0, "{code}");
        }
        assert_eq!(found("crates/trace/src/map.rs", "unsafe { a() }"), 0);
        assert_eq!(found("crates/trace/src/ring.rs", "unsafe { a() }"), 1);
        assert_eq!(found("cli/src/out.rs", "println!()"), 0);
        assert_eq!(found("crates/archive/src/a.rs", "std::fs::read(b)"), 0);
        assert_eq!(found("cli/src/a.rs", "TcpListener::bind(a)"), 1);
        assert_eq!(found("crates/serve/src/a.rs", "TcpListener::bind(a)"), 0);
    }

    #[test]
    fn files_are_made_by_one_crate() {
        let code = "fn a() {\n    std::fs::write(path, bytes)?; // fs::rename\n}\n\n#[cfg(test)]\nmod tests {\n    fs::write(a, b);\n";
        let found = |name: &str| {
            making(name, code).into_iter().map(|finding| finding.place).collect::<Vec<_>>()
        };
        assert_eq!(found("cli/src/a.rs"), ["cli/src/a.rs:2"]);
        assert!(found("crates/files/src/a.rs").is_empty() && found(MAKERS[0].0).is_empty());
        for way in MAKING {
            assert_eq!(making("a/src/a.rs", &format!("x = {way}y)")).len(), 1, "{way}");
        }
    }

    #[test]
    fn a_crate_is_the_folder_of_its_package() {
        assert_eq!(folder("cli/src/a.rs"), "cli");
        assert_eq!(folder("crates/files/src/a.rs"), "crates/files");
        assert_eq!(folder("README.md"), "README.md");
        assert!(is_library_source(Path::new("crates/files/src/a.rs")));
        assert!(
            !is_library_source(Path::new("crates/files/tests/a.rs"))
                && !is_library_source(Path::new("tests/src/tests.rs"))
        );
    }
}
