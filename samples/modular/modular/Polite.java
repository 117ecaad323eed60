package modular;

import service.Greeter;

/** The provider. */
public final class Polite implements Greeter {
    @Override
    public String greet(String name) { // calls(3)
        return "good day, " + name;
    }
}
