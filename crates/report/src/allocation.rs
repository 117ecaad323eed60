//! What threads have allocated, in a sentence and in cells.

use crate::number::size;
use jfathom_profile::{AllocationSource, Bytes, Method, Profile};
use std::io::{self, Write};

/// Writes how much threads have allocated in all, if it was asked for, and what is missing.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let source = match profile.allocation.source {
        AllocationSource::Unasked => return Ok(()),
        AllocationSource::Fields => "exact by call (the JVM's own counts, by their fields)",
        AllocationSource::Bean => "exact by call (the JVM's own counts, by its bean)",
        AllocationSource::Either => {
            "exact by call (the JVM's own counts, in some JVMs by fields, in others by the bean)"
        }
        AllocationSource::Partly => "and more: not all that was added up has recorded them",
    };
    let tree = &profile.tree;
    let all: Bytes = tree.roots().map(|root| tree.total_allocated(root)).sum();
    write!(out, "alloc     {} on the Java heap, {source}", size(all.0))?;
    if profile.has_unread() {
        write!(
            out,
            "; only some methods read them (-: not known), with the bytes of callees that do not"
        )?;
    } else if profile.methods.iter().any(Method::is_only_counted) {
        write!(out, "; those of counted calls are in their callers (-: not known)")?;
    }
    let quality = &profile.quality;
    let has_losses = quality.lost_records | quality.lost_waiting | quality.lost_with_collector != 0;
    if has_losses {
        write!(out, "; records were lost, and with them some of the bytes")?;
    }
    if profile
        .tree
        .roots()
        .any(|root| is_virtual(profile, root) && tree.total_allocated(root).0 > 0)
    {
        write!(
            out,
            "; on virtual threads the bytes of the carrier since its last record, also those of other \
             threads meanwhile"
        )?;
    }
    match profile.allocation.unattributed {
        Bytes(0) => writeln!(out),
        bytes => writeln!(out, "; up to {} more are in no method", size(bytes.0)),
    }
}

fn is_virtual(profile: &Profile, root: jfathom_profile::NodeIx) -> bool {
    match profile.tree.frame(root) {
        jfathom_profile::Frame::Thread(thread) => profile.thread(thread).is_virtual(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Section, View};
    use jfathom_profile::Allocation;
    use jfathom_testkit::{profiles::one_thread, records::*};
    use jfathom_trace::record::Record;

    fn profile(source: AllocationSource) -> Profile {
        let a = |bytes| Record::Allocated { bytes };
        let (first, second) = ([e(0, 10), a(1_500), e(1, 20)], [a(2_000_000), r(1, 30), r(0, 40)]);
        let mut profile = one_thread(&[first, second].concat());
        profile.allocation = Allocation { source, unattributed: Bytes(0) };
        profile
    }

    fn sentence(profile: &Profile) -> String {
        let mut out = Vec::new();
        write(profile, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn it_is_said_only_if_it_was_asked_for() {
        assert_eq!(sentence(&profile(AllocationSource::Unasked)), "");
        let mut profile = profile(AllocationSource::Fields);
        let whole = "alloc     2.0 MB on the Java heap, exact by call (the JVM's own counts, by their fields)";
        assert_eq!(sentence(&profile), format!("{whole}\n"));
        profile.allocation.unattributed = Bytes(70_000);
        profile.quality.lost_waiting = 3;
        let text = sentence(&profile);
        assert!(text.starts_with(whole) && text.contains("records were lost"), "{text}");
        assert!(text.ends_with("; up to 70.0 kB more are in no method\n"), "{text}");
        profile.allocation.source = AllocationSource::Partly;
        assert!(sentence(&profile).contains("and more: not all"));
    }

    /// Text, JSON: never a zero in place of a number that nobody knows.
    #[test]
    fn what_was_not_read_has_no_number() {
        let mut profile = profile(AllocationSource::Fields);
        profile.set_alloc_reading(|_| false);
        assert!(sentence(&profile).contains("; only some methods read them (-: not known)"));
        let mut out = Vec::new();
        let sections = [Section::Overview, Section::Hot, Section::Tree, Section::Rows];
        crate::text(&profile, &sections, &View::default(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("without a record or a reading"), "{text}");
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("p.C::m1")).collect();
        assert!(lines.len() >= 3, "{text}");
        for line in lines {
            assert_eq!(line.split_whitespace().filter(|cell| *cell == "-").count(), 2, "{line}");
        }
        let mut out = Vec::new();
        crate::json(&profile, &View::default(), &mut out).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
        for (list, own) in [("methods", "self"), ("tree", "total")] {
            let numbers = json[list].as_array().unwrap().iter();
            let numbers: Vec<_> = numbers.map(|of| of["columns"]["alloc"][own].as_u64()).collect();
            assert!(numbers.ends_with(&[Some(2_001_500), None]), "{list}: {numbers:?}");
        }
    }

    #[test]
    fn what_is_only_counted_has_no_number() {
        let mut profile = one_thread(&[e(0, 10), alloc(1_500), counted(1, 3), r(0, 40)]);
        profile.allocation.source = AllocationSource::Fields;
        let text = sentence(&profile);
        assert!(
            text.contains("; those of counted calls are in their callers (-: not known)"),
            "{text}"
        );
        let mut out = Vec::new();
        crate::text(&profile, &[Section::Hot, Section::Tree], &View::default(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("p.C::m1")).collect();
        assert_eq!(lines.len(), 2, "{text}");
        for line in lines {
            assert!(line.split_whitespace().filter(|cell| *cell == "-").count() >= 2, "{line}");
        }
        let mut out = Vec::new();
        crate::json(&profile, &View::default(), &mut out).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
        for list in ["methods", "tree"] {
            for key in ["self", "total"] {
                let rows = json[list].as_array().unwrap().iter();
                let numbers: Vec<_> = rows.map(|of| of["columns"]["alloc"][key].as_u64()).collect();
                assert!(numbers.ends_with(&[Some(1_500), None]), "{list} {key}: {numbers:?}");
            }
        }
    }

    #[test]
    fn tables_have_columns_of_bytes() {
        let text = |profile: &Profile, width: Option<usize>| {
            let view = View { width, ..View::default() };
            let mut out = Vec::new();
            crate::text(profile, &[Section::Hot, Section::Tree], &view, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let wide = text(&profile(AllocationSource::Bean), None);
        let tree = "  2.0 MB      1.5 kB    p.C::m0";
        assert!(wide.contains("alloc  alloc self  call path") && wide.contains(tree), "{wide}");
        assert!(wide.contains("alloc self   alloc  method"), "{wide}");
        let narrow = text(&profile(AllocationSource::Bean), Some(80));
        assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
        assert!(narrow.contains("alloc self  method") && narrow.contains("alloc  call path"));
        let without = text(&profile(AllocationSource::Unasked), None);
        assert!(!without.contains("alloc"), "{without}");
    }
}
