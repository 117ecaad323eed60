//! Makes `UnsafeMemory.java` of the text of `InternalMemory.java`: both reach memory by addresses,
//! through classes of the JDK that are alike.

/// What stands in the text, and what takes its place.
const DIFFERENCES: &[(&str, &str)] = &[
    ("InternalMemory", "UnsafeMemory"),
    ("jdk.internal.misc.Unsafe", "sun.misc.Unsafe"),
    ("import java.nio.Buffer;", "import java.lang.reflect.Field;\nimport java.nio.Buffer;"),
    (
        "    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, \"address\");
    private static final long TID =
            Jvm.THREAD_ID ? 0 : UNSAFE.objectFieldOffset(Thread.class, \"tid\");
",
        "    private static final Unsafe UNSAFE;
    private static final long ADDRESS;
    private static final long TID;

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField(\"theUnsafe\");
            unsafe.setAccessible(true);
            UNSAFE = (Unsafe) unsafe.get(null);
            ADDRESS = UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField(\"address\"));
            TID =
                    Jvm.THREAD_ID
                            ? 0
                            : UNSAFE.objectFieldOffset(Thread.class.getDeclaredField(\"tid\"));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
    ),
    (
        "        return UNSAFE.getLong(thread, UNSAFE.objectFieldOffset(Thread.class, \"eetop\"));
",
        "        try {
            long place = UNSAFE.objectFieldOffset(Thread.class.getDeclaredField(\"eetop\"));
            return UNSAFE.getLong(thread, place);
        } catch (NoSuchFieldException e) {
            return 0;
        }
",
    ),
    // It has no weaker ones.
    ("getByteAcquire", "getByteVolatile"),
    ("getIntAcquire", "getIntVolatile"),
    ("getIntOpaque", "getIntVolatile"),
    ("getLongAcquire", "getLongVolatile"),
    ("putIntRelease", "putOrderedInt"),
    ("putLongRelease", "putOrderedLong"),
];

/// The other text. Fails where a difference is none any more.
pub fn unsafe_memory(internal: &str) -> Result<String, String> {
    let mut text = internal.to_owned();
    for (here, there) in DIFFERENCES {
        if !text.contains(here) {
            return Err(format!(
                "InternalMemory.java has no {here:?}: bring build/twin.rs up to date"
            ));
        }
        text = text.replace(here, there);
    }
    Ok(text)
}
