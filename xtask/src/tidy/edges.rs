//! Which crate may use which: the list behind the picture in `docs/architecture.md`, held against
//! `cargo metadata`.

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
    CrateRules { package: "jfathom-files", ours: &[], others: &["rustix", "thiserror"] },
    CrateRules { package: "jfathom-clock", ours: &[], others: &["cc", "rustix"] },
    CrateRules { package: "jfathom-switches", ours: &[], others: &["libc", "rustix", "thiserror"] },
    CrateRules {
        package: "jfathom-plan",
        ours: &[],
        others: &["rustc-hash", "serde", "serde_json", "strsim", "thiserror"],
    },
    CrateRules { package: "jfathom-rewriter", ours: &["classfile-writer", "plan"], others: &[] },
    CrateRules {
        package: "jfathom-reachability",
        ours: &["classfile-writer", "plan"],
        others: &["petgraph", "rustc-hash", "thiserror"],
    },
    CrateRules {
        package: "jfathom-session",
        ours: &["clock", "files", "plan"],
        others: &["libdeflater", "rustix", "serde", "serde_json", "thiserror"],
    },
    CrateRules {
        package: "jfathom-archive",
        ours: &["files"],
        others: &["libdeflater", "rayon", "thiserror", "walkdir"],
    },
    CrateRules { package: "jfathom-runtime-java", ours: &["plan"], others: &[] },
    // Judges what rewriter and archive wrote, by the readers of others.
    CrateRules { package: "jfathom-check", ours: &["plan"], others: &["cafebabe", "rayon", "zip"] },
    CrateRules {
        package: "jfathom-trace",
        ours: &["files", "plan", "session"],
        others: &["libc", "loom", "memmap2", "thiserror"],
    },
    CrateRules {
        package: "jfathom-profile",
        ours: &["plan", "trace"],
        others: &["hdrhistogram", "postcard", "rustc-hash", "serde", "thiserror", "zstd"],
    },
    CrateRules { package: "jfathom-statistics", ours: &[], others: &[] },
    CrateRules {
        package: "jfathom-calibration",
        ours: &["plan", "profile", "statistics"],
        others: &["serde", "serde_json"],
    },
    CrateRules { package: "jfathom-jfr", ours: &[], others: &["thiserror"] },
    CrateRules {
        package: "jfathom-trust",
        ours: &["profile", "calibration", "statistics", "jfr"],
        others: &["thiserror"],
    },
    CrateRules {
        package: "jfathom-compare",
        ours: &["plan", "profile", "calibration", "statistics"],
        others: &["thiserror"],
    },
    CrateRules {
        package: "jfathom-collector",
        ours: &[
            "clock",
            "files",
            "plan",
            "session",
            "switches",
            "trace",
            "profile",
            "calibration",
            "compare",
            "jfr",
        ],
        others: &[
            "humantime",
            "postcard",
            "rustc-hash",
            "rustix",
            "serde",
            "serde_json",
            "signal-hook",
            "thiserror",
        ],
    },
    CrateRules {
        package: "jfathom-views",
        ours: &["plan", "profile", "calibration", "compare"],
        others: &["thiserror"],
    },
    CrateRules {
        package: "jfathom-report",
        ours: &["plan", "profile", "calibration", "compare", "views"],
        others: &["serde", "serde_json"],
    },
    CrateRules {
        package: "jfathom-tui",
        ours: &["plan", "profile", "calibration", "compare", "views"],
        others: &["ratatui"],
    },
    CrateRules {
        package: "jfathom-export",
        ours: &["plan", "profile", "calibration", "compare", "views"],
        others: &["flate2", "serde_json"],
    },
    CrateRules {
        package: "jfathom-tables",
        ours: &["plan", "profile", "calibration", "compare", "views"],
        others: &["parquet"],
    },
    CrateRules {
        package: "jfathom-page",
        ours: &["profile", "calibration", "compare", "views"],
        others: &["base64", "libdeflater", "serde_json", "sha2"],
    },
    // The only one that connects to another machine.
    CrateRules {
        package: "jfathom-push",
        ours: &["export", "files", "plan", "profile", "views"],
        others: &["anyhow", "base64", "clap", "flate2", "prost", "thiserror", "ureq"],
    },
    // The only one that listens: it is handed what it shows.
    CrateRules { package: "jfathom-serve", ours: &[], others: &["thiserror"] },
    CrateRules {
        package: "jfathom-world",
        ours: &["plan", "archive", "reachability"],
        others: &["rayon", "thiserror"],
    },
    CrateRules {
        package: "jfathom-agent",
        ours: &[
            "classfile-writer",
            "clock",
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
        others: &["jni-sys", "libc", "rustix", "serde_json", "thiserror"],
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
        others: &["rayon", "rustix", "serde", "serde_json", "tempfile", "thiserror"],
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
            "jfr",
            "runtime-java",
            "session",
            "tables",
            "trust",
            "profile",
            "calibration",
            "compare",
            "collector",
            "report",
            "export",
            "page",
            "serve",
            "tui",
            "views",
        ],
        others: &[
            "anyhow",
            "clap",
            "clap_complete",
            "clap_mangen",
            "humantime",
            "indicatif",
            "rustix",
            "serde",
            "serde_json",
            "shlex",
            "signal-hook",
            "tempfile",
            "thiserror",
            "toml",
        ],
    },
    // A dev-dependency alone: no row names it.
    CrateRules {
        package: "jfathom-testkit",
        ours: &["files", "plan", "profile", "session", "trace"],
        others: &["jsonschema", "schemars", "serde_json", "tempfile"],
    },
    CrateRules {
        package: "xtask",
        ours: &[],
        others: &[
            "anyhow",
            "cargo_metadata",
            "serde",
            "serde_json",
            "spdx",
            "syn",
            "tempfile",
            "toml",
        ],
    },
];

