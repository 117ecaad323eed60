//! The entry points of a program that names none: the `main` methods of its jar manifests, or its
//! only `main`.

use crate::{
    root_query::{MAIN, is_main},
    sources::Source,
    summaries::Summaries,
};
use jfathom_plan::ClassSummary;
use jfathom_reachability::{EntryPoints, MethodIx, Query, World, reach};

/// The `main` methods that the program's jar manifests name, else its only one. Empty if it has
/// several.
pub(crate) fn mains(
    world: &mut World<'_>,
    program: &[Source],
    summaries: &Summaries,
) -> Vec<MethodIx> {
    let named: Vec<String> =
        program.iter().filter_map(|source| source.main_class.clone()).collect();
    let mut found = Vec::new();
    for class in &named {
        found.extend(main_of(world, &class.replace('.', "/")));
    }
    if named.is_empty() {
        let has_main =
            |class: &&ClassSummary| class.methods.iter().any(|method| method.name == "main");
        for class in summaries.classes.iter().filter(has_main) {
            found.extend(main_of(world, &class.name));
        }
        found.sort_unstable();
        found.dedup();
        if found.len() > 1 {
            return Vec::new();
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn main_of(world: &mut World<'_>, class: &str) -> Option<MethodIx> {
    world.method(class, "main", MAIN).filter(|&main| is_main(world, main))
}

/// Whether the classes instantiated from these entry points are all that the roots can meet: the
/// roots are in their call subgraph, and no method of it loads a class by a name of which no part
/// is known.
pub(crate) fn lead_to(
    world: &mut World<'_>,
    mains: &[MethodIx],
    roots: &[MethodIx],
    query: &Query,
) -> bool {
    if mains.is_empty() {
        return false;
    }
    let query = Query {
        roots: mains.to_vec(),
        entry_points: EntryPoints::Methods(mains.to_vec()),
        ..query.clone()
    };
    let reached = reach(world, &query);
    reached.unnamed().is_empty() && roots.iter().all(|&root| reached.contains(root))
}
