//! User messages of `verify`.

use jfathom_instrument::{LinkChange, LinkedClass, Linking};
use jfathom_report::number::{counted, grouped};

/// The differences and a summary.
pub(crate) fn text(linking: &Linking, verbose: bool) -> String {
    let mut text = String::new();
    for class in linking.classes() {
        match class.change {
            LinkChange::Linked => {}
            LinkChange::Worse => difference(&mut text, class, "links worse"),
            LinkChange::Better => difference(&mut text, class, "links better"),
            LinkChange::OtherError => difference(&mut text, class, "fails with another error"),
            LinkChange::NeverLinked if verbose => {
                put_line!(text, "{}: links in neither: {}", class.name, class.original);
            }
            LinkChange::NeverLinked => {}
        }
    }
    summary(&mut text, linking, verbose);
    text
}

fn difference(text: &mut String, class: LinkedClass<'_>, what: &str) {
    put_line!(text, "{}: {what}", class.name);
    put_line!(text, "  original:  {}", class.original);
    put_line!(text, "  rewritten: {}", class.rewritten);
}

fn summary(text: &mut String, linking: &Linking, verbose: bool) {
    let count = |change| linking.classes().filter(|class| class.change == change).count();
    let java = linking.java_home.display();
    let total = counted(linking.originals.len(), "class", "classes");
    match (count(LinkChange::Worse), count(LinkChange::Better) + count(LinkChange::OtherError)) {
        (0, 0) => put_line!(text, "{total}: all link as before, on {java}"),
        (0, other) => {
            let other = grouped(other as u64);
            put_line!(text, "{total}: none links worse, {other} differently, on {java}");
        }
        (worse, _) => {
            let worse = counted(worse, "links", "link");
            put_line!(text, "{total}: {worse} worse than before, on {java}");
        }
    }
    let never = count(LinkChange::NeverLinked);
    if never > 0 {
        let hint = if verbose { "" } else { " (-v lists them; -cp adds libraries)" };
        put_line!(text, "{} in neither{hint}", counted(never, "links", "link"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text for classes with the outcomes of original and output; an empty one is missing.
    fn compare(rows: &[(&str, &str, &str)]) -> String {
        let half = |pick: fn(&(&str, &str, &str)) -> String| {
            rows.iter()
                .map(|row| (row.0.to_owned(), pick(row)))
                .filter(|(_, outcome)| !outcome.is_empty())
                .collect()
        };
        let linking = Linking {
            java_home: "java".into(),
            originals: half(|row| row.1.to_owned()),
            rewritten: half(|row| row.2.to_owned()),
        };
        text(&linking, false)
    }

    #[test]
    fn differences_come_with_both_outcomes() {
        let error = "java.lang.VerifyError: Bad at 3";
        for (rows, words) in [
            (&[("A", "ok", "ok"), ("B", "ok", "ok")][..], "2 classes: all link as before"),
            (
                &[("A", "ok", error)],
                "A: links worse\n  original:  ok\n  rewritten: java.lang.VerifyError: Bad at 3\n1 class: 1 links worse",
            ),
            (&[("A", "ok", ""), ("B", "ok", error)], "2 link worse than before"),
            (&[("A", error, "ok")], "A: links better"),
            (&[("A", error, "java.lang.VerifyError: Bad at 7")], "1 links in neither"),
            (&[("A", error, "x.Other: y")], "A: fails with another error"),
            (&[("A", error, "x.Other: y")], "1 class: none links worse, 1 differently"),
        ] {
            let text = compare(rows);
            assert!(text.contains(words), "{words} in {text}");
        }
    }
}
