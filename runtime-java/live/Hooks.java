package jfathom.runtime;

import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import jfathom.stub.jdk.internal.misc.Unsafe;

/**
 * The methods that the entries of the JDK's reflective methods call: they report to the agent which
 * members a root reaches by name. Each member is reported once in a session, and nothing is
 * recorded. The agent itself remembers the methods that native code calls.
 */
public final class Hooks {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /**
     * Offsets of the fields that number the members of a class. Asking for the parameter types
     * would copy them.
     */
    private static final long METHOD_SLOT = UNSAFE.objectFieldOffset(Method.class, "slot");

    private static final long CONSTRUCTOR_SLOT =
            UNSAFE.objectFieldOffset(Constructor.class, "slot");
    private static final int SMALLEST = 256;
    /** Once full, a table of this length is emptied: members are then reported again. */
    private static final int LARGEST = 1 << 20;
    /** Two odd numbers without a pattern in their bits. */
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    private static final long SPREAD_AGAIN = 0xbf58_476d_1ce4_e5b9L;

    /**
     * Hashes of the members that were reported, by their lowest bits; zero where there is none.
     * Only hashes, so that no class is kept alive: 64 bits of the class's identity, its name, and
     * the member. Written under the monitor of Hooks, read without.
     */
    private static volatile long[] seen = new long[SMALLEST];

    /** Number of hashes in the table; guarded by the monitor of Hooks. */
    private static int count;

    private Hooks() {}

    /** First in Method.invoke and Constructor.newInstance. */
    public static void invoked(Object member) {
        if (Gate.on) reportMember(member);
    }

    /** First in Lookup.unreflect and its kin. */
    public static void unreflected(Object member) {
        if (Gate.on && member != null) reportMember(member);
    }

    /** First in Lookup.findVirtual and its kin. */
    public static void lookedUp(Class<?> type, String name, Object methodType) {
        if (Gate.on && type != null && name != null && methodType != null) {
            reportLookup(type, name, methodType);
        }
    }

    /** First in Lookup.findConstructor. */
    public static void constructorLookedUp(Class<?> type, Object methodType) {
        if (Gate.on && type != null && methodType != null) {
            reportLookup(type, "<init>", methodType);
        }
    }

    /** First in Lookup.bind. */
    public static void bound(Object receiver, String name, Object methodType) {
        if (Gate.on && receiver != null && name != null && methodType != null) {
            reportLookup(receiver.getClass(), name, methodType);
        }
    }

    /**
     * Before native code calls a method through JNI: reports that to the agent if this thread is
     * inside a root. Whether it did.
     */
    static boolean calledByNative() {
        if (!Gate.on) return false;
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = recorderInside();
            if (recorder == null) return false;
            long since = ExcludedTime.begin(recorder);
            try {
                AgentInterface.calledByNative();
                return true;
            } finally {
                ExcludedTime.end(recorder, since);
            }
        } catch (Throwable e) {
            Errors.passOn(e);
            return false;
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void reportMember(Object member) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = recorderInside();
            if (recorder == null) return;
            boolean method = member instanceof Method;
            long slot = UNSAFE.getInt(member, method ? METHOD_SLOT : CONSTRUCTOR_SLOT);
            long hash = hash(((Member) member).getDeclaringClass(), slot);
            if (isSeen(hash)) return;
            long since = ExcludedTime.begin(recorder);
            try {
                AgentInterface.reflected(member);
                see(hash);
            } finally {
                ExcludedTime.end(recorder, since);
            }
        } catch (Throwable e) {
            Errors.passOn(e);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void reportLookup(Class<?> type, String name, Object methodType) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = recorderInside();
            if (recorder == null) return;
            // String and MethodType are final, so that no code of the program runs.
            long named = (long) name.hashCode() << 32;
            long hash = hash(type, named ^ methodType.hashCode() & 0xffff_ffffL | Long.MIN_VALUE);
            if (isSeen(hash)) return;
            long since = ExcludedTime.begin(recorder);
            try {
                AgentInterface.lookedUp(type, name, methodType);
                see(hash);
            } finally {
                ExcludedTime.end(recorder, since);
            }
        } catch (Throwable e) {
            Errors.passOn(e);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    /** The recorder of a thread inside a root, unless its probes are quiet; or null. */
    private static ThreadRecorder recorderInside() {
        Thread thread = Thread.currentThread();
        ThreadRecorder recorder = Recorders.find(thread);
        return recorder != null && recorder.inside == thread && !recorder.busy ? recorder : null;
    }

    private static long hash(Class<?> type, long member) {
        long identity = (long) System.identityHashCode(type) << 32;
        long named = identity | type.getName().hashCode() & 0xffff_ffffL;
        long hash = (named ^ named >>> 29) * SPREAD + member;
        hash = (hash ^ hash >>> 31) * SPREAD_AGAIN;
        hash ^= hash >>> 32;
        return hash == 0 ? 1 : hash;
    }

    private static boolean isSeen(long hash) {
        long[] table = seen;
        int mask = table.length - 1;
        // The table is never full.
        for (int at = (int) hash & mask; table[at] != 0; at = at + 1 & mask) {
            if (table[at] == hash) return true;
        }
        return false;
    }

    private static synchronized void see(long hash) {
        if (isSeen(hash)) return;
        if (count >= seen.length / 2) {
            boolean anew = seen.length >= LARGEST;
            long[] table = new long[anew ? SMALLEST : seen.length * 2];
            count = 0;
            if (!anew) {
                for (long each : seen) {
                    if (each != 0) put(table, each);
                }
            }
            seen = table;
        }
        put(seen, hash);
    }

    private static void put(long[] table, long hash) {
        int mask = table.length - 1;
        int at = (int) hash & mask;
        while (table[at] != 0) at = at + 1 & mask;
        table[at] = hash;
        count++;
    }

    /** Another session begins. */
    static synchronized void reset() {
        seen = new long[SMALLEST];
        count = 0;
    }
}
