package jfathom.runtime;

/**
 * Where the JVM's structure of a thread holds what the thread has allocated. Names, types and
 * offsets come from the table that HotSpot exports for the serviceability agent ({@code
 * vmStructs.hpp}), so no offset is that of another build.
 */
final class VmFields {
    // Order of the symbols: jfathom_clock::VM_SYMBOLS.
    private static final int TABLE = 0;
    private static final int TYPE_NAME = 1;
    private static final int FIELD_NAME = 2;
    private static final int TYPE_STRING = 3;
    private static final int IS_STATIC = 4;
    private static final int OFFSET = 5;
    private static final int STRIDE = 6;
    private static final int SYMBOLS = 7;

    /** Longer tables and names are none. HotSpot has some 4,000 entries. */
    private static final int MOST_ENTRIES = 1 << 16;

    private static final long LARGEST_OFFSET = 1 << 16;

    /** Bytes of the buffers for allocation that the thread has given back. */
    final long allocated;
    /** Begin of its present buffer for allocation, and of the free part of that. */
    final long start;

    final long top;

    private VmFields(long allocated, long start, long top) {
        this.allocated = allocated;
        this.start = start;
        this.top = top;
    }

    /** Looks the fields up. Null if the JVM's table lacks one, or has another type for it. */
    static VmFields find(Memory memory) {
        long[] symbols = new long[SYMBOLS];
        for (int i = 0; i < SYMBOLS; i++) {
            symbols[i] = Variant.HOST.vmSymbol(i);
            if (symbols[i] == 0) return null;
        }
        Table table = new Table(memory, symbols);
        if (!table.isSound()) return null;
        long allocated = table.offset("Thread", "_allocated_bytes", "jlong");
        long buffer = table.offset("Thread", "_tlab", "ThreadLocalAllocBuffer");
        long start = table.offset("ThreadLocalAllocBuffer", "_start", "HeapWord*");
        long top = table.offset("ThreadLocalAllocBuffer", "_top", "HeapWord*");
        boolean found = allocated > 0 && buffer > 0 && start >= 0 && top >= 0;
        return found ? new VmFields(allocated, buffer + start, buffer + top) : null;
    }

    /** As {@link AllocatedBytes#read}, by these fields. */
    long read(Memory memory, long thread) {
        return read(memory, thread, allocated, start, top);
    }

    /**
     * What the thread has allocated in all buffers that it has given back, and in the present one.
     * Between two reads of interpreted code the collector may take the buffer back: it then moves
     * what was used to the sum. So a change of either means that the numbers are of two moments.
     */
    static long read(Memory memory, long thread, long allocated, long start, long top) {
        long sum = memory.counter(null, thread + allocated);
        long from = memory.counter(null, thread + start);
        long to = memory.counter(null, thread + top);
        boolean same =
                sum == memory.counter(null, thread + allocated)
                        && from == memory.counter(null, thread + start);
        return same
                ? sum + Math.max(to - from, 0)
                : read(memory, thread, allocated, start, top);
    }

    /** The JVM's table of its own structures. */
    private static final class Table {
        private final Memory memory;
        private final long first;
        private final long stride;
        // Offsets in an entry.
        private final long typeName;
        private final long fieldName;
        private final long typeString;
        private final long isStatic;
        private final long offset;

        Table(Memory memory, long[] symbols) {
            this.memory = memory;
            first = word(symbols[TABLE]);
            stride = word(symbols[STRIDE]);
            typeName = word(symbols[TYPE_NAME]);
            fieldName = word(symbols[FIELD_NAME]);
            typeString = word(symbols[TYPE_STRING]);
            isStatic = word(symbols[IS_STATIC]);
            offset = word(symbols[OFFSET]);
        }

        private long word(long address) {
            return memory.counter(null, address);
        }

        /** Whether the layout of the entries is one that can be. */
        boolean isSound() {
            boolean fits = first != 0 && stride > 0 && stride <= 1024 && stride % 8 == 0;
            for (long at : new long[] {typeName, fieldName, typeString, offset}) {
                fits &= at >= 0 && at <= stride - 8 && at % 8 == 0;
            }
            return fits && isStatic >= 0 && isStatic <= stride - 4 && isStatic % 4 == 0;
        }

        /** Offset of a field of this name and type; −1 without one. */
        long offset(String type, String field, String fieldType) {
            long entry = first;
            for (int i = 0; i < MOST_ENTRIES; i++, entry += stride) {
                long name = word(entry + typeName);
                // The last entry is all zero.
                if (name == 0) return -1;
                if (!is(name, type) || !is(word(entry + fieldName), field)) continue;
                long found = word(entry + offset);
                boolean fits =
                        is(word(entry + typeString), fieldType)
                                && number(entry + isStatic) == 0
                                && found >= 0
                                && found <= LARGEST_OFFSET;
                return fits ? found : -1;
            }
            return -1;
        }

        private int number(long address) {
            return (int) (word(address & -8) >>> (address & 4) * 8);
        }

        /** Whether the text at an address is this one, in ASCII and with a zero behind it. */
        private boolean is(long address, String text) {
            if (address == 0) return false;
            for (int i = 0; i < text.length(); i++) {
                if (letter(address + i) != text.charAt(i)) return false;
            }
            return letter(address + text.length()) == 0;
        }

        /** Words that are aligned lie in one page: none is read that may not be there. */
        private int letter(long address) {
            return (int) (word(address & -8) >>> (address & 7) * 8) & 0xff;
        }
    }
}
