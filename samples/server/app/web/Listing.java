package web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Lets a page answer, which the server translates and compiles when it is first asked for. */
public class Listing extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        request.setAttribute("items", items(request));
        request.getRequestDispatcher("/list.jsp").forward(request, response);
    }

    private static int items(HttpServletRequest request) {
        return Integer.parseInt(request.getParameter("n"));
    }
}
