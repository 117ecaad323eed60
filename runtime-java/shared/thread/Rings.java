package jfathom.runtime;

import java.util.ArrayList;

/**
 * The rings of the session: made, given to threads, ended, reused. {@link ThreadTable#LOCK} guards
 * all fields.
 */
final class Rings {
    /** With so many ended rings that are not drained, a new thread waits instead of making one. */
    private static final int UNDRAINED = 32;
    private static final int SMALLEST = Layout.AREA_ALIGN;

    /** Rings whose threads have ended, drained or not. */
    private static final ArrayList<Ring> ENDED = new ArrayList<>();
    /** Number of descriptors used. */
    private static int used;
    /** Whether the session file had no space for the smallest ring. */
    private static boolean full;

    private Rings() {}

    /** Slows threads that start and end faster than the collector drains. Not under the lock. */
    static void awaitDrainedRing() {
        if (!FlowControl.mayWait() || !isScarce()) return;
        int collector = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_COLLECTOR_STATE);
        if (collector != Layout.COLLECTOR_ATTACHED) return;
        Session.count(Layout.HEADER_WAITS, 1);
        FlowControl.awaitCondition(new FlowControl.Condition() {
            @Override
            boolean isMet() {
                return !isScarce();
            }
        });
    }

    private static boolean isScarce() {
        synchronized (ThreadTable.LOCK) {
            boolean few = full || used >= Session.RING_SLOTS;
            return (ENDED.size() >= UNDRAINED || few && !ENDED.isEmpty()) && findDrained() < 0;
        }
    }

    /** Index in ENDED of a drained ring, or −1. */
    private static int findDrained() {
        for (int i = 0; i < ENDED.size(); i++) {
            long at = ENDED.get(i).descriptor() + Layout.DESCRIPTOR_STATE;
            if (Session.MEMORY.getInt(Session.HEAD, at) == Layout.RING_DRAINED) return i;
        }
        return -1;
    }

    /** A ring for a thread. Null if there is none; the reason is counted. */
    static Ring acquire() {
        int drained = findDrained();
        if (drained >= 0) {
            Ring ring = ENDED.remove(drained);
            ring.counters.clear();
            return ring;
        }
        if (FlowControl.gone) return null;
        if (used >= Session.RING_SLOTS) return countMissing(Layout.HEADER_LOST_THREADS);
        if (full) return countMissing(Layout.HEADER_LOST_RINGS);
        int asked = SessionData.current.ringBytes;
        int largest = Space.ringBytes(Space.share(used), asked, SMALLEST);
        for (int ringBytes = largest; ; ringBytes >>= 1) {
            long bytes = SessionData.aligned(Layout.RING_HEADER_BYTES + ringBytes);
            Region region = Variant.HOST.grow(bytes, Session.MEMORY);
            if (region != null) {
                Ring ring = new Ring(region, used, ringBytes / Layout.RECORD_BYTES);
                Memory memory = Session.MEMORY;
                long descriptor = ring.descriptor();
                long offset = Variant.HOST.lastOffset();
                memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_OFFSET, offset);
                memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_RING_BYTES, ringBytes);
                Counters.giveOwn(ring, 0);
                return ring;
            }
            if (ringBytes <= SMALLEST) break;
        }
        full = true;
        return countMissing(Layout.HEADER_LOST_RINGS);
    }

    private static Ring countMissing(int counter) {
        Session.count(counter, 1);
        return null;
    }

    /** Writes into the ring's descriptor and header which thread has it. */
    static void assign(Ring ring, long sequence, long threadId, long kernelId, byte[] name) {
        Memory memory = Session.MEMORY;
        for (int i = 0; i < name.length; i++) {
            memory.putByte(ring.region, Layout.RING_NAME + i, name[i]);
        }
        memory.putInt(ring.region, Layout.RING_NAME_LENGTH, name.length);
        long descriptor = ring.descriptor();
        memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_SEQUENCE, sequence);
        memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_THREAD_ID, threadId);
        memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_KERNEL_ID, kernelId);
        memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_START, ring.position);
        memory.putInt(Session.HEAD, descriptor + Layout.DESCRIPTOR_STATE, Layout.RING_ACTIVE);
        if (ring.index == used) {
            used++;
            memory.putInt(Session.HEAD, Layout.HEADER_RINGS_USED, used);
        }
    }

    /** Number of rings made. */
    static int used() {
        return used;
    }

    /** Forgets all rings, of which none may be in use. */
    static void reset() {
        synchronized (ThreadTable.LOCK) {
            ENDED.clear();
            ENDED.trimToSize();
            used = 0;
            full = false;
        }
    }

    /** The ring's thread has ended. */
    static void markEnded(Ring ring) {
        ENDED.add(ring);
        long at = ring.descriptor() + Layout.DESCRIPTOR_STATE;
        Session.MEMORY.putInt(Session.HEAD, at, Layout.RING_ENDED);
    }
}
