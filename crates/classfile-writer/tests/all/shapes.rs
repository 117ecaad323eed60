//! javac's code, spliced in every way: it must link and do the same.

use crate::support::stress::{Mode, Outcome, splice_all};
use crate::support::{Jvm, Named};
use jfathom_testkit::jdk;

const MODES: [Mode; 4] = [Mode::Rewrite, Mode::Nops, Mode::Probes, Mode::Grow { rarity: 0 }];

fn splice_set(classes: &[Named], mode: Mode) -> (Vec<Named>, Outcome) {
    let mut outcome = Outcome::default();
    let spliced = classes
        .iter()
        .map(|(name, class)| (name.clone(), splice_all(class, mode, &mut outcome)))
        .collect();
    (spliced, outcome)
}

#[test]
fn spliced_classes_link_and_do_the_same() {
    let mut jvm = Jvm::new();
    let mut compiled = vec![jvm.shapes("-g"), jvm.shapes("-g:none")];
    for classes in &mut compiled {
        classes.sort();
    }
    for round in 0..2 {
        for classes in &compiled {
            let spliced: Vec<(Vec<Named>, Outcome)> =
                MODES.iter().map(|&mode| splice_set(classes, mode)).collect();
            assert_eq!(spliced[0].0, *classes, "rewriting without edits must not change a byte");
            for (mode, (_, outcome)) in MODES.iter().zip(&spliced) {
                // A condition with 20,000 bytes on either side that no frame interrupts has no
                // place for a trampoline.
                let refusals = if matches!(mode, Mode::Grow { .. }) { 2 } else { 0 };
                assert!(
                    outcome.spliced > 10 && outcome.refused <= refusals,
                    "{mode:?}: {outcome:?}"
                );
            }
            let mut sets: Vec<&[Named]> = vec![classes];
            sets.extend(spliced.iter().skip(1).map(|(set, _)| &set[..]));
            assert_eq!(jvm.link(&sets), classes.len());
            let results = jvm.run("Shapes", &sets);
            assert_eq!(results.len(), sets.len());
            assert!(results[0].len() > 300, "{}", results[0]);
            for result in &results {
                assert_eq!(result, &results[0]);
            }
        }
        match jdk::jdk25("spliced shapes") {
            Some(jdk) if round == 0 => jvm = jvm.with_java(jdk.java()),
            _ => break,
        }
    }
}
