package cases;

/** Initialisation of classes (JVMS 5.5). Each class is used by one case only. */
public final class Initialisation {
    private Initialisation() {}

    static int ran() {
        return 1;
    }

    static class ByNew {
        static {
            Log.hit();
        }
    }

    public static void byNew() {
        new ByNew();
    }

    static class ByField {
        static int field;

        static {
            Log.hit();
        }
    }

    public static void byField() {
        ByField.field = 1;
    }

    static class ByMethod {
        static {
            Log.hit();
        }

        static void method() {
            Log.hit();
        }
    }

    public static void byMethod() {
        ByMethod.method();
    }

    static class Constant {
        static final int VALUE = 3;

        static {
            Log.hit();
        }
    }

    public static void notByConstant() {
        if (Constant.VALUE == 4) {
            Log.hit();
        }
    }

    static class Above {
        static int field;

        static {
            Log.hit();
        }

        static void method() {}
    }

    static class Below extends Above {
        static {
            Log.hit();
        }
    }

    public static void fieldAndMethodThroughTheSubclass() {
        Below.field = 1;
        Below.method();
    }

    static class Super {
        static {
            Log.hit();
        }
    }

    interface WithDefault {
        int VALUE = hit();

        static int hit() {
            Log.hit();
            return 1;
        }

        default void d() {}
    }

    interface WithoutDefault {
        int VALUE = hit();

        static int hit() {
            Log.hit();
            return 1;
        }
    }

    static class Sub extends Super implements WithDefault, WithoutDefault {
        static {
            Log.hit();
        }
    }

    public static void supersAndInterfaces() {
        new Sub();
    }

    static class OnlyArray {
        static {
            Log.hit();
        }
    }

    public static void notByArrayOrClassConstant() {
        Object array = new OnlyArray[1];
        Object type = OnlyArray.class;
        array.equals(type);
    }

    enum Letters {
        A {
            @Override
            void speak() {
                Log.hit();
            }
        };

        abstract void speak();
    }

    public static void enumByReflection() {
        for (Letters letter : java.util.EnumSet.allOf(Letters.class)) {
            letter.speak();
        }
    }
}
