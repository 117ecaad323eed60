//! Indexing of containers without an index, on all cores.

use crate::cache::Identity;
use crate::cache::IndexCache;
use crate::jdk_index::{Listing, OpenedJdk};
use crate::program::InputRef;
use crate::{Error, Statistics, jar_index};
use jfathom_archive::{Error as ArchiveError, Input, Jdk};
use jfathom_reachability::{Index, IndexPart};
use rayon::prelude::*;
use std::num::NonZeroUsize;

/// A task of the indexing.
enum Task<'t> {
    Jdk(&'t Listing, &'t Jdk, usize),
    Input(usize, &'t Input, Vec<u32>),
}

/// The result of a task.
enum Read {
    Jdk(IndexPart),
    /// With whether every class could be read.
    Input(usize, IndexPart, bool),
}

impl Task<'_> {
    fn read(self) -> Result<Read, ArchiveError> {
        match self {
            Self::Jdk(listing, jdk, part) => listing.read(jdk, part).map(Read::Jdk),
            Self::Input(at, input, part) => {
                let (part, complete) = jar_index::read(input, &part);
                Ok(Read::Input(at, part, complete))
            }
        }
    }
}

/// Completes the index of the JDK, and makes those of the program's inputs, from the cache if
/// possible. Without a cache it only lists the JDK's classes, and worlds read classes on demand.
pub(crate) fn indexes(
    found: &mut OpenedJdk,
    inputs: &[InputRef<'_>],
    kept: &IndexCache,
    threads: Option<NonZeroUsize>,
    statistics: &mut Statistics,
) -> Result<(Index, Vec<Option<Index>>), Error> {
    let listing = found.listing()?;
    let mut tasks = Vec::new();
    if let (Some(listing), Some(_)) = (&listing, found.identity) {
        tasks.extend((0..listing.parts()).map(|part| Task::Jdk(listing, &found.jdk, part)));
    }
    let known = |input: &InputRef<'_>| {
        let identity = if kept.is_on() { jar_index::identity(input) } else { None };
        (identity, identity.and_then(|identity| kept.get(identity)))
    };
    let (identities, mut indexes): (Vec<Option<Identity>>, Vec<Option<Index>>) =
        on_cores(threads, || inputs.par_iter().map(known).unzip())?;
    for (at, input) in inputs.iter().enumerate() {
        if identities[at].is_some() && indexes[at].is_none() {
            tasks.extend(
                jar_index::parts(input).into_iter().map(|part| Task::Input(at, input, part)),
            );
        }
    }
    let mut of_jdk = Vec::new();
    let mut of_inputs: Vec<Vec<IndexPart>> = inputs.iter().map(|_| Vec::new()).collect();
    let mut complete = vec![true; inputs.len()];
    for read in run(tasks, threads)? {
        match read {
            Read::Jdk(part) => of_jdk.push(part),
            Read::Input(at, part, whole) => {
                of_inputs[at].push(part);
                complete[at] &= whole;
            }
        }
    }
    let made = of_jdk.iter().chain(of_inputs.iter().flatten());
    statistics.indexed = made.map(IndexPart::len).sum();
    // Without an index a world reads the class files.
    let make = |(at, parts): (usize, Vec<IndexPart>)| match identities[at] {
        Some(identity) if indexes[at].is_none() => {
            let index = jar_index::index(&inputs[at], &identity.key(), &parts)?;
            // A file that changed meanwhile may be itself again, under the same identity.
            if complete[at] {
                kept.put(identity, &index);
            }
            Some(index)
        }
        _ => None,
    };
    let new: Vec<Option<Index>> =
        on_cores(threads, || of_inputs.into_par_iter().enumerate().map(make).collect())?;
    for (index, new) in indexes.iter_mut().zip(new) {
        *index = index.take().or(new);
    }
    let base = match (found.index.take(), listing) {
        (Some(index), _) => index,
        (None, Some(listing)) => {
            let key = found.identity.map(|identity| identity.key()).unwrap_or_default();
            let index = listing
                .index(&key, of_jdk)
                .map_err(|problem| found.unusable(problem.to_string()))?;
            if let Some(identity) = found.identity {
                kept.put(identity, &index);
            }
            index
        }
        (None, None) => return Err(found.unusable("it was not listed".to_owned())),
    };
    let known: usize = base.records() + indexes.iter().flatten().map(Index::records).sum::<usize>();
    statistics.from_cache = known.saturating_sub(statistics.indexed);
    statistics.index_bytes = base.bytes().len()
        + indexes.iter().flatten().map(|index| index.bytes().len()).sum::<usize>();
    Ok((base, indexes))
}

/// Runs all tasks. The results are in their order.
fn run(tasks: Vec<Task<'_>>, threads: Option<NonZeroUsize>) -> Result<Vec<Read>, Error> {
    let all =
        || tasks.into_par_iter().with_max_len(1).map(Task::read).collect::<Result<Vec<_>, _>>();
    Ok(on_cores(threads, all)??)
}

/// Runs `work` on as many threads, or on all cores.
fn on_cores<T: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Error> {
    let Some(threads) = threads else { return Ok(work()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    let pool = pool.map_err(|error| Error::Threads(error.to_string()))?;
    Ok(pool.install(work))
}
