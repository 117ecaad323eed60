//! Archives of classes that the program's JVM has of its own: they stay as they are.

use crate::failure::usage;
use anyhow::Result;
use jfathom_collector::{JavaCommand, JvmArchives};
use std::ffi::OsString;

/// The archives of a command's JVM.
pub(crate) fn of(command: &[OsString]) -> JvmArchives {
    let arguments = match command {
        [program, arguments @ ..] if JavaCommand::is_java(program) => arguments,
        _ => &[],
    };
    JvmArchives::find(arguments, |name| std::env::var_os(name))
}

/// Refuses a JVM that writes an archive and is to load a library or JFR: it ends, or what it writes
/// fits no run without them.
pub(crate) fn refuse_written(archives: &JvmArchives, what: &str) -> Result<()> {
    match &archives.written {
        Some(flag) => Err(usage(format!(
            "{flag}: a JVM that writes an archive of classes cannot have {what}; record a run without \
             this flag"
        ))),
        None => Ok(()),
    }
}

/// The flags behind the user's own by which the JVM does not renew its archive, for the same
/// reasons.
pub(crate) fn not_renewed(archives: &JvmArchives) -> Vec<String> {
    let flag = archives.renewed.as_ref().map(|_| "-XX:-AutoCreateSharedArchive".to_owned());
    flag.into_iter().collect()
}

/// The first Java whose AOT caches have messages of their own.
const AOT_MESSAGES: u32 = 25;

/// The flags in front of the user's own by which the JVM does not say that an archive does not fit
/// flags of `record`. Options for messages that the user gives on the command line come later, and
/// hold. Those of variables come earlier, so that nothing is added to them.
pub(crate) fn without_messages(java: Option<u32>) -> Vec<String> {
    let has_own = |name: &&str| {
        std::env::var_os(name).is_some_and(|value| value.to_string_lossy().contains("-Xlog"))
    };
    if ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"].iter().any(has_own) {
        return Vec::new();
    }
    let aot = java.is_some_and(|java| java >= AOT_MESSAGES).then_some("-Xlog:aot*=off");
    ["-Xlog:cds*=off"].into_iter().chain(aot).map(str::to_owned).collect()
}

/// What a recording lacks because the JVM's archive had to stay as it is; none if nothing.
/// `left_out` are the flags that it did not get, and `jfr_options` says whether those of JFR are
/// among them.
pub(crate) fn notice(
    archives: &JvmArchives,
    left_out: &[String],
    jfr_options: bool,
    is_not_renewed: bool,
) -> Option<String> {
    let JvmArchives { used, written, renewed } = archives;
    let flag = written.as_ref().or(used.as_ref()).or(renewed.as_ref())?;
    let has = |part: &str| left_out.iter().any(|flag| flag.contains(part));
    let lacks = [
        (has("--enable-native-access"), "the clock is the slower System.nanoTime"),
        (has("jdk.internal.vm"), "calls on virtual threads are counted by method"),
        (has("jdk.internal.misc"), "allocated bytes cost more to read"),
        (jfr_options, "what JFR has recorded is lost if the JVM is killed"),
        (is_not_renewed, "the JVM did not renew the archive"),
    ];
    let lacks: Vec<&str> = lacks.iter().filter(|(is, _)| *is).map(|(_, what)| *what).collect();
    (!lacks.is_empty()).then(|| {
        format!(
            "the JVM got no flag that its own archive of classes ({flag}) would not fit: {}",
            lacks.join("; ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_once() {
        let archives = JvmArchives { used: Some("-XX:AOTCache=a".into()), ..Default::default() };
        let left_out = ["--enable-native-access=ALL-UNNAMED".to_owned()];
        assert_eq!(
            notice(&archives, &left_out, false, false).unwrap(),
            "the JVM got no flag that its own archive of classes (-XX:AOTCache=a) would not fit: the \
             clock is the slower System.nanoTime"
        );
        assert_eq!(notice(&archives, &[], false, false), None);
        assert_eq!(notice(&JvmArchives::default(), &left_out, true, true), None);
        assert!(refuse_written(&archives, "JFR").is_ok() && not_renewed(&archives).is_empty());
    }
}