/// Crates that may use any of ours.
const FREE: &[&str] = &["jfathom-tests"];

/// Crates that help to build and test.
const TOOLS: &[&str] = &["xtask", "jfathom-testkit"];

/// What any crate may use in its own tests.
const TEST_CRATES: &[&str] = &[
    "tempfile",
    "zip",
    "cafebabe",
    "loom",
    "serde_json",
    "rustix",
    "walkdir",
    "prost",
    "opentelemetry-proto",
    "fxprof-processed-profile",
    "rcgen",
    "rustls",
    "schemars",
];

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
    let uses: Vec<Use<'_>> = package
        .dependencies
        .iter()
        .map(|dependency| Use {
            name: &dependency.name,
            is_ours: dependency.path.is_some(),
            is_for_tests: dependency.kind == DependencyKind::Development,
        })
        .collect();
    let faults = forbidden(rules, &uses).into_iter().chain(unused(rules, &uses));
    faults.map(|what| Finding::new(place.clone(), what)).collect()
}

/// One dependency of a package.
struct Use<'a> {
    name: &'a str,
    is_ours: bool,
    is_for_tests: bool,
}

/// The dependencies that the row does not allow.
fn forbidden(rules: &CrateRules, uses: &[Use<'_>]) -> Vec<String> {
    let is_allowed = |used: &&Use<'_>| match (used.is_ours, used.is_for_tests) {
        (true, true) => short(used.name) != "cli",
        (true, false) => rules.ours.contains(&short(used.name)),
        (false, true) if TEST_CRATES.contains(&used.name) => true,
        (false, _) => rules.others.contains(&used.name),
    };
    let what = |used: &Use<'_>| {
        let (package, name) = (rules.package, used.name);
        format!("{package} must not use {name}: see the picture of crates in docs/architecture.md")
    };
    uses.iter().filter(|used| !is_allowed(used)).map(what).collect()
}

/// The names in the row that are no dependency of the product: the picture of crates would show
/// them.
fn unused(rules: &CrateRules, uses: &[Use<'_>]) -> Vec<String> {
    let is_used = |name: &str, is_ours: bool| {
        uses.iter().any(|used| {
            let used_name = if is_ours { short(used.name) } else { used.name };
            used.is_ours == is_ours && !used.is_for_tests && used_name == name
        })
    };
    let ours = rules.ours.iter().filter(|name| !is_used(name, true));
    let others = rules.others.iter().filter(|name| !is_used(name, false));
    let what =
        |name: &&str| format!("{} does not use {name}: take it out of its row", rules.package);
    ours.chain(others).map(what).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: CrateRules =
        CrateRules { package: "jfathom-a", ours: &["plan"], others: &["serde"] };

    fn used(name: &str, is_ours: bool, is_for_tests: bool) -> Use<'_> {
        Use { name, is_ours, is_for_tests }
    }

    #[test]
    fn what_the_row_does_not_name_is_forbidden() {
        let allowed = [
            used("jfathom-plan", true, false),
            used("serde", false, false),
            used("tempfile", false, true),
            used("jfathom-trace", true, true),
        ];
        assert!(forbidden(&RULES, &allowed).is_empty());
        let others = [
            used("jfathom-trace", true, false),
            used("jfathom-cli", true, true),
            used("tempfile", false, false),
        ];
        assert_eq!(forbidden(&RULES, &others).len(), others.len());
    }

    #[test]
    fn a_row_names_nothing_that_is_not_used() {
        let uses = [used("jfathom-plan", true, false), used("serde", false, true)];
        assert_eq!(unused(&RULES, &uses), ["jfathom-a does not use serde: take it out of its row"]);
    }
}
