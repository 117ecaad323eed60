package jfathom.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.zip.CRC32;

/** The native library of {@link TscLibrary} that the collector has placed. */
final class ClockLibrary {
    /** The library is far smaller. */
    private static final int MOST_BYTES = 1 << 16;

    private ClockLibrary() {}

    /**
     * Loads the library that the link leads to. False if there is no link. The library's name holds
     * its CRC-32: HotSpot prints two lines to the program's output for a file that is no library.
     * Nobody else can exchange the file after the check, as its directory is closed to others.
     */
    static boolean load(Path link) throws IOException {
        if (!Files.isSymbolicLink(link)) return false;
        Path library = Files.readSymbolicLink(link);
        if (!library.isAbsolute() || !DirectoryOwner.isOurs(library.getParent())) {
            throw new IOException(library + " is not in a directory of this user alone");
        }
        if (!Files.isRegularFile(library, LinkOption.NOFOLLOW_LINKS)
                || Files.size(library) > MOST_BYTES
                || !hasNamedSum(library)) {
            throw new IOException(library + " is damaged");
        }
        System.load(library.toString());
        return true;
    }

    private static boolean hasNamedSum(Path library) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(library));
        String name = Layout.CLOCK_LIBRARY_PREFIX + Long.toHexString(sum.getValue());
        return library.endsWith(name + Layout.CLOCK_LIBRARY_SUFFIX);
    }
}
