//! Which crate may use which: the table of `docs/architecture.md`, held against `cargo metadata`.

use super::finding::Finding;
use crate::shell;
use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// One row of the table.
struct CrateRules {
    package: &'static str,
    /// Crates of ours that it may use in its product, without `jfathom-`.
    ours: &'static [&'static str],
    /// Crates of others that it may use in its product.
    others: &'static [&'static str],
}

const CRATES: &[CrateRules] = &[
    CrateRules { package: "classfile-writer", ours: &[], others: &[] },
    CrateRules { package: "jfathom-files", ours: &[], others: &["rustix"] },
    CrateRules { package: "jfathom-plan", ours: &[], others: &["serde", "serde_json", "strsim"] },
    CrateRules { package: "jfathom-rewriter", ours: &["classfile-writer", "plan"], others: &[] },
    CrateRules {
        package: "jfathom-reachability",
        ours: &["classfile-writer", "plan"],
        others: &["petgraph"],
    },
    CrateRules {
        package: "jfathom-session",
        ours: &["files", "plan"],
        others: &["rustix", "serde", "serde_json"],
    },
    CrateRules {
        package: "jfathom-archive",
        ours: &["files"],
        others: &["zip", "walkdir", "rayon", "libdeflater", "crc32fast"],
    },
    CrateRules { package: "jfathom-runtime-java", ours: &["plan", "session"], others: &[] },
    // Judges what rewriter and archive wrote, by the readers of others.
    CrateRules { package: "jfathom-check", ours: &["plan"], others: &["cafebabe", "rayon", "zip"] },
    CrateRules {
        package: "jfathom-trace",
        ours: &["files", "plan", "session"],
        others: &["memmap2", "loom", "rustix"],
    },
    CrateRules {
        package: "jfathom-profile",
        ours: &["plan", "trace"],
        others: &["serde", "postcard", "zstd"],
    },
    CrateRules { package: "jfathom-statistics", ours: &[], others: &[] },
    CrateRules {
        package: "jfathom-calibration",
        ours: &["plan", "profile", "statistics"],
        others: &[],
    },
    CrateRules {
        package: "jfathom-compare",
        ours: &["plan", "profile", "calibration", "statistics"],
        others: &[],
    },
    CrateRules {
        package: "jfathom-collector",
        ours: &["files", "plan", "session", "trace", "profile", "calibration", "compare"],
        others: &["rustix", "signal-hook"],
    },
    CrateRules {
        package: "jfathom-report",
        ours: &["plan", "profile", "calibration", "compare"],
        others: &["inferno", "prost", "serde", "serde_json"],
    },
    CrateRules {
        package: "jfathom-world",
        ours: &["plan", "archive", "reachability"],
        others: &["rayon"],
    },
    CrateRules {
        package: "jfathom-agent",
        ours: &[
            "classfile-writer",
            "files",
            "plan",
            "archive",
            "reachability",
            "world",
            "rewriter",
            "session",
            "trace",
            "runtime-java",
        ],
        others: &["jni-sys", "rustix", "serde_json"],
    },
    CrateRules {
        package: "jfathom-instrument",
        ours: &[
            "files",
            "plan",
            "rewriter",
            "archive",
            "check",
            "reachability",
            "world",
            "runtime-java",
        ],
        others: &["rayon", "rustix", "serde", "serde_json", "tempfile"],
    },
    CrateRules {
        package: "jfathom-cli",
        ours: &[
            "agent",
            "files",
            "plan",
            "rewriter",
            "archive",
            "check",
            "instrument",
            "runtime-java",
            "session",
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
            "rustix",
            "serde",
            "serde_json",
            "shlex",
            "tempfile",
        ],
    },
    // A dev-dependency alone: no row names it.
    CrateRules {
        package: "jfathom-testkit",
        ours: &["files", "plan", "profile", "session", "trace"],
        others: &["tempfile"],
    },
    CrateRules {
        package: "xtask",
        ours: &[],
        others: &["anyhow", "cargo_metadata", "syn", "tempfile"],
    },
];

/// Crates that may use any of ours.
const FREE: &[&str] = &["jfathom-tests"];

/// Crates that help to build and test.
const TOOLS: &[&str] = &["xtask", "jfathom-testkit"];

/// What any crate may use in its own tests.
const TEST_CRATES: &[&str] =
    &["tempfile", "zip", "cafebabe", "loom", "serde_json", "inferno", "rustix", "walkdir"];

/// The table's crates without `jfathom-`, each with those that it may use; tools that are not part
/// of the product are left out.
pub fn product() -> Vec<(&'static str, &'static [&'static str])> {
    let rows = CRATES.iter().filter(|rules| !TOOLS.contains(&rules.package));
    rows.map(|rules| (short(rules.package), rules.ours)).collect()
}

fn short(package: &str) -> &str {
    package.strip_prefix("jfathom-").unwrap_or(package)
}

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
    let Some(rules) = CRATES.iter().find(|rules| rules.package == name) else {
        return vec![Finding::new(
            place,
            format!("{name} has no row in the table of crates (xtask/src/tidy/edges.rs)"),
        )];
    };
    let mut findings = Vec::new();
    for dependency in &package.dependencies {
        let used = dependency.name.as_str();
        let ours = dependency.path.is_some();
        let for_tests = dependency.kind == DependencyKind::Development;
        let allowed = if ours {
            let short = short(used);
            if for_tests { short != "cli" } else { rules.ours.contains(&short) }
        } else {
            rules.others.contains(&used) || (for_tests && TEST_CRATES.contains(&used))
        };
        if !allowed {
            findings.push(Finding::new(
                place.clone(),
                format!(
                    "{name} must not use {used} ({:?}): see the picture of crates in docs/architecture.md",
                    dependency.kind
                ),
            ));
        }
    }
    findings
}
