package jfathom.runtime;

import java.util.concurrent.atomic.AtomicLongArray;

import jfathom.stub.jdk.internal.access.JavaLangAccess;
import jfathom.stub.jdk.internal.access.SharedSecrets;
import jfathom.stub.jdk.internal.vm.Continuation;
import jfathom.stub.jdk.internal.vm.ContinuationSupport;

/**
 * The platform threads that carry virtual threads, as the JDK's internals know them.
 *
 * <p>A virtual thread leaves its carrier only where it waits. The paths of probes that do not wait
 * need no care. Those that may, for a lock or for room in a ring, pin the thread first: else it
 * could go on with the ring of a carrier that runs another thread by then.
 */
final class Carriers {
    /**
     * Whether calls on virtual threads are recorded: the JVM has such threads, and has opened what
     * is needed here to the runtime. A constant in compiled code.
     */
    static final boolean ON = canAsk();

    /**
     * Calls whose frames are together larger than those of {@link #unpin}, with what its callers
     * grow by if they are interpreted by then.
     */
    private static final int RESERVED_CALLS = 96;

    /** Far enough apart for the processor. */
    private static final int STRIPE = 16;

    private static final int STRIPES = 16;
    /**
     * How many virtual threads are pinned, by their carriers, each carrier at a stripe. Only live,
     * and only with virtual threads: the agent sees no frame of theirs.
     */
    private static final AtomicLongArray PINNED =
            new AtomicLongArray(ON && Variant.LIVE ? STRIPE * STRIPES : 0);

    private Carriers() {}

    /** The platform thread that runs the current thread: itself, unless that is virtual. */
    static Thread current() {
        return Jdk.currentCarrierThread();
    }

    /** The platform thread that runs this code, whether or not virtual threads are recorded. */
    static Thread platform() {
        return ON ? current() : Thread.currentThread();
    }

    /** Whether the current thread is virtual, and virtual threads are recorded. */
    static boolean isVirtual() {
        return ON && current() != Thread.currentThread();
    }

    /**
     * Keeps a virtual thread on its carrier. The result goes to {@link #unpin}. An overflow of the
     * stack comes before the thread is pinned: one that stayed pinned would keep its carrier for
     * life.
     */
    static boolean pin() {
        if (!isVirtual()) return false;
        StackRoom.reserve(RESERVED_CALLS);
        Continuation.pin();
        if (!Variant.LIVE) return true;
        try {
            PINNED.getAndIncrement(stripe());
        } catch (Throwable e) {
            // Linked for the first time, this may need more than was reserved.
            Continuation.unpin();
            throw e;
        }
        return true;
    }

    static void unpin(boolean pinned) {
        if (!pinned) return;
        Continuation.unpin();
        if (Variant.LIVE) PINNED.getAndDecrement(stripe());
    }

    private static int stripe() {
        return Session.slot(current()) % STRIPES * STRIPE;
    }

    /** Forgets all threads: one whose stack overflowed may still count as pinned. */
    static void reset() {
        for (int stripe = 0; stripe < PINNED.length(); stripe += STRIPE) PINNED.set(stripe, 0);
    }

    /** Whether a virtual thread is pinned. */
    static boolean isAnyPinned() {
        long pinned = 0;
        for (int stripe = 0; stripe < PINNED.length(); stripe += STRIPE) {
            pinned += PINNED.get(stripe);
        }
        return pinned > 0;
    }

    private static boolean canAsk() {
        if (Jvm.JAVA < 21) return false;
        Module base = Object.class.getModule();
        Module ours = Carriers.class.getModule();
        try {
            return base.isExported("jdk.internal.access", ours)
                    && base.isExported("jdk.internal.vm", ours)
                    // Without them a virtual thread is a platform thread by another name.
                    && ContinuationSupport.isSupported()
                    && Jdk.currentCarrierThread() != null;
        } catch (Throwable e) {
            // A JDK whose classes differ.
            return false;
        }
    }

    /** Linked only where the module opens it. */
    private static final class Jdk {
        /** No field of a type that older JVMs lack: reflection on this class would fail. */
        private static final Object ACCESS = SharedSecrets.getJavaLangAccess();

        static Thread currentCarrierThread() {
            return ((JavaLangAccess) ACCESS).currentCarrierThread();
        }
    }
}
