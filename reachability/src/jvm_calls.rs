//! Calls and allocations of the JVM itself.

/// A method that the JVM calls: class, name, descriptor, and whether it dispatches on the receiver.
pub(crate) type Upcall = (&'static str, &'static str, &'static str, bool);

/// Calls that the JVM makes for a JDK method, invisible in its code: class, name, and callees.
const UPCALLS: &[(&str, &str, &[Upcall])] = &[
    (
        "java/lang/Thread",
        "start0",
        &[
            ("java/lang/Thread", "run", "()V", true),
            ("java/lang/Thread", "exit", "()V", false),
            ("java/lang/Thread", "dispatchUncaughtException", "(Ljava/lang/Throwable;)V", false),
        ],
    ),
    (
        "java/security/AccessController",
        "doPrivileged",
        &[
            ("java/security/PrivilegedAction", "run", "()Ljava/lang/Object;", true),
            ("java/security/PrivilegedExceptionAction", "run", "()Ljava/lang/Object;", true),
        ],
    ),
    (
        "java/lang/reflect/Proxy",
        "newProxyInstance",
        &[(
            "java/lang/reflect/InvocationHandler",
            "invoke",
            "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
            true,
        )],
    ),
    // The JVM registers objects whose class overrides `finalize` as their constructor ends (JLS
    // 12.6).
    ("java/lang/Object", "<init>", &[("java/lang/Object", "finalize", "()V", true)]),
    (
        "jdk/internal/vm/Continuation",
        "enterSpecial",
        &[("jdk/internal/vm/Continuation", "enter", "(Ljdk/internal/vm/Continuation;Z)V", false)],
    ),
];

/// The calls that the JVM makes when this JDK method runs. Only native `doPrivileged` methods of
/// old JDKs count: the others have the call in their code.
pub(crate) fn upcalls(class: &[u8], name: &[u8], native: bool) -> &'static [Upcall] {
    let row = UPCALLS.iter().find(|row| row.0.as_bytes() == class && row.1.as_bytes() == name);
    let by_itself = |row: &str| matches!(row, "java/lang/reflect/Proxy" | "java/lang/Object");
    row.filter(|row| native || by_itself(row.0)).map_or(&[], |row| row.2)
}

/// Methods that run before `main`. Their objects are the receivers of many calls (`System.out`,
/// class loaders).
pub(crate) const STARTUP: &[(&str, &str, &str)] = &[
    ("java/lang/System", "initPhase1", "()V"),
    ("java/lang/System", "initPhase2", "(ZZ)I"),
    ("java/lang/System", "initPhase3", "()V"),
];

/// Classes that the JVM instantiates without `new`.
pub(crate) const ALLOCATED: &[&str] = &[
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",
    "java/lang/Class",
    "java/lang/ClassCastException",
    "java/lang/ClassNotFoundException",
    "java/lang/IllegalMonitorStateException",
    "java/lang/Module",
    "java/lang/NegativeArraySizeException",
    "java/lang/NoClassDefFoundError",
    "java/lang/NullPointerException",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/String",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/reflect/Constructor",
    "java/lang/reflect/Field",
    "java/lang/reflect/Method",
];
