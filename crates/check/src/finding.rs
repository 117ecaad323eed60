//! What a check says, and why a comparison ends early.

use std::collections::BTreeSet;
use std::fmt;

/// What one class came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Without its probes it is the original. The ids that its probes pass.
    Equal(BTreeSet<u32>),
    /// It is not.
    Fault(Fault),
    /// The reader refuses the original, or knows too little of something in it: why.
    NotChecked(String),
}

/// The first difference in a class that no probe explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `run(I)V`; none where it is about the class itself.
    pub method: Option<String>,
    /// Where in the method's code: the bci in the output, or in the original where that is said.
    pub bci: Option<usize>,
    /// What differs.
    pub what: String,
}

impl Fault {
    /// One of the class, or of a method whose name is yet to be added.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { method: None, bci: None, what: what.into() }
    }

    /// One at a place in code.
    pub(crate) fn at(bci: usize, what: impl Into<String>) -> Self {
        Self { bci: Some(bci), ..Self::new(what) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(method) = &self.method {
            write!(f, "method {method}: ")?;
        }
        if let Some(bci) = self.bci {
            write!(f, "bci {bci}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// Something that is said of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The entry, with those around it: `BOOT-INF/lib/x.jar!com/acme/Foo.class`; empty for the
    /// container.
    pub place: String,
    /// The sentence.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => f.write_str(&self.what),
            place => write!(f, "{place}: {}", self.what),
        }
    }
}

/// What a container came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Entries, or files, that were compared, those of nested jars too.
    pub entries: usize,
    /// Changed classes that are the original without their probes.
    pub equal: usize,
    /// Changed classes, or whole containers, that the readers refuse: no faults.
    pub not_checked: Vec<Finding>,
    /// What is not as it must be.
    pub faults: Vec<Finding>,
    /// The ids of the probes in the classes that are equal.
    pub ids: BTreeSet<u32>,
}

impl Outcome {
    /// An outcome with one fault, at the container itself.
    pub(crate) fn fault(what: impl Into<String>) -> Self {
        Self {
            faults: vec![Finding { place: String::new(), what: what.into() }],
            ..Self::default()
        }
    }

    /// An outcome of one thing that was not checked, at the container itself.
    pub(crate) fn unchecked(what: impl Into<String>) -> Self {
        Self {
            not_checked: vec![Finding { place: String::new(), what: what.into() }],
            ..Self::default()
        }
    }

    /// Whether nothing is wrong.
    pub fn is_fine(&self) -> bool {
        self.faults.is_empty()
    }

    /// Adds what another part came to.
    pub fn absorb(&mut self, other: Self) {
        self.entries += other.entries;
        self.equal += other.equal;
        self.not_checked.extend(other.not_checked);
        self.faults.extend(other.faults);
        self.ids.extend(other.ids);
    }

    /// The same with `name` in front of each place.
    pub(crate) fn below(mut self, name: &str) -> Self {
        for finding in self.not_checked.iter_mut().chain(&mut self.faults) {
            finding.place = match finding.place.as_str() {
                "" => name.to_owned(),
                inner => format!("{name}!{inner}"),
            };
        }
        self
    }
}

/// Why a comparison ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Something differs.
    Fault(Fault),
    /// Something is not known well enough to be compared.
    NotChecked(String),
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
