//! Notices: unusual facts about a container.

use std::fmt;
use std::path::PathBuf;

use crate::Location;

/// An unusual fact that is no error, with its location.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Notice {
    /// The jar was signed and its content changed. Signature files and digests were left out.
    SignaturesDropped {
        /// The jar.
        location: Location,
        /// Number of signature files (`.SF`, `.RSA`, `.DSA`, `.EC`, `SIG-*`) that were left out.
        files: usize,
    },
    /// The jar has an index, which does not name the entries that were added.
    Index {
        /// The jar.
        location: Location,
        /// Whether it was left out. It stays where it names jars that the `Class-Path` does not.
        dropped: bool,
    },
    /// The container has several files of one name. All are copied and treated alike.
    DuplicateName {
        /// The entry.
        location: Location,
        /// Number of entries with the name.
        count: usize,
    },
    /// The jar has classes for several Java releases (`META-INF/versions/N/`).
    MultiRelease {
        /// The jar.
        location: Location,
        /// The releases, ascending.
        releases: Vec<u16>,
    },
    /// An entry of the jar manifest's `Class-Path` was not followed.
    ClassPathOutside {
        /// The jar with the manifest.
        location: Location,
        /// The entry as the manifest has it.
        entry: String,
        /// Why it was not followed.
        reason: OutsideReason,
    },
    /// An entry of a class path that cannot be read. The JVM passes over it, too.
    PassedOver {
        /// The entry.
        location: Location,
        /// Why.
        problem: String,
    },
    /// An input has more than one name: the user's, and those by which a `Class-Path` finds it.
    SeveralNames {
        /// The input.
        location: Location,
        /// Its path below the output directory.
        output: PathBuf,
        /// The paths of links to it.
        links: Vec<PathBuf>,
    },
    /// The output of an input has another path than its file name, because other inputs have the
    /// same file name.
    PlacedApart {
        /// The input.
        location: Location,
        /// Its path below the output directory.
        output: PathBuf,
    },
    /// An entry could not be read and is copied unchanged.
    EntryUnreadable {
        /// The entry.
        location: Location,
        /// Why.
        reason: String,
    },
    /// What a directory has under this name is no plain file, or cannot be reached: it is neither
    /// read nor copied.
    LeftOut {
        /// The entry.
        location: Location,
        /// Why.
        reason: String,
    },
    /// A nested jar could not be opened and is copied unchanged.
    NestedUnreadable {
        /// The nested jar.
        location: Location,
        /// Why.
        reason: String,
    },
    /// A nested jar is deeper than [`Limits::nesting`](crate::Limits::nesting) and is copied
    /// unchanged.
    NestedTooDeep {
        /// The nested jar.
        location: Location,
    },
    /// An entry's name could lead out of the output directory, so no file was written for it.
    UnsafeName {
        /// The entry.
        location: Location,
    },
}

/// Why an entry of a `Class-Path` was not followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutsideReason {
    /// It is absolute or a URL with a scheme.
    Absolute,
    /// Its copy would lie outside the output directory.
    AboveOutput,
    /// There is no such file.
    Missing,
    /// It cannot be read. The text says why.
    Unreadable(String),
    /// It is a directory that contains other inputs, such as `.`.
    AroundInputs,
    /// The same file already has the largest number of names.
    Elsewhere,
    /// Another input has this output path.
    Taken,
}

impl Notice {
    /// Its location.
    pub fn location(&self) -> &Location {
        match self {
            Notice::SignaturesDropped { location, .. }
            | Notice::Index { location, .. }
            | Notice::DuplicateName { location, .. }
            | Notice::MultiRelease { location, .. }
            | Notice::ClassPathOutside { location, .. }
            | Notice::PassedOver { location, .. }
            | Notice::SeveralNames { location, .. }
            | Notice::PlacedApart { location, .. }
            | Notice::EntryUnreadable { location, .. }
            | Notice::LeftOut { location, .. }
            | Notice::NestedUnreadable { location, .. }
            | Notice::NestedTooDeep { location }
            | Notice::UnsafeName { location } => location,
        }
    }
}

impl fmt::Display for OutsideReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutsideReason::Absolute => "it is absolute or a URL",
            OutsideReason::AboveOutput => "it leads out of the output directory",
            OutsideReason::Missing => "there is no such file",
            OutsideReason::Unreadable(problem) => return f.write_str(problem),
            OutsideReason::AroundInputs => "it is a directory around other inputs",
            OutsideReason::Elsewhere => {
                "the same file is an input already, under as many names as it gets"
            }
            OutsideReason::Taken => "another input goes to the location where it is looked for",
        })
    }
}

/// What a dropped signature may lead to.
const SIGNED_PACKAGES: &str = "Where another signed jar has classes of the same packages, the JVM refuses them \
     (SecurityException: signer information does not match): rewrite that jar, too";

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.location())?;
        match self {
            Notice::SignaturesDropped { files: 1, .. } => {
                write!(
                    f,
                    "was signed; its signature file and the digests in its manifest were left out. \
                     {SIGNED_PACKAGES}"
                )
            }
            Notice::SignaturesDropped { files, .. } => {
                write!(
                    f,
                    "was signed; its {files} signature files and the digests in its manifest were \
                     left out. {SIGNED_PACKAGES}"
                )
            }
            Notice::Index { dropped: true, .. } => {
                write!(f, "META-INF/INDEX.LIST was left out: it does not name what was added")
            }
            Notice::Index { dropped: false, .. } => {
                write!(
                    f,
                    "META-INF/INDEX.LIST names jars that Class-Path does not: on Java 17 and \
                     earlier, rewritten methods of other jars may have no name"
                )
            }
            Notice::DuplicateName { count, .. } => {
                write!(f, "occurs {count} times; all copies were kept")
            }
            Notice::MultiRelease { releases, .. } => {
                let releases: Vec<_> = releases.iter().map(u16::to_string).collect();
                write!(f, "multi-release jar, with classes for {}", releases.join(", "))
            }
            Notice::ClassPathOutside { entry, reason, .. } => {
                write!(f, "Class-Path entry {} not followed: {reason}", entry.escape_debug())
            }
            Notice::PassedOver { problem, .. } => {
                write!(f, "passed over on the class path: {problem}")
            }
            Notice::SeveralNames { output, links, .. } => {
                let links: Vec<_> = links.iter().map(|link| link.display().to_string()).collect();
                write!(f, "goes to {}, where {} will lead, too", output.display(), links.join(", "))
            }
            Notice::PlacedApart { output, .. } => {
                write!(f, "goes to {}: another input has its name", output.display())
            }
            Notice::EntryUnreadable { reason, .. } => write!(f, "kept as it is: {reason}"),
            Notice::LeftOut { reason, .. } => write!(f, "left out: {reason}"),
            Notice::NestedUnreadable { reason, .. } => {
                write!(f, "nested archive kept as it is: {reason}")
            }
            Notice::NestedTooDeep { .. } => {
                write!(f, "nested archive kept as it is: it is nested too deep")
            }
            Notice::UnsafeName { .. } => {
                write!(f, "not written: its name is not a path below the output directory")
            }
        }
    }
}
