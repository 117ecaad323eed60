package jfathom.runtime;

import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/** The manifests that this copy of the runtime can see, and what follows from them. */
final class VisibleManifests {
    private static final String PATH = "META-INF/jfathom/manifest.json";
    /** What we want stands at a manifest's beginning. */
    private static final int BEGINNING = 4096;

    /** One text for each manifest, as INFO_MANIFEST has it. */
    final List<String> manifests = new ArrayList<>();
    /** Room for ids. */
    int ids;
    /** How many of them there are, as far as that is known. */
    int known;
    /** Whether enough ids are left at the end of the room that no manifest has. */
    boolean idsToSpare;
    /** Whether any plan has roots. */
    boolean roots;

    private VisibleManifests() {}

    static VisibleManifests manifests(String given, int step, int unknown, int most, int spare) {
        VisibleManifests seen = new VisibleManifests();
        int end = 0;
        if (given != null) {
            String[] parts = given.split(",");
            end = parse(parts[0]);
            seen.roots = parts.length > 1 && parts[1].equals("roots");
        }
        try {
            ClassLoader loader = Probe.class.getClassLoader();
            Enumeration<URL> urls =
                    loader == null ? ClassLoader.getSystemResources(PATH) : loader.getResources(PATH);
            while (urls.hasMoreElements()) end = Math.max(end, seen.read(urls.nextElement()));
        } catch (Exception e) {
            // A loader may throw anything; the recording does not depend on it.
        }
        if (end <= 0 || end > most) end = unknown - spare;
        seen.known = end;
        seen.ids = Math.min((end + spare + step - 1) / step * step, most);
        seen.idsToSpare = end + spare <= seen.ids;
        return seen;
    }

    /** The id after the manifest's last one. */
    private int read(URL url) throws java.io.IOException {
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
        if (text.contains("\"roots\":true")) roots = true;
        String plan = between(text, "\"plan\":\"", "\"");
        manifests.add(first + "\t" + count + "\t" + plan + "\t" + place(url.toString()));
        return first + count;
    }

    /** The jar or directory, without the manifest's own path. */
    private static String place(String url) {
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

    /** A number, or −1. */
    static int parse(String text) {
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
