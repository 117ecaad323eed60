//! Regions: source lines of a method that have an id of their own
//! (`docs/decisions/0028-regions.md`).
//!
//! Each instruction has a [`Scope`], the innermost region that it is in. Every way from one scope
//! to another gets the exits of the regions that it leaves, innermost first, and the entries of
//! those that it comes into, outermost first. A return leaves all, and so does an exception that no
//! handler of the method catches. So no way leads into a region that is open: its entry is on the
//! ways from outside, and only on these.

mod covers;
mod edges;
mod handlers;
mod runs;
mod scopes;

pub(crate) use edges::RegionSplicer;
pub(crate) use scopes::{RefusedRegion, RegionProbes, Regions};
