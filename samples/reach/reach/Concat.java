package reach;

import java.util.Formattable;
import java.util.Formatter;
import java.util.List;
import java.util.Objects;

/** Texts made of objects. */
public final class Concat {
    static final class ByConcat {
        @Override
        public String toString() {
            return inner();
        }

        private String inner() {
            return "concat";
        }
    }

    interface Shown {
        String shown();
    }

    static final class ByInterface implements Shown {
        @Override
        public String shown() {
            return "shown";
        }

        @Override
        public String toString() {
            return shown();
        }
    }

    static final class ByBuilder {
        @Override
        public String toString() {
            return "builder";
        }
    }

    static final class ByFormat implements Formattable {
        @Override
        public void formatTo(Formatter formatter, int flags, int width, int precision) {
            formatter.format("formatted");
        }
    }

    static final class ByList {
        @Override
        public String toString() {
            return "in a list";
        }
    }

    static final class ByDefault {
        @Override
        public int hashCode() {
            return 77;
        }
    }

    static final class Text implements CharSequence {
        @Override
        public int length() {
            return 2;
        }

        @Override
        public char charAt(int index) {
            return 'x';
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return this;
        }

        @Override
        public String toString() {
            return "xx";
        }
    }

    public static void main(String[] args) {
        Object object = new ByConcat();
        Shown shown = new ByInterface();
        String text = "a " + object + " b " + shown;
        text += new StringBuilder().append(new ByBuilder()).append(new Text()).toString();
        text += String.format("%s %d", new ByFormat(), 1) + List.of(new ByList());
        text += String.join(",", List.of(new Text())) + Objects.toString(null) + new ByDefault();
        System.out.println(text);
    }
}
