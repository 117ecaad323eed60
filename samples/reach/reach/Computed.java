package reach;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ResourceBundle;
import java.util.concurrent.Callable;

/** What no constant names whole: names that are put together, deserialisation, bundles. */
public final class Computed {
    public static class One implements Callable<String> {
        @Override
        public String call() {
            return "one";
        }
    }

    static class Kept implements Serializable {
        private Object readResolve() {
            return "resolved";
        }
    }

    public static class Bundle_en extends java.util.ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"key", "value"}};
        }
    }

    public static void main(String[] args) throws Exception {
        String[] names = {"One"};
        String prefix = Computed.class.getName();
        Object one = Class.forName(prefix + "$" + names[0]).getConstructor().newInstance();
        System.out.println(((Callable<?>) one).call());
        System.out.println(Computed.class.getDeclaredMethod("hid" + "den".substring(args.length))
                .invoke(null));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new Kept());
        System.out.println(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))
                .readObject());
        System.out.println(ResourceBundle.getBundle(prefix + "$Bundle", java.util.Locale.ENGLISH)
                .getString("key"));
    }

    static String hidden() {
        return "hidden";
    }
}
