<%@ page contentType="text/plain" session="false" %><%
    int items = (Integer) request.getAttribute("items");
%>list <%= web.Shop.price(items) %>
