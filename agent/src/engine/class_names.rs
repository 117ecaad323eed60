//! Kinds of classes by their names.

use jfathom_plan::probe;

/// The kind of class that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClassNameKind {
    /// A class with a class file.
    Class,
    /// The hidden class of a lambda or method reference.
    Lambda,
    /// A class of the runtime, an array, or another hidden class: it cannot be instrumented.
    Nothing,
}

pub(super) fn kind(name: &[u8]) -> ClassNameKind {
    let suffix = host(name).and_then(|host| name.get(host.len()..)).unwrap_or_default();
    // A hidden class has an address after its name. A dot before it, which no class file's name can
    // have, comes from JVMTI GetClassSignature; a plus sign from JVMs before 21; a slash from
    // Class.getName.
    let hidden = name.contains(&b'.')
        || name.windows(3).any(|bytes| matches!(bytes, [b'+' | b'/', b'0', b'x']));
    match name {
        [] | [b'[', ..] => ClassNameKind::Nothing,
        _ if suffix.iter().any(|byte| matches!(byte, b'/' | b'.' | b'+')) => ClassNameKind::Lambda,
        _ if hidden || is_ours(name) || name == b"module-info" => ClassNameKind::Nothing,
        _ => ClassNameKind::Class,
    }
}

/// The class that has the lambda or method reference of a class of this name.
pub(super) fn host(name: &[u8]) -> Option<&[u8]> {
    let lambda = b"$$Lambda";
    name.get(..name.windows(lambda.len()).position(|window| window == lambda)?)
}

/// Whether the class belongs to the runtime.
pub(super) fn is_ours(name: &[u8]) -> bool {
    name.starts_with(probe::LIVE_PREFIX.as_bytes()) || name.starts_with(probe::PACKAGE.as_bytes())
}

/// Whether the JDK makes classes of such names at run time: proxies, and adapters of reflection.
/// The analysis goes through them as through the JDK's own.
pub(super) fn is_made_by_jdk(name: &[u8]) -> bool {
    let last = name.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let numbered = |prefix: &[u8]| {
        last.strip_prefix(prefix)
            .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
    };
    numbered(b"$Proxy")
        || [&b"jdk/internal/"[..], b"java/lang/invoke/", b"sun/reflect/"]
            .iter()
            .any(|package| name.starts_with(package))
}

/// Whether a class is in a package that only the JDK has, or makes classes in at run time.
pub(super) fn is_in_jdk_package(name: &[u8]) -> bool {
    [&b"java/"[..], b"javax/", b"jdk/", b"sun/", b"com/sun/"]
        .iter()
        .any(|package| name.starts_with(package))
}

#[cfg(test)]
mod tests {
    use super::{ClassNameKind, is_made_by_jdk, kind};

    #[test]
    fn names_show_kinds() {
        assert_eq!(kind(b"a/B"), ClassNameKind::Class);
        assert_eq!(kind(b"[La/B;"), ClassNameKind::Nothing);
        assert_eq!(kind(b"java/lang/JfathomProbe"), ClassNameKind::Nothing);
        assert_eq!(kind(b"a/B$$Lambda$14/0x0000000800c8"), ClassNameKind::Lambda);
        assert_eq!(kind(b"a/B$$Lambda.0x00007f1ed0c8"), ClassNameKind::Lambda);
        assert_eq!(kind(b"a/B$$Lambda$1+0x00007f97b8005898"), ClassNameKind::Lambda);
        assert_eq!(kind(b"a/B+0x00007f97b8005898"), ClassNameKind::Nothing);
        assert_eq!(kind(b"a/B$$Lambda"), ClassNameKind::Class);
        assert_eq!(kind(b"java/lang/invoke/LambdaForm$MH/0x0000000800c8"), ClassNameKind::Nothing);
        assert_eq!(kind(b""), ClassNameKind::Nothing);
    }

    #[test]
    fn proxies_are_no_program_classes() {
        assert!(is_made_by_jdk(b"jdk/proxy1/$Proxy0"));
        assert!(is_made_by_jdk(b"com/acme/$Proxy12"));
        assert!(is_made_by_jdk(b"jdk/internal/reflect/GeneratedMethodAccessor3"));
        assert!(!is_made_by_jdk(b"com/acme/$Proxy"));
        assert!(!is_made_by_jdk(b"com/acme/$Proxy0Factory"));
    }
}
