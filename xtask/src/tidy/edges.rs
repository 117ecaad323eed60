//! Which room may use which, and which other crates: the design's table, held against `cargo
//! metadata`.

use super::finding::Finding;
use crate::shell;
use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// One row of the table.
struct Room {
    package: &'static str,
    /// Rooms that it may use in its product, without `jfathom-`.
    ours: &'static [&'static str],
    /// Crates of others that it may use in its product.
    others: &'static [&'static str],
}

const ROOMS: &[Room] = &[
    Room { package: "classfile-writer", ours: &[], others: &[] },
    Room { package: "jfathom-files", ours: &[], others: &["rustix"] },
    Room { package: "jfathom-plan", ours: &[], others: &["serde", "serde_json", "strsim"] },
    Room { package: "jfathom-rewriter", ours: &["classfile-writer", "plan"], others: &[] },
    Room {
        package: "jfathom-reachability",
        ours: &["classfile-writer", "plan"],
        others: &["petgraph"],
    },
    Room {
        package: "jfathom-archive",
        ours: &["files"],
        others: &["zip", "walkdir", "rayon", "libdeflater", "crc32fast"],
    },
    Room { package: "jfathom-runtime-java", ours: &["plan"], others: &[] },
    // Judges what rewriter and archive wrote, by the readers of others.
    Room { package: "jfathom-check", ours: &["plan"], others: &["cafebabe", "rayon", "zip"] },
    Room {
        package: "jfathom-trace",
        ours: &["files", "plan"],
        others: &["memmap2", "loom", "rustix"],
    },
    Room {
        package: "jfathom-profile",
        ours: &["plan", "trace"],
        others: &["serde", "postcard", "zstd"],
    },
    Room { package: "jfathom-statistics", ours: &[], others: &[] },
    Room { package: "jfathom-calibration", ours: &["plan", "profile", "statistics"], others: &[] },
    Room {
        package: "jfathom-compare",
        ours: &["plan", "profile", "calibration", "statistics"],
        others: &[],
    },
    Room {
        package: "jfathom-collector",
        ours: &["files", "plan", "trace", "profile", "calibration", "compare", "runtime-java"],
        others: &["rustix", "signal-hook"],
    },
    Room {
        package: "jfathom-report",
        ours: &["plan", "profile", "calibration", "compare"],
        others: &["inferno", "prost", "serde", "serde_json"],
    },
    Room {
        package: "jfathom-world",
        ours: &["plan", "archive", "reachability"],
        others: &["rayon"],
    },
    Room {
        package: "jfathom-agent",
        ours: &[
            "classfile-writer",
            "files",
            "plan",
            "archive",
            "reachability",
            "world",
            "rewriter",
            "trace",
            "runtime-java",
        ],
        others: &["jni-sys", "rustix", "serde_json"],
    },
    Room {
        package: "jfathom-cli",
        ours: &[
            "agent",
            "files",
            "plan",
            "rewriter",
            "archive",
            "check",
            "reachability",
            "world",
            "runtime-java",
            "trace",
            "profile",
            "calibration",
            "compare",
            "collector",
            "report",
        ],
        others: &[
            "clap",
            "indicatif",
            "anyhow",
            "rayon",
            "rustix",
            "serde",
            "serde_json",
            "shlex",
            "tempfile",
        ],
    },
    Room { package: "xtask", ours: &[], others: &["anyhow", "cargo_metadata", "syn", "tempfile"] },
];

/// Across rooms: may use any of ours.
const FREE: &[&str] = &["jfathom-tests"];

/// What any room may use in its own tests.
const TEST_CRATES: &[&str] =
    &["tempfile", "zip", "cafebabe", "loom", "serde_json", "inferno", "rustix", "walkdir"];

/// Every dependency that the table does not allow, and every package that the table does not name.
pub fn check() -> Result<Vec<Finding>> {
    let metadata = MetadataCommand::new()
        .manifest_path(shell::root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("cargo metadata")?;
    Ok(metadata.packages.iter().flat_map(check_package).collect())
}

fn check_package(package: &Package) -> Vec<Finding> {
    let name = package.name.as_str();
    let place = package
        .manifest_path
        .strip_prefix(shell::root())
        .unwrap_or(&package.manifest_path)
        .to_string();
    if FREE.contains(&name) {
        return Vec::new();
    }
    let Some(room) = ROOMS.iter().find(|room| room.package == name) else {
        return vec![Finding::new(
            place,
            format!("{name} has no row in the table of rooms (xtask/src/tidy/edges.rs)"),
        )];
    };
    let mut findings = Vec::new();
    for dependency in &package.dependencies {
        let used = dependency.name.as_str();
        let ours = dependency.path.is_some();
        let for_tests = dependency.kind == DependencyKind::Development;
        let allowed = if ours {
            let short = used.strip_prefix("jfathom-").unwrap_or(used);
            if for_tests { short != "cli" } else { room.ours.contains(&short) }
        } else {
            room.others.contains(&used) || (for_tests && TEST_CRATES.contains(&used))
        };
        if !allowed {
            findings.push(Finding::new(
                place.clone(),
                format!(
                    "{name} must not use {used} ({:?}): see the table of rooms in docs/architecture.md",
                    dependency.kind
                ),
            ));
        }
    }
    findings
}
