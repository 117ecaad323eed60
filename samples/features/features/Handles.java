package features;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Methods that java.lang.invoke finds and calls. */
public final class Handles {
    private Handles() {}

    public static final class Virtual {
        public static void main(String[] args) throws Throwable {
            MethodHandle handle =
                    MethodHandles.lookup()
                            .findVirtual(Desk.class, "work", MethodType.methodType(void.class));
            handle.invoke(new Desk());
        }

        static final class Desk {
            void work() {
                Truth.called();
            }
        }
    }

    public static final class Static {
        public static void main(String[] args) throws Throwable {
            MethodHandle handle =
                    MethodHandles.lookup()
                            .findStatic(
                                    Desk.class,
                                    "work",
                                    MethodType.methodType(int.class, int.class));
            int unused = (int) handle.invokeExact(1);
        }

        static final class Desk {
            static int work(int value) {
                Truth.called();
                return value;
            }
        }
    }

    public static final class Constructor {
        public static void main(String[] args) throws Throwable {
            MethodType type = MethodType.methodType(void.class, String.class);
            MethodHandles.lookup().findConstructor(Desk.class, type).invoke("x");
        }

        static final class Desk {
            Desk() {
                Truth.called();
            }

            Desk(String name) {
                Truth.called();
            }
        }
    }

    public static final class Special {
        public static void main(String[] args) throws Throwable {
            new Desk().callAbove();
        }

        static class Above {
            void work() {
                Truth.called();
            }
        }

        static final class Desk extends Above {
            @Override
            void work() {
                Truth.called();
            }

            void callAbove() throws Throwable {
                MethodType type = MethodType.methodType(void.class);
                MethodHandles.lookup().findSpecial(Above.class, "work", type, Desk.class)
                        .invoke(this);
            }
        }
    }

    public static final class Unreflected {
        public static void main(String[] args) throws Throwable {
            for (Method method : Desk.class.getDeclaredMethods()) {
                MethodHandles.lookup().unreflect(method).invoke(new Desk());
            }
        }

        static final class Desk {
            void work() {
                Truth.called();
            }
        }
    }

    public static final class Bound {
        public static void main(String[] args) throws Throwable {
            lookUp(new Desk(), "work").invoke();
        }

        static MethodHandle lookUp(Object receiver, String name) throws Exception {
            return MethodHandles.lookup().bind(receiver, name, MethodType.methodType(void.class));
        }

        static final class Desk {
            void work() {
                Truth.called();
            }
        }
    }

    public static final class AsInterface {
        public static void main(String[] args) throws Throwable {
            MethodHandle handle =
                    MethodHandles.lookup()
                            .findStatic(Desk.class, "work", MethodType.methodType(void.class));
            MethodHandleProxies.asInterfaceInstance(Runnable.class, handle).run();
        }

        static final class Desk {
            static void work() {
                Truth.called();
            }
        }
    }

    public static final class Proxied {
        public static void main(String[] args) {
            Class<?>[] interfaces = {Task.class};
            Task task = (Task) Proxy.newProxyInstance(Handles.class.getClassLoader(), interfaces,
                    (proxy, method, in) -> {
                Truth.called();
                return null;
            });
            task.run();
        }
    }

    public static final class References {
        public static void main(String[] args) {
            Function<String, Object> make = Desk::new;
            ((Desk) make.apply("x")).work();
            IntFunction<Object[]> array = Desk[]::new;
            array.apply(1);
            Runnable bound = new Desk("y")::work;
            bound.run();
        }

        static final class Desk {
            Desk(String name) {
                Truth.called();
            }

            void work() {
                Truth.called();
            }
        }
    }

    /** JLS 12.4.1 through java.lang.invoke: the class of a static field */
    public static final class StaticVar {
        public static void main(String[] args) throws Throwable {
            MethodHandles.lookup().findStaticVarHandle(Holder.class, "value", int.class).get();
        }

        static final class Holder {
            static int value = start();

            private static int start() {
                Truth.called();
                return 1;
            }
        }
    }
}
