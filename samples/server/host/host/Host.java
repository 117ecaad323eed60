package host;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Starts Tomcat as its own script does, writes the port that it took to the file named, and ends it
 * when the input ends.
 */
public final class Host {
    public static void main(String[] args) throws Exception {
        Thread server = new Thread(() -> {
            try {
                Class.forName("org.apache.catalina.startup.Bootstrap")
                        .getMethod("main", String[].class)
                        .invoke(null, (Object) new String[] {"start"});
            } catch (ReflectiveOperationException e) {
                e.printStackTrace();
                System.exit(1);
            }
        });
        server.setDaemon(true);
        server.start();
        System.out.println("ready " + ProcessHandle.current().pid());
        String port = Integer.toString(port(ManagementFactory.getPlatformMBeanServer()));
        Files.writeString(Path.of(args[0] + ".part"), port);
        Files.move(Path.of(args[0] + ".part"), Path.of(args[0]));
        while (System.in.read() >= 0) {
            // Nothing is said, only that it ends.
        }
        System.exit(0);
    }

    private static int port(MBeanServer beans) throws Exception {
        while (true) {
            for (ObjectName connector
                    : beans.queryNames(new ObjectName("Catalina:type=Connector,*"), null)) {
                if ("STARTED".equals(beans.getAttribute(connector, "stateName"))) {
                    return (Integer) beans.getAttribute(connector, "localPort");
                }
            }
            Thread.sleep(20);
        }
    }

    private Host() {}
}
