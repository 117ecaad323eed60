//! Reachability analysis before a run: rapid type analysis (Bacon and Sweeney, OOPSLA 1996). It
//! also follows class initialisers, lambdas, services, threads, and reflection by constant names.

mod analysis;
mod callers;
mod computed;
mod facts;
mod init;
mod query;
mod reflective_objects;
mod serial;
mod state;

use crate::{Node, Reached, Reason, World};
use analysis::Analysis;

pub use query::{ClassNames, EntryPoints, Query};

/// Finds what the roots can call.
pub fn reach(world: &mut World<'_>, query: &Query) -> Reached {
    let mut analysis = Analysis::new(world, query);
    let mut starts: Vec<u32> = query.roots.iter().map(|&root| analysis.method(root)).collect();
    for &root in &query.roots {
        analysis.add_root(root);
    }
    for &root in &starts {
        let Node::Method(method) = analysis.nodes[root as usize] else { continue };
        analysis.init_first(root, analysis.world.class_of_method(method), Reason::Init);
    }
    analysis.add_entry_points();
    analysis.run();
    starts.sort_unstable();
    starts.dedup();
    let Analysis { nodes, edges, method_nodes, unresolved, allocated_by, computed, .. } = analysis;
    Reached::new(nodes, edges, method_nodes, starts, unresolved, allocated_by)
        .with_unnamed(computed.unnamed())
        .with_unfollowed_lookups(computed.unfollowed_lookups())
}
