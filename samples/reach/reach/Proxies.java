package reach;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Proxies: whatever is called on them comes to their handler. */
public final class Proxies {
    interface Greeter {
        String greet(String whom);

        default String all() {
            return greet("all");
        }
    }

    static final class Real implements Greeter {
        @Override
        public String greet(String whom) {
            return "hello " + whom;
        }
    }

    static final class Counting implements InvocationHandler {
        private final Greeter target;
        private int calls;

        Counting(Greeter target) {
            this.target = target;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            count();
            return method.invoke(target, arguments);
        }

        private void count() {
            calls++;
        }
    }

    public static void main(String[] args) {
        Counting counting = new Counting(new Real());
        Class<?>[] types = {Greeter.class};
        Greeter greeter = (Greeter) Proxy.newProxyInstance(Proxies.class.getClassLoader(), types,
                counting);
        System.out.println(greeter.greet("you") + " " + greeter.all() + " " + counting.calls);
        Greeter lambda = (Greeter) Proxy.newProxyInstance(Proxies.class.getClassLoader(), types,
                (proxy, method, arguments) -> name(method));
        System.out.println(lambda.greet("nobody") + lambda);
    }

    private static String name(Method method) {
        return method.getName();
    }
}
