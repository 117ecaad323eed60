package features;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Members that java.lang.reflect finds and calls. */
public final class Members {
    private Members() {}

    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE, ElementType.FIELD, ElementType.CONSTRUCTOR})
    @interface Marked {
        Class<?> by() default Object.class;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Defaulted {
        Class<? extends Task> by() default AnnotationDefault.Handler.class;
    }

    public static final class ByConstant {
        public static void main(String[] args) throws Exception {
            Method method = Desk.class.getMethod("greet", String.class);
            method.invoke(new Desk(), "x");
        }

        public static final class Desk {
            public void greet(String name) {
                Truth.called();
            }

            public void leave() {
                Truth.called();
            }
        }
    }

    public static final class Iterated {
        public static void main(String[] args) throws Exception {
            for (Method method : Desk.class.getDeclaredMethods()) {
                if (Modifier.isStatic(method.getModifiers())) method.invoke(null);
            }
        }

        public static final class Desk {
            static void one() {
                Truth.called();
            }

            static void two() {
                Truth.called();
            }
        }
    }

    public static final class Inherited {
        public static void main(String[] args) throws Exception {
            Object desk = new Desk();
            for (Method method : desk.getClass().getMethods()) {
                if (method.getName().startsWith("test")) method.invoke(desk);
            }
        }

        public static class Above {
            public void testAbove() {
                Truth.called();
            }
        }

        public static final class Desk extends Above {
            public void testOwn() {
                Truth.called();
            }
        }
    }

    public static final class ByAnnotation {
        public static void main(String[] args) throws Exception {
            Object desk = new Desk();
            for (Method method : desk.getClass().getDeclaredMethods()) {
                if (method.isAnnotationPresent(Marked.class)) method.invoke(desk);
            }
        }

        public static final class Desk {
            @Marked
            void marked() {
                Truth.called();
            }

            void other() {
                Truth.called();
            }
        }
    }

    public static final class NameHanded {
        public static void main(String[] args) throws Exception {
            call(new Desk(), "greet");
        }

        static void call(Object target, String name) throws Exception {
            target.getClass().getMethod(name).invoke(target);
        }

        public static final class Desk {
            public void greet() {
                Truth.called();
            }
        }
    }

    public static final class NameComputed {
        public static void main(String[] args) throws Exception {
            Bean bean = new Bean();
            for (String property : new String[] {"Size", "Colour"}) {
                Bean.class.getMethod("get" + property).invoke(bean);
            }
        }

        public static final class Bean {
            public int getSize() {
                Truth.called();
                return 1;
            }

            public String getColour() {
                Truth.called();
                return "red";
            }
        }
    }

    public static final class NameRead {
        public static void main(String[] args) throws Exception {
            Object bean = new Bean();
            String name = new StringBuilder("ezis").reverse().toString();
            Method method = bean.getClass().getDeclaredMethod(name);
            method.invoke(bean);
        }

        public static final class Bean {
            public int size() {
                Truth.called();
                return 1;
            }
        }
    }

    public static final class Mapped {
        public static void main(String[] args) throws Exception {
            Map<String, Method> commands = new HashMap<>();
            for (Method method : Commands.class.getDeclaredMethods()) {
                commands.put(method.getName(), method);
            }
            commands.get(Names.word('s') + "top").invoke(new Commands());
        }

        public static final class Commands {
            public void start() {
                Truth.called();
            }

            public void stop() {
                Truth.called();
            }
        }
    }

    public static final class WithParameter {
        public static void main(String[] args) throws Exception {
            Desk.class.getDeclaredConstructor(int.class).newInstance(3);
        }

        public static final class Desk {
            Desk() {
                Truth.called();
            }

            Desk(int size) {
                Truth.called();
            }
        }
    }

    public static final class First {
        public static void main(String[] args) throws Exception {
            Desk.class.getConstructors()[0].newInstance("x", 1);
        }

        public static final class Desk {
            public Desk(String name, int size) {
                Truth.called();
            }
        }
    }

    public static final class Declared {
        public static void main(String[] args) throws Exception {
            for (Constructor<?> constructor : Desk.class.getDeclaredConstructors()) {
                constructor.newInstance(new Object[constructor.getParameterCount()]);
            }
        }

        public static final class Desk {
            Desk() {
                Truth.called();
            }

            Desk(String name) {
                Truth.called();
            }
        }
    }

    public static final class Old {
        @SuppressWarnings("deprecation")
        public static void main(String[] args) throws Exception {
            Desk.class.newInstance();
        }

        public static final class Desk {
            public Desk() {
                Truth.called();
            }
        }
    }

    public static final class Overridden {
        public static void main(String[] args) throws Exception {
            Method method = Above.class.getMethod("work");
            Above above = new Below();
            method.invoke(above);
        }

        public static class Above {
            public void work() {
                Truth.called();
            }
        }

        public static final class Below extends Above {
            @Override
            public void work() {
                Truth.called();
            }
        }
    }

    public static final class Private {
        public static void main(String[] args) throws Exception {
            Method method = Desk.class.getDeclaredMethod("secret", int.class);
            method.setAccessible(true);
            method.invoke(new Desk(), 1);
        }

        static final class Desk {
            private int secret(int value) {
                Truth.called();
                return value;
            }
        }
    }

    public static final class Constants {
        public static void main(String[] args) {
            for (Object constant : Colour.class.getEnumConstants()) ((Task) constant).run();
        }

        enum Colour implements Task {
            RED,
            BLUE {
                @Override
                public void run() {
                    Truth.called();
                }
            };

            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Components {
        public static void main(String[] args) throws Exception {
            Pair pair = new Pair(1, "two");
            for (RecordComponent component : pair.getClass().getRecordComponents()) {
                component.getAccessor().invoke(pair);
            }
        }

        record Pair(int left, String right) {
            public int left() {
                Truth.called();
                return left;
            }

            public String right() {
                Truth.called();
                return right;
            }
        }
    }

    public static final class Classes {
        public static void main(String[] args) throws Exception {
            for (Class<?> type : Classes.class.getDeclaredClasses()) {
                ((Task) type.getDeclaredConstructor().newInstance()).run();
            }
        }

        static final class One implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }

        static final class Two implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Inner {
        public static void main(String[] args) throws Exception {
            Inner.Part.class.getDeclaredConstructor(Inner.class).newInstance(new Inner());
        }

        final class Part {
            Part() {
                Truth.called();
            }
        }
    }

    public static final class Upwards {
        public static void main(String[] args) throws Exception {
            Object desk = new Desk();
            for (Class<?> type = desk.getClass();
                    type != Object.class;
                    type = type.getSuperclass()) {
                for (Method method : type.getDeclaredMethods()) method.invoke(desk);
            }
        }

        static class Above {
            void above() {
                Truth.called();
            }
        }

        static final class Desk extends Above {
            void own() {
                Truth.called();
            }
        }
    }

    public static final class OfInterface {
        public static void main(String[] args) throws Exception {
            Greeter.class.getMethod("greet").invoke(new Desk());
        }

        public interface Greeter {
            default void greet() {
                Truth.called();
            }
        }

        public static final class Desk implements Greeter {}
    }

    public static final class ClassOfObject {
        public static void main(String[] args) throws Exception {
            Task again = copy(new Desk());
            again.run();
        }

        static Task copy(Task task) throws Exception {
            return task.getClass().getDeclaredConstructor().newInstance();
        }

        static final class Desk implements Task {
            Desk() {
                Truth.called();
            }

            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class FieldType {
        public static void main(String[] args) throws Exception {
            Object desk = new Desk();
            for (Field field : desk.getClass().getDeclaredFields()) {
                field.set(desk, field.getType().getDeclaredConstructor().newInstance());
            }
            ((Desk) desk).engine.run();
        }

        static final class Desk {
            Engine engine;
        }

        static final class Engine implements Task {
            Engine() {
                Truth.called();
            }

            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class ParameterType {
        public static void main(String[] args) throws Exception {
            Constructor<?> constructor = Desk.class.getDeclaredConstructors()[0];
            Object part = constructor.getParameterTypes()[0].getDeclaredConstructor().newInstance();
            constructor.newInstance(part);
        }

        static final class Desk {
            Desk(Engine engine) {
                Truth.called();
            }
        }

        static final class Engine {
            Engine() {
                Truth.called();
            }
        }
    }

    public static final class AnnotationValue {
        public static void main(String[] args) throws Exception {
            ((Task) Desk.class.getAnnotation(Marked.class).by().getDeclaredConstructor()
                    .newInstance()).run();
        }

        @Marked(by = Handler.class)
        static final class Desk {}

        static final class Handler implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class AnnotationDefault {
        public static void main(String[] args) throws Exception {
            Desk.class.getAnnotation(Defaulted.class).by().getDeclaredConstructor().newInstance()
                    .run();
        }

        @Defaulted
        static final class Desk {}

        static final class Handler implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class TypeArgument {
        public static void main(String[] args) throws Exception {
            new Sink() {}.make().run();
        }

        abstract static class Source<T extends Task> {
            Task make() throws Exception {
                Class<?> type = getClass();
                while (type.getSuperclass() != Source.class) type = type.getSuperclass();
                ParameterizedType above = (ParameterizedType) type.getGenericSuperclass();
                Class<?> argument = (Class<?>) above.getActualTypeArguments()[0];
                return (Task) argument.getDeclaredConstructor().newInstance();
            }
        }

        static class Sink extends Source<Item> {}

        static final class Item implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class OfArray {
        public static void main(String[] args) throws Exception {
            Object array = Array.newInstance(Item.class, 1);
            ((Task) array.getClass().getComponentType().getDeclaredConstructor().newInstance())
                    .run();
        }

        static final class Item implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    /** JLS 12.4.1: reading a static field by reflection initialises its class */
    public static final class StaticField {
        public static void main(String[] args) throws Exception {
            Holder.class.getDeclaredField("value").get(null);
        }

        static final class Holder {
            static int value = start();

            private static int start() {
                Truth.called();
                return 1;
            }
        }
    }

    public static final class Supplied {
        public static void main(String[] args) throws Exception {
            Supplier<Class<? extends Task>> types = () -> Item.class;
            types.get().getDeclaredConstructor().newInstance().run();
        }

        static final class Item implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }
}
