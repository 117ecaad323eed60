package host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Starts an OSGi framework and the bundle that is the argument, then stops both. */
public final class Host {
    public static void main(String[] args) throws Exception {
        Path storage = Files.createTempDirectory(Path.of(args[1]), "osgi");
        Map<String, String> settings = new HashMap<>();
        settings.put("org.osgi.framework.storage", storage.toString());
        settings.put("org.osgi.framework.storage.clean", "onFirstInit");
        if (System.getProperty("org.osgi.framework.bootdelegation") != null) {
            settings.put("org.osgi.framework.bootdelegation",
                    System.getProperty("org.osgi.framework.bootdelegation"));
        }
        Framework framework =
                ServiceLoader.load(FrameworkFactory.class).iterator().next().newFramework(settings);
        framework.start();
        Bundle bundle = framework.getBundleContext()
                .installBundle(Path.of(args[0]).toUri().toString());
        bundle.start();
        bundle.stop();
        framework.stop();
        framework.waitForStop(0);
        System.out.println("host done");
        System.exit(0);
    }

    private Host() {}
}
