package reach;

/** Class initialisers, and what they call. */
public final class Initialisers {
    static class ByField {
        static int value = start();

        static int start() {
            return say("by field");
        }
    }

    static class ByMethod {
        static final int VALUE = say("by method");

        static void touch() {}
    }

    static class Above {
        static final int VALUE = say("above");
    }

    static class ByNew extends Above implements WithDefault {
        static final int VALUE = say("by new");
    }

    interface WithDefault {
        int VALUE = say("interface with a default method");

        default void unused() {}
    }

    interface OfConstants {
        int CONSTANT = 5;
        int VALUE = say("interface by its field");
    }

    static class Holder {
        static final Holder INSTANCE = new Holder();

        private final int value;

        private Holder() {
            value = say("holder");
        }
    }

    static class ByName {
        static {
            say("by name");
        }
    }

    static class Quiet {
        static final int CONSTANT = 3;
        static final Object VALUE = say("never");
    }

    public static void main(String[] args) throws ClassNotFoundException {
        ByField.value++;
        ByMethod.touch();
        new ByNew();
        Class.forName("reach.Initialisers$ByName");
        Quiet[] none = new Quiet[Quiet.CONSTANT];
        System.out.println(Holder.INSTANCE.value + none.length + OfConstants.CONSTANT
                + OfConstants.VALUE);
    }

    static int say(String what) {
        System.out.println(what);
        return what.length();
    }
}
