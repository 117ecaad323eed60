package jfathom.runtime;

import java.util.ArrayList;

/** The rings of the session: made, given to threads, ended, used again. All under {@link Threads#LOCK}. */
final class Rings {
    /** With so many ended rings that are not yet drained, a new thread waits for the collector instead of making another. */
    private static final int UNDRAINED = 32;
    private static final int SMALLEST = Layout.AREA_ALIGN;

    private static final ArrayList<Ring> ENDED = new ArrayList<>();
    private static int used;
    private static boolean full;

    private Rings() {}

    /** Slows threads that start and end faster than the collector drains. Not under the lock. */
    static void awaitSpare() {
        if (!FlowControl.mayWait() || !scarce()) return;
        if (Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_COLLECTOR_STATE) != Layout.COLLECTOR_ATTACHED) return;
        Session.count(Layout.HEADER_WAITS, 1);
        FlowControl.until(new FlowControl.Condition() {
            @Override
            boolean met() {
                return !scarce();
            }
        });
    }

    private static boolean scarce() {
        synchronized (Threads.LOCK) {
            boolean few = full || used >= Session.RING_SLOTS;
            return (ENDED.size() >= UNDRAINED || few && !ENDED.isEmpty()) && drained() < 0;
        }
    }

    private static int drained() {
        for (int i = 0; i < ENDED.size(); i++) {
            int state = Session.MEMORY.getInt(Session.HEAD, ENDED.get(i).descriptor() + Layout.DESCRIPTOR_STATE);
            if (state == Layout.RING_DRAINED) return i;
        }
        return -1;
    }

    /** A ring for a thread; null where there is none, of which the reason is counted. */
    static Ring take() {
        int drained = drained();
        if (drained >= 0) {
            Ring ring = ENDED.remove(drained);
            Counters.clear(ring);
            return ring;
        }
        if (FlowControl.gone) return null;
        if (used >= Session.RING_SLOTS) return missing(Layout.HEADER_LOST_THREADS);
        if (full) return missing(Layout.HEADER_LOST_RINGS);
        int asked = Start.opening.ringBytes;
        for (int ringBytes = Space.ring(Space.share(used), asked, SMALLEST); ; ringBytes >>= 1) {
            long bytes = SessionOpening.aligned(Layout.RING_HEADER_BYTES + ringBytes);
            Region region = Start.opening.file.grow(bytes, Session.MEMORY);
            if (region != null) {
                Ring ring = new Ring(region, used, ringBytes / Layout.RECORD_BYTES);
                long descriptor = ring.descriptor();
                long offset = Start.opening.file.lastOffset();
                Session.MEMORY.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_OFFSET, offset);
                Session.MEMORY.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_RING_BYTES, ringBytes);
                return ring;
            }
            if (ringBytes <= SMALLEST) break;
        }
        full = true;
        return missing(Layout.HEADER_LOST_RINGS);
    }

    private static Ring missing(int counter) {
        Session.count(counter, 1);
        return null;
    }

    /** Gives the ring to a thread. */
    static void describe(Ring ring, long sequence, long threadId, byte[] name) {
        Memory memory = Session.MEMORY;
        for (int i = 0; i < name.length; i++) memory.putByte(ring.region, Layout.RING_NAME + i, name[i]);
        memory.putInt(ring.region, Layout.RING_NAME_LENGTH, name.length);
        long descriptor = ring.descriptor();
        memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_SEQUENCE, sequence);
        memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_THREAD_ID, threadId);
        memory.putLong(Session.HEAD, descriptor + Layout.DESCRIPTOR_START, ring.position);
        memory.putInt(Session.HEAD, descriptor + Layout.DESCRIPTOR_STATE, Layout.RING_ACTIVE);
        if (ring.index == used) {
            used++;
            memory.putInt(Session.HEAD, Layout.HEADER_RINGS_USED, used);
        }
    }

    /** How many were made. */
    static int used() {
        return used;
    }

    /** Forgets all rings, of which none may be in use. */
    static void reset() {
        synchronized (Threads.LOCK) {
            ENDED.clear();
            ENDED.trimToSize();
            used = 0;
            full = false;
        }
    }

    /** Its thread has ended. */
    static void ended(Ring ring) {
        ENDED.add(ring);
        Session.MEMORY.putInt(Session.HEAD, ring.descriptor() + Layout.DESCRIPTOR_STATE, Layout.RING_ENDED);
    }
}
