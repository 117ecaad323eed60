package bundle;

import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** A bundle: its class loader sees what it imports and nothing else. */
public final class Activator implements BundleActivator {
    @Override
    public void start(BundleContext context) { // calls(1)
        for (int i = 0; i < 100; i++) {
            step(i);
        }
        System.out.println("bundle started");
    }

    @Override
    public void stop(BundleContext context) { // calls(1)
        System.out.println("bundle stopped");
    }

    private static void step(int i) {} // calls(100)
}
