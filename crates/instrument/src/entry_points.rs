//! Where a program starts, where nobody says it: by its manifests, or by its only `main`.

use super::{Source, Surveyed, walk::is_main};
use jfathom_plan::ClassSummary;
use jfathom_reachability::{EntryPoints, MethodIx, Query, World, reach};

/// The `main` methods that the program's manifests name; or else its only one. None where that is
/// not clear.
pub(super) fn mains(
    world: &mut World<'_>,
    program: &[Source],
    surveyed: &Surveyed,
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
        for class in surveyed.classes.iter().filter(has_main) {
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
    world.method(class, "main", super::walk::MAIN).filter(|&main| is_main(world, main))
}

/// Whether what these methods make is known well enough to take it for all that the roots can find:
/// the roots are reached from them, and nothing on the way asks for a class by a name of which no
/// part is known.
pub(super) fn lead_to(
    world: &mut World<'_>,
    mains: &[MethodIx],
    roots: &[MethodIx],
    question: &Query,
) -> bool {
    if mains.is_empty() {
        return false;
    }
    let question = Query {
        roots: mains.to_vec(),
        seeds: EntryPoints::Methods(mains.to_vec()),
        ..question.clone()
    };
    let reached = reach(world, &question);
    reached.unnamed().is_empty() && roots.iter().all(|&root| reached.contains(root))
}
