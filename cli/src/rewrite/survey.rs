//! Reads all classes of all inputs, in parallel.

use super::sources::Source;
use crate::{failure::archive, progress::Bar};
use anyhow::Result;
use jfathom_archive::{EntryId, Work};
use jfathom_plan::{Choice, ClassSurvey, IdRange, Skip};
use jfathom_rewriter::Digests;
use std::{collections::HashMap, ops::Range};

/// The classes of all inputs in their order.
#[derive(Default)]
pub(super) struct Surveyed {
    /// One for each class that could be read.
    pub(super) classes: Vec<ClassSurvey>,
    inputs: Vec<SurveyedInput>,
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
    pub(super) fn range(&self, input: usize) -> Range<usize> {
        self.inputs.get(input).map_or(0..0, |input| input.range.clone())
    }

    /// Which class an entry of the input holds; none where it could not be read.
    pub(super) fn class_at(&self, input: usize, entry: &EntryId) -> Option<usize> {
        self.inputs.get(input)?.by_entry.get(entry).copied()
    }

    /// Classes of the input that could not be read.
    pub(super) fn skips(&self, input: usize) -> &[Skip] {
        self.inputs.get(input).map_or(&[], |input| &input.skips)
    }

    /// The ids that were given to methods of the input.
    pub(super) fn ids(&self, input: usize, choice: &Choice) -> IdRange {
        let chosen = choice.classes.get(self.range(input)).unwrap_or_default();
        let mut ranges = chosen.iter().filter_map(|chosen| chosen.ids());
        let first = ranges.next();
        let start = first.map_or(choice.ids.start, |first| first.start);
        let end = ranges.next_back().or(first).map_or(start, IdRange::end);
        IdRange { start, len: end - start }
    }
}

/// Surveys all inputs.
pub(super) fn all(sources: &[Source], work: Work<'_>, bar: &Bar) -> Result<Surveyed> {
    let mut surveyed = Surveyed::default();
    for source in sources {
        let show = |progress| bar.show(progress);
        let visited = source
            .input
            .visit(&Work { progress: Some(&show), ..work }, |entry, bytes| {
                let survey = jfathom_rewriter::survey(bytes, Digests::Take).map_err(|mut skip| {
                    if skip.class.is_empty() {
                        skip.class = entry.name().class_name().map_or_else(|| entry.name().to_string(), str::to_owned);
                    }
                    skip
                });
                (entry.id().clone(), survey)
            })
            .map_err(archive)?;
        let start = surveyed.classes.len();
        let mut input = SurveyedInput::default();
        for (entry, survey) in visited.values {
            match survey {
                Ok(class) => {
                    input.by_entry.insert(entry, surveyed.classes.len());
                    surveyed.classes.push(class);
                }
                Err(skip) => input.skips.push(skip),
            }
        }
        input.range = start..surveyed.classes.len();
        surveyed.inputs.push(input);
        bar.next(source.entries);
    }
    Ok(surveyed)
}
