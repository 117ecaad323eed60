package jfathom.runtime;

import java.lang.invoke.MethodHandle;
import jfathom.stub.java.lang.foreign.FunctionDescriptor;
import jfathom.stub.java.lang.foreign.Linker;
import jfathom.stub.java.lang.foreign.MemoryLayout;
import jfathom.stub.java.lang.foreign.MemorySegment;
import jfathom.stub.java.lang.foreign.ValueLayout;

/**
 * Makes a page of machine code that reads the time stamp counter. It is written first and made
 * executable afterwards, and is never both.
 */
final class TscPage {
    /** rdtsc; shl rdx, 32; or rax, rdx; ret. */
    private static final byte[] CODE = {
        0x0f, 0x31, 0x48, (byte) 0xc1, (byte) 0xe2, 0x20, 0x48, 0x09, (byte) 0xd0, (byte) 0xc3
    };
    private static final long PAGE = 4096;
    private static final int READ_WRITE = 3;
    private static final int READ_EXECUTE = 5;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    /** Java adapts a method handle to itself after 127 calls (MethodHandle.maybeCustomize). */
    private static final int CALLS_UNTIL_CUSTOMISED = 136;

    /**
     * The function {@code () → long}; null before {@link #make} has succeeded. Written once, by the
     * thread that opens the first session.
     */
    static MethodHandle reader;

    private TscPage() {}

    /** Makes the page and the handle. Whether the page could be made. */
    static boolean make() throws Throwable {
        Linker linker = Linker.nativeLinker();
        long code = page(linker);
        if (code == 0) return false;
        reader = linker.downcallHandle(
                MemorySegment.ofAddress(code),
                FunctionDescriptor.of(layout(ValueLayout.JAVA_LONG), new MemoryLayout[0]),
                new Linker.Option[] {Linker.Option.critical(false)});
        // Adapting loads classes. A probe could do so while its thread loads that very class.
        for (int i = 0; i < CALLS_UNTIL_CUSTOMISED; i++) TscDowncall.read();
        return true;
    }

    /** The address of a page with the code, or 0. */
    private static long page(Linker linker) throws Throwable {
        MethodHandle map = linker.downcallHandle(
                linker.defaultLookup().find("mmap").get(),
                FunctionDescriptor.of(
                        layout(ValueLayout.JAVA_LONG),
                        new MemoryLayout[] {
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG
                        }),
                new Linker.Option[0]);
        MethodHandle protect = linker.downcallHandle(
                linker.defaultLookup().find("mprotect").get(),
                FunctionDescriptor.of(
                        layout(ValueLayout.JAVA_INT),
                        new MemoryLayout[] {
                            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT
                        }),
                new Linker.Option[0]);
        long address = (long) map.invokeExact(0L, PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
        if (address == -1 || address == 0) return 0;
        MemorySegment page = MemorySegment.ofAddress(address).reinterpret(PAGE);
        for (int i = 0; i < CODE.length; i++) page.set(ValueLayout.JAVA_BYTE, i, CODE[i]);
        return (int) protect.invokeExact(address, PAGE, READ_EXECUTE) == 0 ? address : 0;
    }

    /** Keeps the verifier from loading classes that an older JVM does not have. */
    private static MemoryLayout layout(Object layout) {
        return (MemoryLayout) layout;
    }
}
