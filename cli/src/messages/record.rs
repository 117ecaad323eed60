//! User messages of `record`.

use crate::java::NATIVE_CLOCK;
use jfathom_collector::RecordingSummary;
use jfathom_plan::shell_words;
use jfathom_report::number::{counted, seconds};
use std::path::Path;

/// The result of a recording, in one line.
pub(crate) fn summary(recording: &RecordingSummary) -> String {
    let files: Vec<String> =
        recording.profiles.iter().map(|path| path.display().to_string()).collect();
    // Slices may be many.
    let named = match &files[..] {
        [first, _, _, .., last] => format!("{} profiles from {first} to {last}", files.len()),
        few => few.join(", "),
    };
    let runs = match recording.runs {
        0 | 1 => String::new(),
        runs => format!(", {runs} runs"),
    };
    format!(
        "{} of {}{runs} in {}: {}; `jfathom report {}` shows it",
        counted(recording.records, "record", "records"),
        counted(recording.jvms, "JVM", "JVMs"),
        seconds(recording.elapsed),
        named,
        shell_words(&[files.first().map_or("profile.jfp", String::as_str)])
    )
}

/// A warning that JVMs behind `command` get no flags; `None` if they need none. `needed` are the
/// flags that the rewritten files cannot run without. `java` is the feature version of the JVM.
pub(crate) fn no_flags(command: &str, needed: &[String], java: Option<u32>) -> Option<String> {
    if !needed.is_empty() {
        return Some(format!(
            "`{command}` is not `java`, so its JVMs do not get the flags that the rewritten files \
             need ({}): put them into it, or use --use-java-tool-options",
            needed.join(" ")
        ));
    }
    let may_be_slower = java.is_none_or(|java| java >= NATIVE_CLOCK);
    may_be_slower.then(|| {
        format!(
            "`{command}` is not `java`, so its JVMs get no flags: JDK {NATIVE_CLOCK} and later then \
             use the slower clock, unless the jar manifest allows native access \
             (--use-java-tool-options reaches them)"
        )
    })
}

/// A warning that roots-only runs use the class files of full runs.
pub(crate) fn no_roots_only_files(reason: &str) -> String {
    format!(
        "roots-only runs keep the other probes, switched off: a mostly cold program takes up to a \
         fifth longer with them ({reason})"
    )
}

/// A warning that all methods read what some are to read.
pub(crate) const ALLOC_TWICE: &str = "+alloc of --probe changes nothing: with --metrics alloc all methods that are timed \
                                      read what they allocate";

/// A warning that JFR will miss samples.
pub(crate) const SAMPLES_MISSED: &str = "--clock tsc: before Java 25, JFR misses most samples of a thread in which many \
                                         probes read that clock; --clock auto takes another";

/// A notice that the class files of roots-only runs were not removed.
pub(crate) fn folder_stays(folder: &Path) -> String {
    format!(
        "{} stays, since a running process loads classes from it; the next such recording removes \
         it\n",
        folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slower_clock_is_named_only_where_it_is_possible() {
        let says = |needed: &[String], java| no_flags("gradlew", needed, java).unwrap_or_default();
        assert_eq!(says(&[], Some(17)), "");
        for java in [None, Some(22), Some(25)] {
            assert!(says(&[], java).contains("slower clock"));
        }
        let needed = ["-Xbootclasspath/a:x.jar".to_owned()];
        let text = says(&needed, Some(17));
        assert!(text.contains("need (-Xbootclasspath/a:x.jar)"), "{text}");
    }
}
