package modular;

import java.util.ServiceLoader;
import java.util.logging.Logger;
import service.Greeter;

/** Greets through a service of its own module. */
public final class Main {
    public static void main(String[] args) { // calls(1)
        for (Greeter greeter : ServiceLoader.load(Greeter.class)) {
            System.out.println(greeter.greetAll("ann", "bob", "cy"));
        }
        System.out.println(
                Main.class.getModule().getName() + " " + Logger.getLogger("x").getName());
    }

    private Main() {}
}
