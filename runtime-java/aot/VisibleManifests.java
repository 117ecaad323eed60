package jfathom.runtime;

import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/** The manifests that the runtime's class loader sees, and the id span that follows from them. */
final class VisibleManifests {
    private static final String PATH = "META-INF/jfathom/manifest.json";
    /** A manifest begins with what is read here. */
    private static final int BEGINNING = 4096;
    /** A plan with roots in manifests of version 2. */
    private static final String ROOTS_VERSION_2 = "\"roots\":true";
    /** The id span is a multiple of this. */
    private static final int IDS_STEP = 16_384;
    /** Length of the id span where nobody says how many ids there are. */
    private static final int IDS_UNKNOWN = 131_072;
    private static final int IDS_MAX = 1 << Layout.ID_BITS;
    /**
     * Ids of {@link CalibrationLoops}. Not read from there: that class is initialised when the
     * session is open.
     */
    private static final int CALIBRATION_IDS = Layout.LIVE_CALIBRATION_IDS;

    /** One text for each manifest, in the form of INFO_MANIFEST. */
    final List<String> texts = new ArrayList<>();
    /** Length of the id span. */
    int ids;
    /** The id after the last method's, as far as it is known. */
    int known;
    /** Whether the last {@link #CALIBRATION_IDS} ids of the span belong to no method. */
    boolean hasCalibrationIds;
    /** Whether any plan has roots. */
    boolean hasRoots;

    private VisibleManifests() {}

    /** Reads all manifests; {@code given} is the value of JFATHOM_IDS, or null. */
    static VisibleManifests read(String given) {
        VisibleManifests manifests = new VisibleManifests();
        int end = 0;
        if (given != null) {
            String[] parts = given.split(",");
            end = parse(parts[0]);
            manifests.hasRoots = parts.length > 1 && parts[1].equals("roots");
        }
        try (URLClassLoader plain = plainClassPath()) {
            ClassLoader own = Probe.class.getClassLoader();
            boolean isSystem = own == null || own == ClassLoader.getSystemClassLoader();
            ClassLoader loader = isSystem ? ClassLoader.getSystemClassLoader() : own;
            Enumeration<URL> urls =
                    (isSystem && plain != null ? plain : loader).getResources(PATH);
            while (urls.hasMoreElements()) {
                end = Math.max(end, manifests.add(urls.nextElement()));
            }
        } catch (Exception e) {
            // A loader may throw anything; the recording does not depend on it.
        }
        if (end <= 0 || end > IDS_MAX) end = IDS_UNKNOWN - CALIBRATION_IDS;
        manifests.known = end;
        int wanted = (end + CALIBRATION_IDS + IDS_STEP - 1) / IDS_STEP * IDS_STEP;
        manifests.ids = Math.min(wanted, IDS_MAX);
        manifests.hasCalibrationIds = end + CALIBRATION_IDS <= manifests.ids;
        return manifests;
    }

    /**
     * A loader of the plain files and directories of the class path, null if there is nothing else
     * on it. To open a pipe is to wait for somebody who writes to it; the JVM itself only does so
     * where it has found a class in nothing before.
     */
    private static URLClassLoader plainClassPath() throws java.io.IOException {
        List<URL> plain = new ArrayList<>();
        boolean hasOthers = false;
        for (String path : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            File file = new File(path);
            if (file.isFile() || file.isDirectory() || path.isEmpty()) {
                plain.add(file.getAbsoluteFile().toURI().toURL());
            } else {
                hasOthers |= file.exists();
            }
        }
        return hasOthers ? new URLClassLoader(plain.toArray(new URL[0]), null) : null;
    }

    /** Adds one manifest. Returns the id after its last one. */
    private int add(URL url) throws java.io.IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        byte[] bytes;
        try (InputStream in = connection.getInputStream()) {
            bytes = in.readNBytes(BEGINNING);
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        String ids = between(text, "\"ids\":[", "]");
        int comma = ids.indexOf(',');
        if (comma < 0) return 0;
        int first = parse(ids.substring(0, comma));
        int count = parse(ids.substring(comma + 1));
        hasRoots |= text.contains("\"has_roots\":true") || text.contains(ROOTS_VERSION_2);
        String plan = between(text, "\"plan\":\"", "\"");
        texts.add(first + "\t" + count + "\t" + plan + "\t" + container(url.toString()));
        return first + count;
    }

    /** The jar or directory of a manifest. */
    private static String container(String url) {
        String text = url.endsWith(PATH) ? url.substring(0, url.length() - PATH.length()) : url;
        if (text.startsWith("jar:")) text = text.substring(4);
        if (text.startsWith("file:")) text = text.substring(5);
        if (text.endsWith("!/")) text = text.substring(0, text.length() - 2);
        return text;
    }

    private static String between(String text, String before, String after) {
        int start = text.indexOf(before);
        if (start < 0) return "";
        start += before.length();
        int end = text.indexOf(after, start);
        return end < 0 ? "" : text.substring(start, end);
    }

    /** A decimal number; −1 if the text is none. */
    static int parse(String text) {
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
