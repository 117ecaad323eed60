package live;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;

/**
 * Classes that no class path has, as servers make them of pages: the class files of `live.plug` as
 * `live.page`. `Pages load` defines `live.page.Page` by a new loader, and `Pages N` calls the
 * newest N times.
 */
final class Pages implements Act {
    private static IntUnaryOperator newest;

    @Override
    public String act(String[] words) throws Exception {
        if (words[0].equals("load")) {
            return load();
        }
        int sum = 0;
        for (int i = 0, n = Integer.parseInt(words[0]); i < n; i++) {
            sum += newest.applyAsInt(i);
        }
        return Integer.toString(sum);
    }

    private static String load() throws Exception {
        Class<?> type = Class.forName("live.page.Page", true, new PageLoader());
        newest = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        return type.getSuperclass().getMethod("length", String.class).invoke(null, "loaded")
                .toString();
    }

    private static final class PageLoader extends ClassLoader {
        PageLoader() {
            super(Pages.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String file = '/' + name.replace('.', '/').replace("live/page/", "live/plug/")
                    + ".class";
            try (InputStream input = Pages.class.getResourceAsStream(file)) {
                String text = new String(input.readAllBytes(), StandardCharsets.ISO_8859_1);
                byte[] bytes = text.replace("live/plug/", "live/page/")
                        .getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
