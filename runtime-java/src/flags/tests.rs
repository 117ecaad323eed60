use super::*;

const NATIVE: &str = "--enable-native-access=ALL-UNNAMED";
const EXPORTS: &str = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";
const ACCESS: &str = "--add-exports=java.base/jdk.internal.access=ALL-UNNAMED";
const VM: &str = "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED";

#[test]
fn the_main_jar_needs_nothing_and_newer_jvms_are_made_faster() {
    for (java, expected) in [
        (None, &[][..]),
        (Some(11), &[]),
        (Some(17), &[]),
        (Some(21), &[ACCESS, VM]),
        (Some(23), &[NATIVE, ACCESS, VM]),
        (Some(25), &[NATIVE, EXPORTS, ACCESS, VM]),
    ] {
        assert_eq!(jvm_flags(&Flags { java, ..Flags::default() }), expected, "{java:?}");
    }
    assert_eq!(
        jvm_flags(&Flags { java: Some(25), nano_clock: true, ..Flags::default() }),
        [EXPORTS, ACCESS, VM]
    );
    assert_eq!(jvm_flags(&Flags { java: Some(25), keep_cache: true, ..Flags::default() }), [""; 0]);
}

#[test]
fn other_placements_name_the_runtime() {
    let run = Flags { runtime: Some("/out/r.jar".to_owned()), java: Some(17), ..Flags::default() };
    let flags = |placement| {
        jvm_flags(&Flags { placement, modules: vec!["a".into(), "b".into()], ..run.clone() })
    };
    assert_eq!(flags(Placement::Boot), ["-Xbootclasspath/a:/out/r.jar"]);
    let modular =
        ["-Xbootclasspath/a:/out/r.jar", "--add-reads=a=ALL-UNNAMED", "--add-reads=b=ALL-UNNAMED"];
    assert_eq!(flags(Placement::Modular), modular);
    assert_eq!(flags(Placement::JavaBase), ["--patch-module=java.base=/out/r.jar"]);
}
