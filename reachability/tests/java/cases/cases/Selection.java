package cases;

import java.util.function.Supplier;

/** Resolution and selection (JVMS 5.4.3, 5.4.6). */
public final class Selection {
    private Selection() {}

    static class Base {
        public void m() {
            Log.hit();
        }

        public Object covariant() {
            Log.hit();
            return this;
        }

        static void s() {
            Log.hit();
        }
    }

    static class Derived extends Base {
        @Override
        public void m() {
            Log.hit();
        }

        @Override
        public String covariant() {
            Log.hit();
            return "";
        }

        static void s() {
            Log.hit();
        }
    }

    public static void override() {
        Base base = new Derived();
        base.m();
    }

    public static void notAllocated() {
        Base base = new Base();
        base.m();
    }

    public static void covariantReturn() {
        Base base = new Derived();
        base.covariant();
    }

    public static void hiddenStatic() {
        Base.s();
    }

    public static void packagePrivateInTwoPackages() {
        pa.A.callM(new pb.Other());
    }

    public static void packagePrivateOfTheSubclass() {
        pb.Other.callOther(new pb.Other());
    }

    public static void packagePrivateThroughWidening() {
        pa.A.callM(new pb.Far());
    }

    public static void packagePrivateAcrossAnotherPackage() {
        pa.A.callM(new pa.Back());
    }

    public static void packagePrivateSeenFromBetween() {
        pb.Other.callOther(new pa.Back());
    }

    interface Top {
        default void d() {
            Log.hit();
        }

        default void e() {
            Log.hit();
        }
    }

    interface Middle extends Top {
        @Override
        default void d() {
            Log.hit();
        }
    }

    static class Both implements Top, Middle {}

    static class BelowBoth extends Both implements Top {}

    static class Own {
        public void d() {
            Log.hit();
        }
    }

    static class OwnAndTop extends Own implements Middle {}

    abstract static class Half implements Middle {
        void run() {
            d();
            e();
        }
    }

    static class Whole extends Half {
        @Override
        public void e() {
            Log.hit();
        }
    }

    public static void maximallySpecific() {
        Top top = new Both();
        top.d();
    }

    public static void maximallySpecificFromAClass() {
        BelowBoth below = new BelowBoth();
        below.d();
    }

    public static void classBeforeDefault() {
        Top top = new OwnAndTop();
        top.d();
    }

    public static void interfaceMethodThroughAbstractClass() {
        new Whole().run();
    }

    static class Nest {
        private void hidden() {
            Log.hit();
        }
    }

    static class NestBelow extends Nest {
        void hidden() {
            Log.hit();
        }
    }

    public static void privateOfANestmate() {
        Nest nest = new NestBelow();
        nest.hidden();
    }

    static class Between extends Base {}

    static class CallsSuper extends Between implements Middle {
        @Override
        public void m() {
            super.m();
        }

        @Override
        public void d() {
            Middle.super.d();
        }

        @Override
        public void e() {
            Middle.super.e();
        }
    }

    public static void superSkipsAClass() {
        new CallsSuper().m();
    }

    public static void superOfAnInterface() {
        new CallsSuper().d();
    }

    public static void superOfAnInterfaceAbove() {
        new CallsSuper().e();
    }

    interface Generic<T> {
        void take(T t);
    }

    static class OfString implements Generic<String> {
        @Override
        public void take(String text) {
            Log.hit();
        }
    }

    public static void bridge() {
        Generic<String> generic = new OfString();
        generic.take("");
    }

    interface WithPrivate {
        private void secret() {
            Log.hit();
        }

        static void open() {
            Log.hit();
        }

        default void both() {
            secret();
            open();
        }
    }

    static class HasSecret implements WithPrivate {
        public void secret() {
            Log.hit();
        }
    }

    public static void privateAndStaticOfAnInterface() {
        WithPrivate secret = new HasSecret();
        secret.both();
    }

    static class CloneMe implements Cloneable {
        @Override
        public Object clone() {
            Log.hit();
            return this;
        }
    }

    public static void cloneOfAnArray() {
        Object[] all = {new CloneMe()};
        all.clone();
        all.hashCode();
    }

    public static void objectMethodOfAnInterface() {
        Top top = new Top() {
            @Override
            public String toString() {
                Log.hit();
                return "";
            }
        };
        top.toString();
    }

    static class CallsBack {
        CallsBack() {
            ready();
        }

        void ready() {
            Log.hit();
        }
    }

    static class CalledBack extends CallsBack {
        @Override
        void ready() {
            Log.hit();
        }
    }

    public static void overriddenFromConstructor() {
        new CalledBack();
    }

    static void target() {
        Log.hit();
    }

    static final class Made {
        Made() {
            Log.hit();
        }

        void bound() {
            Log.hit();
        }
    }

    public static void lambda() {
        Runnable run = () -> Log.hit();
        run.run();
    }

    public static void lambdaThatNobodyCalls() {
        Generic<String> generic = text -> Log.hit();
        generic.hashCode();
    }

    public static void methodReferences() {
        Runnable run = Selection::target;
        run.run();
        Supplier<Made> make = Made::new;
        Made made = make.get();
        run = made::bound;
        run.run();
    }

    public static void virtualMethodReference() {
        java.util.function.Consumer<Base> call = Base::m;
        call.accept(new Derived());
    }

    interface Marked {}

    public static void lambdaWithMarker() {
        Runnable run = (Runnable & Marked & java.io.Serializable) () -> Log.hit();
        run.run();
    }
}
