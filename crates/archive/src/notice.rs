//! What the user should know though nothing failed.

use std::fmt;
use std::path::PathBuf;

use crate::Location;

/// Something unusual that did not end the work. `place` is where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Notice {
    /// The jar was signed and its content changed: signature files and digests were left out.
    SignaturesDropped {
        /// The jar.
        place: Location,
        /// How many signature files (`.SF`, `.RSA`, `.DSA`, `.EC`, `SIG-*`) were left out.
        files: usize,
    },
    /// The container holds several files of one name; all were kept and treated alike.
    DuplicateName {
        /// The entry.
        place: Location,
        /// How many entries have the name.
        count: usize,
    },
    /// The jar holds classes for several Java releases (`META-INF/versions/N/`).
    MultiRelease {
        /// The jar.
        place: Location,
        /// The releases, ascending.
        releases: Vec<u16>,
    },
    /// An entry of the manifest's `Class-Path` was not followed.
    ClassPathOutside {
        /// The jar with the manifest.
        place: Location,
        /// The entry as the manifest has it.
        entry: String,
        /// Why it was not followed.
        reason: OutsideReason,
    },
    /// An input has more than one name: the user's, and those by which a `Class-Path` finds it.
    SeveralNames {
        /// The input.
        place: Location,
        /// Its path below the output directory.
        output: PathBuf,
        /// The paths of links to it.
        links: Vec<PathBuf>,
    },
    /// An input that was named goes elsewhere than its file name says, as others have the same.
    PlacedApart {
        /// The input.
        place: Location,
        /// Its path below the output directory.
        output: PathBuf,
    },
    /// An entry could not be read and was kept as it is.
    EntryUnreadable {
        /// The entry.
        place: Location,
        /// What is wrong with it.
        reason: String,
    },
    /// A nested jar could not be opened and was kept as it is.
    NestedUnreadable {
        /// The nested jar.
        place: Location,
        /// What is wrong with it.
        reason: String,
    },
    /// A nested jar is deeper than [`Limits::nesting`](crate::Limits::nesting) and was kept as it
    /// is.
    NestedTooDeep {
        /// The nested jar.
        place: Location,
    },
    /// An entry's name could lead out of the output directory, so no file was written for it.
    UnsafeName {
        /// The entry.
        place: Location,
    },
}

/// Why an entry of a `Class-Path` was not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutsideReason {
    /// It is absolute or a URL with a scheme.
    Absolute,
    /// Its copy would lie outside the output directory.
    AboveOutput,
    /// There is no such file.
    Missing,
    /// The file is neither a zip file nor a directory.
    Unreadable,
    /// It is a directory around other inputs, such as `.`.
    AroundInputs,
    /// The same file has as many names as it gets.
    Elsewhere,
    /// Another input goes there.
    Taken,
}

impl Notice {
    /// Where it is.
    pub fn place(&self) -> &Location {
        match self {
            Notice::SignaturesDropped { place, .. }
            | Notice::DuplicateName { place, .. }
            | Notice::MultiRelease { place, .. }
            | Notice::ClassPathOutside { place, .. }
            | Notice::SeveralNames { place, .. }
            | Notice::PlacedApart { place, .. }
            | Notice::EntryUnreadable { place, .. }
            | Notice::NestedUnreadable { place, .. }
            | Notice::NestedTooDeep { place }
            | Notice::UnsafeName { place } => place,
        }
    }
}

impl fmt::Display for OutsideReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutsideReason::Absolute => "it is absolute or a URL",
            OutsideReason::AboveOutput => "it leads out of the output directory",
            OutsideReason::Missing => "there is no such file",
            OutsideReason::Unreadable => "it is neither a readable zip file nor a directory",
            OutsideReason::AroundInputs => "it is a directory around other inputs",
            OutsideReason::Elsewhere => {
                "the same file is an input already, under as many names as it gets"
            }
            OutsideReason::Taken => "another input goes to the place where it is looked for",
        })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place())?;
        match self {
            Notice::SignaturesDropped { files: 1, .. } => {
                write!(
                    f,
                    "was signed; its signature file and the digests in its manifest were left out"
                )
            }
            Notice::SignaturesDropped { files, .. } => {
                write!(
                    f,
                    "was signed; its {files} signature files and the digests in its manifest were \
                     left out"
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
            Notice::SeveralNames { output, links, .. } => {
                let links: Vec<_> = links.iter().map(|link| link.display().to_string()).collect();
                write!(f, "goes to {}, where {} will lead, too", output.display(), links.join(", "))
            }
            Notice::PlacedApart { output, .. } => {
                write!(f, "goes to {}: another input has its name", output.display())
            }
            Notice::EntryUnreadable { reason, .. } => write!(f, "kept as it is: {reason}"),
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
