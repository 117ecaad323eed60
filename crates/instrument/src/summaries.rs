//! Reads the classes of inputs, in parallel.

use super::sources::Source;
use crate::{failure::archive, progress::ProgressBar};
use anyhow::Result;
use jfathom_archive::{EntryId, EntryName, Notice, Work};
use jfathom_plan::{ClassSummary, IdRange, Plan, Skip};
use jfathom_rewriter::Digests;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Which classes are read.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'a> {
    /// All.
    Whole,
    /// Those with these internal names.
    Part(&'a (dyn Fn(&str) -> bool + Sync)),
}

impl Extent<'_> {
    pub(crate) const fn is_whole(self) -> bool {
        matches!(self, Self::Whole)
    }

    fn wants(self, entry: &EntryName) -> bool {
        match self {
            Self::Whole => true,
            Self::Part(wanted) => entry.class_name().is_none_or(wanted),
        }
    }
}

/// The classes of all inputs in their order.
#[derive(Default)]
pub(crate) struct Surveyed {
    /// One for each class that was to be read and could be.
    pub(crate) classes: Vec<ClassSummary>,
    /// The classes that were read, where others were not to be.
    part: Option<HashSet<String>>,
    inputs: Vec<SurveyedInput>,
    /// Classes that some container has for several releases of Java.
    pub(crate) versioned: HashSet<String>,
    /// What was noticed on the way.
    pub(crate) notices: Vec<Notice>,
}

#[derive(Default)]
struct SurveyedInput {
    range: Range<usize>,
    /// Indices into the classes.
    by_entry: HashMap<EntryId, usize>,
    skips: Vec<Skip>,
}

impl Surveyed {
    /// Which classes are those of the input.
    pub(crate) fn range(&self, input: usize) -> Range<usize> {
        self.inputs.get(input).map_or(0..0, |input| input.range.clone())
    }

    /// Which class an entry of the input holds; none where it could not be read.
    pub(crate) fn class_at(&self, input: usize, entry: &EntryId) -> Option<usize> {
        self.inputs.get(input)?.by_entry.get(entry).copied()
    }

    /// Classes of the input that could not be read.
    pub(crate) fn skips(&self, input: usize) -> &[Skip] {
        self.inputs.get(input).map_or(&[], |input| &input.skips)
    }

    /// The ids that were given to methods of the input.
    pub(crate) fn ids(&self, input: usize, choice: &Plan) -> IdRange {
        let chosen = choice.classes.get(self.range(input)).unwrap_or_default();
        let mut ranges = chosen.iter().filter_map(|chosen| chosen.ids());
        let first = ranges.next();
        let start = first.map_or(choice.ids.start, |first| first.start);
        let end = ranges.next_back().or(first).map_or(start, IdRange::end);
        IdRange { start, len: end - start }
    }

    /// Whether all classes of the inputs are there.
    pub(crate) fn is_whole(&self) -> bool {
        self.part.is_none()
    }

    /// Whether an entry can hold one of the classes that are there.
    pub(crate) fn can_hold(&self, entry: &EntryName) -> bool {
        let Some(part) = &self.part else { return true };
        entry.class_name().is_some_and(|name| part.contains(name))
    }

    /// Surveys an input, which is the next one.
    pub(crate) fn add(
        &mut self,
        source: &Source,
        extent: Extent<'_>,
        work: Work<'_>,
        bar: &ProgressBar,
    ) -> Result<()> {
        let show = |progress| bar.show(progress);
        let visited = source
            .input
            .visit_some(
                &Work { progress: Some(&show), ..work },
                |name| extent.wants(name),
                |entry, bytes| {
                    let survey =
                        jfathom_rewriter::summarize(bytes, Digests::Compute).map_err(|mut skip| {
                            if skip.class.is_empty() {
                                skip.class = entry
                                    .name()
                                    .class_name()
                                    .map_or_else(|| entry.name().to_string(), str::to_owned);
                            }
                            skip
                        });
                    let versioned = entry
                        .name()
                        .as_str()
                        .is_some_and(|name| name.contains("META-INF/versions/"));
                    (entry.id().clone(), versioned, survey)
                },
            )
            .map_err(archive)?;
        self.notices.extend(visited.notices);
        let start = self.classes.len();
        let mut input = SurveyedInput::default();
        for (entry, versioned, survey) in visited.values {
            match survey {
                Ok(class) => {
                    if versioned {
                        self.versioned.insert(class.name.clone());
                    }
                    if !extent.is_whole() {
                        self.part.get_or_insert_default().insert(class.name.clone());
                    }
                    input.by_entry.insert(entry, self.classes.len());
                    self.classes.push(class);
                }
                Err(skip) => input.skips.push(skip),
            }
        }
        input.range = start..self.classes.len();
        self.inputs.push(input);
        if !extent.is_whole() {
            self.part.get_or_insert_default();
        }
        bar.next(source.entries);
        Ok(())
    }
}
