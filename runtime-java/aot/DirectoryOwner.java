package jfathom.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The owner check of the session directory. */
final class DirectoryOwner {
    private static final int GROUP_OR_OTHERS = 077;

    private DirectoryOwner() {}

    /** Whether the directory belongs to the user of this process, and is closed to all others. */
    static boolean isOurs(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) return false;
        Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        Object user = Files.getAttribute(Paths.get("/proc/self"), "unix:uid");
        int mode = (Integer) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return owner.equals(user) && (mode & GROUP_OR_OTHERS) == 0;
    }
}
