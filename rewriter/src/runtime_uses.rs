//! Classes that must not call a probe: the runtime, classes that it calls, and classes that the JVM
//! runs before the runtime can be linked.

use jfathom_plan::probe;

/// Classes by internal name.
const CLASSES: &[&str] = &[
    // Instrumented, its constructor kills the VM at finalizer registration.
    "java/lang/Object",
    "sun/misc/Unsafe",
    "java/util/concurrent/locks/LockSupport",
    "java/util/concurrent/ConcurrentHashMap",
    "java/nio/Bits",
    "java/io/File",
    "java/io/FileDescriptor",
];

/// Classes and their nested classes, and everything whose name begins so.
const PREFIXES: &[&str] = &[
    probe::PACKAGE,
    probe::LIVE_PREFIX,
    "java/lang/AbstractStringBuilder",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Enum",
    "java/lang/Error",
    "java/lang/Exception",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Math",
    "java/lang/Module",
    "java/lang/Number",
    "java/lang/Runtime",
    "java/lang/ScopedValue",
    "java/lang/Short",
    "java/lang/Shutdown",
    "java/lang/StackOverflowError",
    "java/lang/String",
    "java/lang/System",
    "java/lang/Thread",
    "java/lang/Throwable",
    "java/lang/VirtualMachineError",
    "java/lang/VirtualThread",
    "java/lang/foreign/",
    "java/lang/invoke/",
    "java/lang/ref/",
    "java/nio/Buffer",
    "java/nio/ByteBuffer",
    "java/nio/DirectByteBuffer",
    "java/nio/MappedByteBuffer",
    "java/util/concurrent/atomic/",
    "jdk/internal/access/",
    "jdk/internal/event/",
    "jdk/internal/foreign/",
    "jdk/internal/loader/",
    "jdk/internal/misc/",
    "jdk/internal/ref/",
    "jdk/internal/reflect/",
    "jdk/internal/util/",
    "jdk/internal/vm/",
    "sun/invoke/",
    "sun/nio/ch/",
];

/// Whether the runtime's own work, or the VM before the runtime can be linked, runs code of this
/// class (internal name).
///
/// Such classes are skipped with [`crate::SkipReason::RuntimeUses`], in every placement.
pub fn is_used_by_runtime(class: &str) -> bool {
    uses(class.as_bytes())
}

pub(crate) fn uses(class: &[u8]) -> bool {
    // Nearly all classes of programs are through here.
    if !class.starts_with(b"j") && !class.starts_with(b"sun/") {
        return false;
    }
    CLASSES.iter().any(|name| name.as_bytes() == class)
        || PREFIXES.iter().any(|begin| class.starts_with(begin.as_bytes()))
}
