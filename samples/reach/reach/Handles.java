package reach;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Method handles whose names are constants. */
public final class Handles {
    static class Target {
        final int value;

        Target(int value) {
            this.value = value;
        }

        int plus(int more) {
            return value + more;
        }

        static String shout(String word) {
            return word + "!";
        }

        static boolean isLong(String word) {
            return word.length() > 3;
        }

        private String hidden() {
            return "hidden";
        }

        String special() {
            return "special";
        }
    }

    static final class Sub extends Target {
        Sub() {
            super(9);
        }

        @Override
        int plus(int more) {
            return super.plus(more) * 2;
        }

        @Override
        String special() {
            return "not called";
        }

        static MethodHandles.Lookup lookup() {
            return MethodHandles.lookup();
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType word = MethodType.methodType(String.class, String.class);
        MethodHandle maker =
                lookup.findConstructor(Target.class, MethodType.methodType(void.class, int.class));
        Target target = (Target) maker.invokeExact(4);
        MethodHandle plus = lookup.findVirtual(
                Target.class, "plus", MethodType.methodType(int.class, int.class));
        System.out.println((int) plus.invokeExact(target, 3)
                + (int) plus.invoke((Target) new Sub(), 1));
        MethodHandle shout = lookup.findStatic(Target.class, "shout", word);
        MethodHandle isLong = lookup.findStatic(
                Target.class, "isLong", MethodType.methodType(boolean.class, String.class));
        MethodHandle either =
                MethodHandles.guardWithTest(isLong, shout, MethodHandles.identity(String.class));
        System.out.println((String) either.invokeExact("word") + either.invokeWithArguments("a"));
        MethodHandle hidden = lookup.bind(target, "hidden", MethodType.methodType(String.class));
        System.out.println((String) hidden.invokeExact());
        MethodHandle special =
                Sub.lookup().findSpecial(Target.class, "special",
                        MethodType.methodType(String.class), Sub.class);
        System.out.println((String) special.invoke(new Sub()));
        System.out.println((String) lookup.unreflect(Handles.class.getDeclaredMethod("reflected"))
                .invokeExact());
    }

    static String reflected() {
        return "reflected";
    }
}
