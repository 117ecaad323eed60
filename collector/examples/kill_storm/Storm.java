import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import jfathom.runtime.Probe;

/** Threads that call probes in a fixed order without end, and say in a mapped file how many of them have come back. */
public class Storm {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        ByteBuffer done;
        try (RandomAccessFile file = new RandomAccessFile(args[1], "rw")) {
            done = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 64L * threads);
        }
        for (int t = 0; t < threads; t++) {
            int at = 64 * t;
            new Thread(() -> storm(done, at), "storm-" + t).start();
        }
    }

    private static void storm(ByteBuffer done, int at) {
        for (long n = 0; ; ) {
            Probe.methodEntry(0);
            LONG.setRelease(done, at, ++n);
            Probe.methodEntry(1);
            LONG.setRelease(done, at, ++n);
            Probe.methodExit(1);
            LONG.setRelease(done, at, ++n);
            Probe.methodEntry(2);
            LONG.setRelease(done, at, ++n);
            Probe.methodThrow(2);
            LONG.setRelease(done, at, ++n);
            Probe.methodExit(0);
            LONG.setRelease(done, at, ++n);
        }
    }
}
