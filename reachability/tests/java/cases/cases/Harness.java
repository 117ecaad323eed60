package cases;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Runs each case and prints which bodies ran: one line per case. */
public final class Harness {
    private Harness() {}

    public static void main(String[] args) throws Exception {
        for (Class<?> group : new Class<?>[] {Selection.class, Initialisation.class, Library.class,
                Flows.class}) {
            for (Method method : group.getDeclaredMethods()) {
                int flags = method.getModifiers();
                if (Modifier.isPublic(flags) && !method.isSynthetic()) {
                    method.invoke(null);
                    System.out.println(group.getName() + "::" + method.getName() + " "
                            + String.join(" ", Log.take()));
                }
            }
        }
    }
}
