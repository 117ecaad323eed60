//! JVM flags for a recorded run.

use jfathom_plan::Placement;

/// What the runtime asks for the carriers of virtual threads, as `module/package`. Without it,
/// calls on virtual threads are counted by method. A jar's manifest opens it for `java -jar`
/// (`Add-Exports`), and a flag for other commands.
pub const CARRIER_PACKAGES: [&str; 2] =
    ["java.base/jdk.internal.access", "java.base/jdk.internal.vm"];

/// The properties of a run that decide on its JVM flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Where the runtime is put.
    pub placement: Placement,
    /// Feature version of the JVM (`17`, `25`); `None` if unknown, which leaves out what only some
    /// versions know.
    pub java: Option<u32>,
    /// The runtime's jar ([`Placement::Boot`], [`Placement::Modular`]) or patch directory
    /// ([`Placement::JavaBase`]).
    pub runtime: Option<String>,
    /// The rewritten modules, for [`Placement::Modular`].
    pub modules: Vec<String>,
    /// Whether the command uses an AOT cache or a CDS archive of its own. Flags that only make
    /// recording faster are then left out, because the JVM would drop its cache.
    pub keep_cache: bool,
    /// Whether the clock is forced to `nano`, so that native access is not needed.
    pub nano_clock: bool,
}

/// The flags to put before all others on the command line of `java`.
///
/// [`Placement::Main`] needs none: its flags make recording cheaper, and record virtual threads. In
/// [`Placement::Live`] there is no command line to add to.
pub fn jvm_flags(run: &Flags) -> Vec<String> {
    let mut flags = Vec::new();
    match (run.placement, &run.runtime) {
        (Placement::Main | Placement::Live, _) | (_, None) => {}
        (Placement::Boot | Placement::Modular, Some(jar)) => {
            flags.push(format!("-Xbootclasspath/a:{jar}"))
        }
        (Placement::JavaBase, Some(directory)) => {
            flags.push(format!("--patch-module=java.base={directory}"))
        }
    }
    if run.placement == Placement::Modular {
        flags.extend(run.modules.iter().map(|module| format!("--add-reads={module}=ALL-UNNAMED")));
    }
    if matches!(run.placement, Placement::JavaBase | Placement::Live) || run.keep_cache {
        return flags;
    }
    if run.java.is_some_and(|java| java >= 22) && !run.nano_clock {
        flags.push("--enable-native-access=ALL-UNNAMED".to_owned());
    }
    if run.java.is_some_and(|java| java >= 24) {
        flags.push("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED".to_owned());
    }
    if run.java.is_some_and(|java| java >= 21) {
        flags
            .extend(CARRIER_PACKAGES.map(|package| format!("--add-exports={package}=ALL-UNNAMED")));
    }
    flags
}

#[cfg(test)]
mod tests;
