package service;

/** What the module provides and uses. */
public interface Greeter {
    String greet(String name);

    default String greetAll(String... names) { // calls(1)
        StringBuilder all = new StringBuilder();
        for (String name : names) {
            all.append(greet(name)).append(' ');
        }
        return all.toString().trim();
    }
}
