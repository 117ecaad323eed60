//! The page's script: the modules of `web/` as one module.

/// The modules, each behind those that it imports.
const MODULES: &[(&str, &str)] = &[
    ("format.js", include_str!("../web/format.js")),
    ("data.js", include_str!("../web/data.js")),
    ("forest.js", include_str!("../web/forest.js")),
    ("methods.js", include_str!("../web/methods.js")),
    ("edges.js", include_str!("../web/edges.js")),
    ("callers.js", include_str!("../web/callers.js")),
    ("search.js", include_str!("../web/search.js")),
    ("colour.js", include_str!("../web/colour.js")),
    ("state.js", include_str!("../web/state.js")),
    ("dom.js", include_str!("../web/dom.js")),
    ("rows.js", include_str!("../web/rows.js")),
    ("layout.js", include_str!("../web/layout.js")),
    ("icicle.js", include_str!("../web/icicle.js")),
    ("head.js", include_str!("../web/head.js")),
    ("hot.js", include_str!("../web/hot.js")),
    ("tree.js", include_str!("../web/tree.js")),
    ("threads.js", include_str!("../web/threads.js")),
    ("latency.js", include_str!("../web/latency.js")),
    ("scatter.js", include_str!("../web/scatter.js")),
    ("walks.js", include_str!("../web/walks.js")),
    ("sandwich.js", include_str!("../web/sandwich.js")),
    ("help.js", include_str!("../web/help.js")),
    ("keys.js", include_str!("../web/keys.js")),
    ("renewal.js", include_str!("../web/renewal.js")),
    ("live.js", include_str!("../web/live.js")),
    ("main.js", include_str!("../web/main.js")),
];

/// One module of all: without imports, and without `export`. So names at the top of a module must
/// differ between modules.
pub(crate) fn script() -> String {
    let mut script = String::new();
    for (name, source) in MODULES {
        script.push_str(&format!("\n// ---- {name}\n"));
        for line in source.lines().filter(|line| !line.starts_with("import ")) {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn modules_import_what_stands_before_and_share_no_names() {
        let (mut before, mut names) = (HashSet::new(), HashSet::new());
        for (module, source) in MODULES {
            for line in source.lines() {
                assert!(line.chars().count() <= 100, "{module}: {line}");
                if let Some((_, from)) = line.split_once(" from \"./") {
                    let from = from.trim_end_matches("\";");
                    assert!(
                        line.starts_with("import ") && before.contains(from),
                        "{module}: {line}"
                    );
                }
                let declared = line.strip_prefix("export ").unwrap_or(line);
                let kinds = ["async function ", "function ", "const ", "let ", "class "];
                if let Some(rest) = kinds.iter().find_map(|kind| declared.strip_prefix(kind)) {
                    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                    let name = &rest[..end.unwrap_or(rest.len())];
                    assert!(names.insert(name.to_owned()), "{module}: {name} is there already");
                }
            }
            before.insert(*module);
        }
        assert!(!script().contains("\nimport ") && !script().contains("\nexport "));
    }
}
