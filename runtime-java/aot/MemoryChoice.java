package jfathom.runtime;

/** The choice of the {@link Memory}. */
final class MemoryChoice {
    private MemoryChoice() {}

    /**
     * The best memory that this JVM gives out silently. {@code sun.misc.Unsafe} prints a warning
     * from 24 on. The internal one is open to the runtime in java.base or by {@code --add-exports}.
     */
    static Memory choose() {
        Module ours = Probe.class.getModule();
        if (Object.class.getModule().isExported("jdk.internal.misc", ours)) {
            try {
                return new InternalMemory();
            } catch (Throwable e) {
                // A JDK whose class differs: the next one.
            }
        }
        if (Jvm.JAVA <= 23) {
            try {
                return new UnsafeMemory();
            } catch (Throwable e) {
                // An image without jdk.unsupported.
            }
        }
        if (Jvm.JAVA >= 22) {
            try {
                return NativeAccess.isEnabled(ours) ? new AddressMemory() : new SegmentMemory();
            } catch (Throwable e) {
                // Falls through to what every JVM has.
            }
        }
        return new BufferMemory();
    }
}
