package jfathom.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Whose directory it is. */
final class DirectoryOwner {
    private static final int GROUP_OR_OTHERS = 077;

    private DirectoryOwner() {}

    /** Whether the directory is this process's user's, and closed to all others. */
    static boolean ours(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) return false;
        Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        Object self = Files.getAttribute(Paths.get("/proc/self"), "unix:uid");
        int mode = (Integer) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return owner.equals(self) && (mode & GROUP_OR_OTHERS) == 0;
    }
}
