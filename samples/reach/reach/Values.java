package reach;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A class that only an annotation names, as frameworks for options and for tests do. */
// not planned: Strict::<init>, Strict::<clinit>, Strict::check
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

    @Retention(RetentionPolicy.RUNTIME)
    @interface Checked {
        Class<? extends Check> by();
    }

    @Checked(by = Strict.class)
    static final class Form {}

    public static void main(String[] args) throws Exception {
        Check check = Form.class.getAnnotation(Checked.class).by().getDeclaredConstructor().newInstance();
        System.out.println(check.check("ab"));
    }
}
