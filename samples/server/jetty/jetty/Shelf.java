package jetty;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/**
 * Starts Jetty with one servlet, writes its port to the file named, and ends when the input ends.
 * `/listing?n=N` lists N items.
 */
public final class Shelf extends HttpServlet {
    private static final long serialVersionUID = 1;

    public static void main(String[] args) throws Exception {
        Server server = new Server(0);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Shelf()), "/listing");
        server.setHandler(context);
        server.start();
        System.out.println("ready " + ProcessHandle.current().pid());
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        Files.writeString(Path.of(args[0] + ".part"), Integer.toString(port));
        Files.move(Path.of(args[0] + ".part"), Path.of(args[0]));
        while (System.in.read() >= 0) {
            // Nothing is said, only that it ends.
        }
        System.exit(0);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/html");
        PrintWriter out = response.getWriter();
        int items = Integer.parseInt(request.getParameter("n"));
        out.println("<ul>");
        for (int item = 0; item < items; item++) row(out, item);
        out.println("</ul>");
    }

    static void row(PrintWriter out, int item) {
        out.print("<li>");
        out.print(name(item));
        out.println("</li>");
    }

    static String name(int item) {
        return "item " + Integer.toString(item * 31, 36);
    }
}
