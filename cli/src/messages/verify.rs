//! User messages of `verify`.

use jfathom_instrument::Linking;
use jfathom_report::number::{counted, grouped};

const OK: &str = "ok";
const MISSING: &str = "missing";

/// The differences and a summary, and whether any class links worse.
pub(crate) fn text(linking: &Linking, verbose: bool) -> (String, bool) {
    let java = linking.java_home.display();
    let mut text = String::new();
    let (mut worse, mut other, mut never) = (0_usize, 0_usize, 0_usize);
    for (class, before) in &linking.originals {
        let after = linking.rewritten.get(class).map_or(MISSING, String::as_str);
        let mut line = |what: &str| {
            put_line!(text, "{class}: {what}");
            put_line!(text, "  original:  {before}");
            put_line!(text, "  rewritten: {after}");
        };
        match (before.as_str(), after) {
            (OK, OK) => {}
            (OK, _) => {
                worse += 1;
                line("links worse");
            }
            (_, OK) => {
                other += 1;
                line("links better");
            }
            (before, after) if kind(before) != kind(after) => {
                other += 1;
                line("fails otherwise");
            }
            _ => {
                never += 1;
                if verbose {
                    put_line!(text, "{class}: links in neither: {before}");
                }
            }
        }
    }
    let total = counted(linking.originals.len(), "class", "classes");
    match (worse, other) {
        (0, 0) => put_line!(text, "{total}: all link as before, on {java}"),
        (0, other) => put_line!(
            text,
            "{total}: none links worse, {} otherwise, on {java}",
            grouped(other as u64)
        ),
        (worse, _) => put_line!(
            text,
            "{total}: {} worse than before, on {java}",
            counted(worse, "links", "link")
        ),
    }
    if never > 0 {
        let hint = if verbose { "" } else { " (-v lists them; -cp adds libraries)" };
        put_line!(text, "{} in neither{hint}", counted(never, "links", "link"));
    }
    (text, worse > 0)
}

/// The class of an error without its message, which may name places in the code.
fn kind(outcome: &str) -> &str {
    outcome.split(':').next().unwrap_or(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(rows: &[(&str, &str, &str)]) -> (String, bool) {
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
    fn only_worse_classes_fail() {
        let error = "java.lang.VerifyError: Bad at 3";
        for (rows, worse, words) in [
            (&[("A", OK, OK), ("B", OK, OK)][..], false, "2 classes: all link as before"),
            (
                &[("A", OK, error)],
                true,
                "A: links worse\n  original:  ok\n  rewritten: java.lang.VerifyError: Bad at 3\n1 class: 1 links worse",
            ),
            (&[("A", OK, ""), ("B", OK, error)], true, "2 link worse than before"),
            (&[("A", error, OK)], false, "A: links better"),
            (&[("A", error, "java.lang.VerifyError: Bad at 7")], false, "1 links in neither"),
            (&[("A", error, "java.lang.NoClassDefFoundError: x")], false, "A: fails otherwise"),
            (&[("A", OK, OK), ("", "", OK)], false, "1 class: all link as before"),
        ] {
            let (text, is_worse) = compare(rows);
            assert!(text.contains(words), "{words} in {text}");
            assert_eq!(is_worse, worse, "{text}");
        }
    }
}
