//! Calls that wait for other threads. Their time includes time of those threads' work.

use crate::member_refs::MemberRefs;
use crate::name_filter::NameFilter;
use classfile_writer::{ClassFile, Code, MemberNames, opcode};

/// The method references of a class that may wait.
#[derive(Debug, Default)]
pub(crate) struct BlockingCallRefs(MemberRefs);

impl BlockingCallRefs {
    /// Looks through a class's pool.
    pub(crate) fn of(class: &ClassFile<'_>) -> Self {
        let mut refs = MemberRefs::default();
        refs.find(class, is_blocking);
        Self(refs)
    }

    /// Whether the code has a call of one of them. Code that cannot be read has none.
    pub(crate) fn in_code(&self, code: &Code<'_>) -> bool {
        !self.0.is_empty()
            && code.instructions().map_while(Result::ok).any(|instruction| {
                (opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE).contains(&instruction.opcode)
                    && instruction.pool_index().is_some_and(|ix| self.0.contains(ix))
            })
    }
}

/// Whether a call of this method may wait.
pub(crate) fn is_blocking(callee: &MemberNames<'_>) -> bool {
    NAMES.passes(callee.name) && waits(callee.class, callee.name, callee.descriptor)
}

/// Names of all calls that may wait.
static NAMES: NameFilter = NameFilter::new()
    .with(FINAL)
    .with(ANY_CONCURRENT)
    .with(SOME_CONCURRENT)
    .with_beginnings(&[b"park"]);

/// Final methods of Object and Thread: references name any class that inherits them.
const FINAL: &[&[u8]] = &[b"wait", b"join"];
const FINAL_DESCRIPTORS: &[&[u8]] = &[b"()V", b"(J)V", b"(JI)V"];
/// Names that mean waiting in every class of `java.util.concurrent`.
const ANY_CONCURRENT: &[&[u8]] = &[
    b"acquire",
    b"acquireInterruptibly",
    b"acquireShared",
    b"acquireSharedInterruptibly",
    b"acquireUninterruptibly",
    b"arriveAndAwaitAdvance",
    b"await",
    b"awaitAdvance",
    b"awaitAdvanceInterruptibly",
    b"awaitNanos",
    b"awaitQuiescence",
    b"awaitTermination",
    b"awaitUninterruptibly",
    b"awaitUntil",
    b"exchange",
    b"invokeAll",
    b"invokeAny",
    b"lock",
    b"lockInterruptibly",
    b"quietlyInvoke",
    b"quietlyJoin",
    b"take",
    b"takeFirst",
    b"takeLast",
    b"tryAcquire",
    b"tryAcquireNanos",
    b"tryAcquireSharedNanos",
    b"tryLock",
];
/// Names that mean waiting in the classes of [`SOME`].
const SOME_CONCURRENT: &[&[u8]] = &[
    b"close",
    b"get",
    b"invoke",
    b"join",
    b"offer",
    b"offerFirst",
    b"offerLast",
    b"poll",
    b"pollFirst",
    b"pollLast",
    b"put",
    b"putFirst",
    b"putLast",
    b"transfer",
    b"tryTransfer",
];
const SOME: &[&[u8]] = &[
    b"ArrayBlockingQueue",
    b"BlockingDeque",
    b"BlockingQueue",
    b"CompletableFuture",
    b"CompletionService",
    b"CountedCompleter",
    b"DelayQueue",
    b"ExecutorCompletionService",
    b"ExecutorService",
    b"ForkJoinPool",
    b"ForkJoinTask",
    b"Future",
    b"FutureTask",
    b"LinkedBlockingDeque",
    b"LinkedBlockingQueue",
    b"LinkedTransferQueue",
    b"PriorityBlockingQueue",
    b"RecursiveAction",
    b"RecursiveTask",
    b"ScheduledFuture",
    b"StructuredTaskScope",
    b"SynchronousQueue",
    b"TransferQueue",
];

/// Whether a call of this method may wait until another thread has done something. Monitor entry is
/// no call and does not count. No thread ends a sleep, a read, or the wait for another process.
fn waits(class: &[u8], name: &[u8], descriptor: &[u8]) -> bool {
    if FINAL.contains(&name) && FINAL_DESCRIPTORS.contains(&descriptor) {
        return true;
    }
    match class {
        b"java/util/concurrent/locks/LockSupport"
        | b"jdk/internal/misc/Unsafe"
        | b"sun/misc/Unsafe" => name.starts_with(b"park"),
        _ => match class.strip_prefix(b"java/util/concurrent/") {
            Some(rest) => {
                ANY_CONCURRENT.contains(&name)
                    || SOME_CONCURRENT.contains(&name) && SOME.contains(&rest)
            }
            None => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_wait_are_known_by_owner_name_and_descriptor() {
        let cases = [
            ("org/acme/Queue", "wait", "()V", true),
            ("java/lang/Object", "wait", "(JI)V", true),
            ("org/acme/Queue", "wait", "(Ljava/lang/String;)V", false),
            ("org/acme/Worker", "join", "(J)V", true),
            (
                "java/lang/String",
                "join",
                "(Ljava/lang/CharSequence;[Ljava/lang/CharSequence;)Ljava/lang/String;",
                false,
            ),
            ("java/lang/Thread", "sleep", "(J)V", false),
            ("java/lang/Thread", "yield", "()V", false),
            ("java/lang/Process", "waitFor", "()I", false),
            ("java/util/concurrent/locks/LockSupport", "parkNanos", "(Ljava/lang/Object;J)V", true),
            ("java/util/concurrent/locks/LockSupport", "unpark", "(Ljava/lang/Thread;)V", false),
            ("java/util/concurrent/CountDownLatch", "await", "()V", true),
            ("java/util/concurrent/Future", "get", "()Ljava/lang/Object;", true),
            (
                "java/util/concurrent/ConcurrentHashMap",
                "get",
                "(Ljava/lang/Object;)Ljava/lang/Object;",
                false,
            ),
            ("java/util/concurrent/atomic/AtomicInteger", "get", "()I", false),
        ];
        for (class, name, descriptor, expected) in cases {
            let [owner, of, takes] = [class, name, descriptor].map(str::as_bytes);
            let callee = MemberNames { class: owner, name: of, descriptor: takes };
            assert_eq!(is_blocking(&callee), expected, "{class}.{name}{descriptor}");
        }
    }
}
