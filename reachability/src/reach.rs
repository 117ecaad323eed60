//! The walk: rapid type analysis (Bacon and Sweeney, OOPSLA 1996) with class initialisers, lambdas,
//! services, threads and what constants say about reflection.

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
use analysis::Walk;

pub use query::{CallGraph, ClassNames, EntryPoints, Query};

/// Finds what the roots can call.
pub fn reach(world: &mut World<'_>, question: &Query) -> Reached {
    let mut walk = Walk::new(world, question);
    let mut starts: Vec<u32> = question.roots.iter().map(|&root| walk.method(root)).collect();
    match question.policy {
        CallGraph::Total => {
            for method in walk.program_methods() {
                starts.push(walk.method(method));
            }
        }
        CallGraph::Rta | CallGraph::Cha => {
            for &root in &question.roots {
                walk.seed_root(root);
            }
            for &root in &starts {
                let Node::Method(method) = walk.nodes[root as usize] else { continue };
                walk.init_first(root, walk.world.class_of_method(method), Reason::Init);
            }
            walk.seed();
            walk.run();
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let Walk { nodes, edges, unresolved, allocated_by, computed, .. } = walk;
    Reached::new(nodes, edges, starts, unresolved, allocated_by).with_unnamed(computed.unnamed())
}
