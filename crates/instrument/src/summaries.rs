//! Class summaries of the inputs, read in parallel.

use crate::{error::Result, progress::StageProgress, selection::Selection, sources::Source};
use jfathom_archive::{EntryId, EntryName, Notice, Work};
use jfathom_plan::{ClassSummary, IdRange, Plan, RegionSelector, Skip, add_meta_annotations};
use jfathom_rewriter::Digests;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// The classes to read.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'a> {
    /// All.
    Whole,
    /// Those whose internal name satisfies this.
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

/// The class summaries of all inputs, in the order of the inputs.
pub(crate) struct Summaries {
    /// One per class that was requested and readable.
    pub(crate) classes: Vec<ClassSummary>,
    /// The names of the classes that were read, unless all were requested.
    part: Option<HashSet<String>>,
    inputs: Vec<InputSummaries>,
    digests: Digests,
    /// Regions that need lines.
    regions: Vec<RegionSelector>,
    /// Classes that some container has for several releases of Java.
    pub(crate) versioned: HashSet<String>,
    /// Notices of the archive crate.
    pub(crate) notices: Vec<Notice>,
}

#[derive(Default)]
struct InputSummaries {
    range: Range<usize>,
    /// Indices of the summaries.
    by_entry: HashMap<EntryId, usize>,
    /// Indices of those in library jars inside of it.
    libraries: HashSet<usize>,
    skips: Vec<Skip>,
}

impl Summaries {
    /// No classes yet. Only what is written needs digests.
    pub(crate) fn new(digests: Digests, selection: &Selection) -> Self {
        Self {
            classes: Vec::new(),
            part: None,
            inputs: Vec::new(),
            digests,
            regions: selection.regions.iter().chain(&selection.root_regions).cloned().collect(),
            versioned: HashSet::new(),
            notices: Vec::new(),
        }
    }

    /// Adds annotations of annotations, if selectors ask for annotations. All classes must be here.
    pub(crate) fn add_meta_annotations(&mut self, selection: &Selection) {
        if selection.has_annotations() {
            add_meta_annotations(&mut self.classes);
        }
    }

    /// The indices of the input's classes.
    pub(crate) fn range(&self, input: usize) -> Range<usize> {
        self.inputs.get(input).map_or(0..0, |input| input.range.clone())
    }

    /// The index of the class in an entry of the input; `None` if it could not be read.
    pub(crate) fn class_at(&self, input: usize, entry: &EntryId) -> Option<usize> {
        self.inputs.get(input)?.by_entry.get(entry).copied()
    }

    /// Whether the class with this index lies in a library jar inside of the input.
    pub(crate) fn is_in_library(&self, input: usize, class: usize) -> bool {
        self.inputs.get(input).is_some_and(|input| input.libraries.contains(&class))
    }

    /// The input's classes that could not be read.
    pub(crate) fn skips(&self, input: usize) -> &[Skip] {
        self.inputs.get(input).map_or(&[], |input| &input.skips)
    }

    /// The range of the ids of the input's methods.
    pub(crate) fn ids(&self, input: usize, plan: &Plan) -> IdRange {
        let classes = plan.classes.get(self.range(input)).unwrap_or_default();
        let mut ranges = classes.iter().filter_map(|class| class.ids());
        let first = ranges.next();
        let start = first.map_or(plan.ids.start, |first| first.start);
        let end = ranges.next_back().or(first).map_or(start, IdRange::end);
        IdRange { start, len: end - start }
    }

    /// Whether all classes of the inputs were requested.
    pub(crate) fn is_whole(&self) -> bool {
        self.part.is_none()
    }

    /// Classes that cannot be read.
    pub(crate) fn unreadable(&self) -> impl Iterator<Item = &Skip> {
        self.inputs.iter().flat_map(|input| &input.skips)
    }

    /// Whether an entry can hold a summarized class.
    pub(crate) fn can_hold(&self, entry: &EntryName) -> bool {
        let Some(part) = &self.part else { return true };
        entry.class_name().is_some_and(|name| part.contains(name))
    }

    /// Summarizes the classes of the next input.
    pub(crate) fn add(
        &mut self,
        source: &Source,
        extent: Extent<'_>,
        work: Work<'_>,
        progress: &StageProgress<'_>,
    ) -> Result<()> {
        let report = |done| progress.report(done);
        let digests = self.digests;
        let regions = &self.regions;
        let visited = source.input.visit_some(
            &Work { progress: Some(&report), ..work },
            |name| extent.wants(name),
            |entry, bytes| {
                let mut summary =
                    jfathom_rewriter::summarize(bytes, digests).map_err(|mut skip| {
                        if skip.class.is_empty() {
                            skip.class = entry
                                .name()
                                .class_name()
                                .map_or_else(|| entry.name().to_string(), str::to_owned);
                        }
                        skip
                    });
                if let Ok(class) = &mut summary
                    && regions.iter().any(|region| region.method.can_select_in(&class.name))
                {
                    jfathom_rewriter::add_lines(bytes, class);
                }
                let versioned =
                    entry.name().as_str().is_some_and(|name| name.contains("META-INF/versions/"));
                let is_in_library = entry.container().inside().iter().any(is_library);
                (entry.id().clone(), versioned, is_in_library, summary)
            },
        )?;
        self.notices.extend(visited.notices);
        let start = self.classes.len();
        let mut input = InputSummaries::default();
        for (entry, versioned, is_in_library, summary) in visited.values {
            match summary {
                Ok(class) => {
                    if is_in_library {
                        input.libraries.insert(self.classes.len());
                    }
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
        progress.next_input(source.entries);
        Ok(())
    }
}

/// Whether a jar lies in the library folder of a war, an executable jar of Spring Boot, or an ear.
fn is_library(jar: &EntryName) -> bool {
    const FOLDERS: [&[u8]; 3] = [b"WEB-INF/lib/", b"BOOT-INF/lib/", b"lib/"];
    FOLDERS.iter().any(|folder| jar.as_bytes().starts_with(folder))
}
