package reach;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A class that only an annotation names, as frameworks for options and for tests do. */
public final class Values {
    interface Check {
        boolean check(String text);
    }

    static final class Strict implements Check {
        static final int LIMIT = Integer.parseInt("3");

        Strict() {}

        @Override
        public boolean check(String text) {
            return text.length() < LIMIT;
        }
    }

    enum Level {
        LOW,
        HIGH;

        static {
            ready();
        }

        private static void ready() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Checked {
        Class<? extends Check>[] by() default {};

        Level level() default Level.LOW;

        Class<? extends Check> fallback() default Unread.class;
    }

    /** The plan does not read the defaults of annotations. */
    static final class Unread implements Check {
        Unread() {}

        @Override
        public boolean check(String text) {
            return true;
        }
    }

    static final class Form {
        @Checked(by = Strict.class, level = Level.HIGH)
        int field;
    }

    public static void main(String[] args) throws Exception {
        Checked checked = new Form().getClass().getDeclaredField("field")
                .getAnnotation(Checked.class);
        Check check = checked.by()[0].getDeclaredConstructor().newInstance();
        System.out.println(check.check("ab") + " " + checked.level());
        System.out.println(checked.fallback().getDeclaredConstructor().newInstance() != null);
    }
}
