package fibres;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * A web server with a virtual thread for each request. Writes its port to the file named, and ends
 * when the input ends. `/listing?n=N` lists N items, and asks a store, which takes a millisecond,
 * once for each 1000 items and one more time.
 */
public final class Web {
    private static final int AT_ONCE = 1000;

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.setExecutor((Executor)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
        server.createContext("/listing", Web::answer);
        server.start();
        System.out.println("ready " + ProcessHandle.current().pid());
        Files.writeString(Path.of(args[0] + ".part"), "" + server.getAddress().getPort());
        Files.move(Path.of(args[0] + ".part"), Path.of(args[0]));
        while (System.in.read() >= 0) {
            // Nothing is said, only that it ends.
        }
        System.exit(0);
    }

    static void answer(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        int items = Integer.parseInt(query.substring(query.indexOf('=') + 1));
        byte[] page = listing(items).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, page.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(page);
        }
    }

    static String listing(int items) {
        StringBuilder page = new StringBuilder("<ul>\n");
        for (int from = 0; from <= items; from += AT_ONCE) {
            ask();
            int to = Math.min(items, from + AT_ONCE);
            for (int item = from; item < to; item++) row(page, item);
        }
        return page.append("</ul>\n").toString();
    }

    static void row(StringBuilder page, int item) {
        page.append("<li>").append(name(item)).append("</li>\n");
    }

    static String name(int item) {
        return "item " + Integer.toString(item * 31, 36);
    }

    static void ask() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Web() {}
}
