package features;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What the Java Object Serialization Specification makes an Object stream call (chapters 2 to 4).
 */
public final class Serial {
    private Serial() {}

    static byte[] write(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /**
     * A stream with one object without fields (6.4.2), of a class whose name the constant pool does
     * not show.
     */
    static byte[] stream(String reversed, int flags, boolean endsBlock) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_OBJECT);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(new StringBuilder(reversed).reverse().toString());
        out.writeLong(1);
        out.writeByte(flags);
        out.writeShort(0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        if (endsBlock) out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        return bytes.toByteArray();
    }

    /** 3.4 */
    public static final class ReadObject {
        public static void main(String[] args) throws Exception {
            read(write(new Data()));
        }

        static final class Data implements Serializable {
            private static final long serialVersionUID = 1;

            private void readObject(ObjectInputStream in)
                    throws IOException, ClassNotFoundException {
                Truth.called();
                in.defaultReadObject();
            }
        }
    }

    /** 2.3 */
    public static final class WriteObject {
        public static void main(String[] args) throws Exception {
            write(new Data());
        }

        static final class Data implements Serializable {
            private static final long serialVersionUID = 1;

            private void writeObject(ObjectOutputStream out) throws IOException {
                Truth.called();
                out.defaultWriteObject();
            }
        }
    }

    /** 3.7 */
    public static final class ReadResolve {
        public static void main(String[] args) throws Exception {
            read(write(new Single()));
        }

        static final class Single implements Serializable {
            private static final long serialVersionUID = 1;

            private Object readResolve() {
                Truth.called();
                return this;
            }
        }
    }

    /** 2.5 */
    public static final class WriteReplace {
        public static void main(String[] args) throws Exception {
            write(new Data());
        }

        static class Data implements Serializable {
            private static final long serialVersionUID = 1;

            protected Object writeReplace() {
                Truth.called();
                return "instead";
            }
        }
    }

    /** 2.11, 3.5 */
    public static final class External {
        public static void main(String[] args) throws Exception {
            read(write(new Point(3)));
        }

        public static final class Point implements Externalizable {
            private static final long serialVersionUID = 1;
            private int x;

            public Point() {
                Truth.called();
            }

            Point(int x) {
                this.x = x;
            }

            @Override
            public void writeExternal(ObjectOutput out) throws IOException {
                Truth.called();
                out.writeInt(x);
            }

            @Override
            public void readExternal(ObjectInput in) throws IOException {
                Truth.called();
                x = in.readInt();
            }
        }
    }

    /**
     * 3.1, step 11: the constructor without parameters of the first class that is not serializable
     */
    public static final class SuperConstructor {
        public static void main(String[] args) throws Exception {
            read(write(new Data(1)));
        }

        static class Plain {
            Plain() {
                Truth.called();
            }

            Plain(int unused) {}
        }

        static final class Data extends Plain implements Serializable {
            private static final long serialVersionUID = 1;

            Data(int value) {
                super(value);
            }
        }
    }

    /** 3.1: the classes of a stream that the reader alone knows */
    public static final class ReadOnly {
        public static void main(String[] args) throws Exception {
            byte flags =
                    ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD;
            read(stream("ataD$ylnOdaeR$laireS.serutaef", flags, true));
        }

        static final class Data implements Serializable {
            private static final long serialVersionUID = 1;

            private void readObject(ObjectInputStream in)
                    throws IOException, ClassNotFoundException {
                Truth.called();
                in.defaultReadObject();
            }

            private Object readResolve() {
                Truth.called();
                return this;
            }
        }
    }

    /** 3.5, of a class that the reader alone knows */
    public static final class ExternalReadOnly {
        public static void main(String[] args) throws Exception {
            byte flags =
                    ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA;
            read(stream("ataD$ylnOdaeRlanretxE$laireS.serutaef", flags, true));
        }

        public static final class Data implements Externalizable {
            private static final long serialVersionUID = 1;

            public Data() {
                Truth.called();
            }

            @Override
            public void writeExternal(ObjectOutput out) {}

            @Override
            public void readExternal(ObjectInput in) {
                Truth.called();
            }
        }
    }

    /** 3.4, a class without data in the stream */
    public static final class NoData {
        public static void main(String[] args) throws Exception {
            read(stream("ataD$ataDoN$laireS.serutaef", ObjectStreamConstants.SC_SERIALIZABLE,
                    false));
        }

        static class Above implements Serializable {
            private static final long serialVersionUID = 1;

            private void readObjectNoData() {
                Truth.called();
            }
        }

        static final class Data extends Above {
            private static final long serialVersionUID = 1;
        }
    }

    /** 2.1, 3.1: annotateClass and resolveClass */
    public static final class Annotated {
        public static void main(String[] args) throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new Out(bytes)) {
                out.writeObject(new ArrayList<>(List.of("x")));
            }
            try (ObjectInputStream in = new In(new ByteArrayInputStream(bytes.toByteArray()))) {
                in.readObject();
            }
        }

        static final class Out extends ObjectOutputStream {
            Out(OutputStream out) throws IOException {
                super(out);
            }

            @Override
            protected void annotateClass(Class<?> type) {
                Truth.called();
            }
        }

        static final class In extends ObjectInputStream {
            In(InputStream in) throws IOException {
                super(in);
            }

            @Override
            protected Class<?> resolveClass(ObjectStreamClass type)
                    throws IOException, ClassNotFoundException {
                Truth.called();
                return super.resolveClass(type);
            }
        }
    }

    /** 2.1, 3.1: replaceObject and resolveObject */
    public static final class Replaced {
        public static void main(String[] args) throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new Out(bytes)) {
                out.writeObject(new ArrayList<>(List.of("x")));
            }
            try (ObjectInputStream in = new In(new ByteArrayInputStream(bytes.toByteArray()))) {
                in.readObject();
            }
        }

        static final class Out extends ObjectOutputStream {
            Out(OutputStream out) throws IOException {
                super(out);
                enableReplaceObject(true);
            }

            @Override
            protected Object replaceObject(Object object) {
                Truth.called();
                return object;
            }
        }

        static final class In extends ObjectInputStream {
            In(InputStream in) throws IOException {
                super(in);
                enableResolveObject(true);
            }

            @Override
            protected Object resolveObject(Object object) {
                Truth.called();
                return object;
            }
        }
    }

    /** 3.6 */
    public static final class Validated {
        public static void main(String[] args) throws Exception {
            read(write(new Data()));
        }

        static final class Data implements Serializable, ObjectInputValidation {
            private static final long serialVersionUID = 1;

            private void readObject(ObjectInputStream in)
                    throws IOException, ClassNotFoundException {
                Truth.called();
                in.registerValidation(this, 0);
                in.defaultReadObject();
            }

            @Override
            public void validateObject() throws InvalidObjectException {
                Truth.called();
            }
        }
    }

    /** 1.13: a record is made by its canonical constructor */
    public static final class OfRecord {
        public static void main(String[] args) throws Exception {
            read(write(new Pair(1, 2)));
        }

        record Pair(int left, int right) implements Serializable {
            Pair {
                Truth.called();
            }
        }
    }

    /** SerializedLambda, and the $deserializeLambda$ of the capturing class */
    public static final class OfLambda {
        interface Getter extends Supplier<String>, Serializable {}

        public static void main(String[] args) throws Exception {
            Getter getter = () -> {
                Truth.called();
                return "got";
            };
            ((Getter) read(write(getter))).get();
        }
    }

    /** HashMap.readObject asks the keys */
    public static final class HashKeys {
        public static void main(String[] args) throws Exception {
            HashMap<Key, String> map = new HashMap<>();
            map.put(new Key(), "value");
            read(write(map));
        }

        static final class Key implements Serializable {
            private static final long serialVersionUID = 1;

            @Override
            public int hashCode() {
                Truth.called();
                return 1;
            }

            @Override
            public boolean equals(Object other) {
                return other instanceof Key;
            }
        }
    }

    /** A set whose elements only the stream has */
    public static final class TreeKeys {
        public static void main(String[] args) throws Exception {
            TreeMap<Key, String> map = new TreeMap<>();
            map.put(new Key(1), "one");
            map.put(new Key(2), "two");
            read(write(map));
        }

        static final class Key implements Serializable, Comparable<Key> {
            private static final long serialVersionUID = 1;
            private final int value;

            Key(int value) {
                this.value = value;
            }

            @Override
            public int compareTo(Key other) {
                Truth.called();
                return Integer.compare(value, other.value);
            }
        }
    }

    /** A comparator in the stream, and used after it */
    public static final class Compared {
        public static void main(String[] args) throws Exception {
            PriorityQueue<String> queue = new PriorityQueue<>(new Order());
            queue.add("b");
            queue.add("a");
            read(write(queue));
        }

        static final class Order implements Comparator<String>, Serializable {
            private static final long serialVersionUID = 1;

            @Override
            public int compare(String left, String right) {
                Truth.called();
                return left.compareTo(right);
            }
        }
    }

    /** 2.2, 3.2: named fields of a stream */
    public static final class PutFields {
        public static void main(String[] args) throws Exception {
            read(write(new Data()));
        }

        static final class Data implements Serializable {
            private static final long serialVersionUID = 1;
            private static final ObjectStreamField[] serialPersistentFields =
                    {new ObjectStreamField("n", int.class)};

            private void writeObject(ObjectOutputStream out) throws IOException {
                Truth.called();
                out.putFields().put("n", 7);
                out.writeFields();
            }

            private void readObject(ObjectInputStream in)
                    throws IOException, ClassNotFoundException {
                Truth.called();
                in.readFields().get("n", 0);
            }
        }
    }

    /** 1.5: each class of the hierarchy reads its own part */
    public static final class Hierarchy {
        public static void main(String[] args) throws Exception {
            read(write(new Below()));
        }

        static class Above implements Serializable {
            private static final long serialVersionUID = 1;

            private void readObject(ObjectInputStream in)
                    throws IOException, ClassNotFoundException {
                Truth.called();
                in.defaultReadObject();
            }
        }

        static final class Below extends Above {
            private static final long serialVersionUID = 1;

            private void readObject(ObjectInputStream in)
                    throws IOException, ClassNotFoundException {
                Truth.called();
                in.defaultReadObject();
            }
        }
    }

    /** 1.12: the handler of a proxy is in the stream */
    public static final class OfProxy {
        public static void main(String[] args) throws Exception {
            Class<?>[] interfaces = {Runnable.class};
            Object proxy = Proxy.newProxyInstance(Serial.class.getClassLoader(), interfaces,
                    new Handler());
            ((Runnable) read(write(proxy))).run();
        }

        static final class Handler implements InvocationHandler, Serializable {
            private static final long serialVersionUID = 1;

            @Override
            public Object invoke(Object proxy, Method method, Object[] arguments) {
                Truth.called();
                return null;
            }
        }
    }

    /** 3.8: filters */
    public static final class Filtered {
        public static void main(String[] args) throws Exception {
            byte[] bytes = write(new ArrayList<>(List.of("x")));
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                in.setObjectInputFilter(new Filter());
                in.readObject();
            }
        }

        static final class Filter implements ObjectInputFilter {
            @Override
            public Status checkInput(FilterInfo info) {
                Truth.called();
                return Status.UNDECIDED;
            }
        }
    }

    /** Objects that hang on others */
    public static final class Graph {
        public static void main(String[] args) throws Exception {
            HashSet<Object> set = new HashSet<>();
            set.add(new Box());
            read(write(set));
        }

        static final class Box implements Serializable {
            private static final long serialVersionUID = 1;
            private final Object content = Box.make();

            private static Object make() {
                return new Content();
            }
        }

        static final class Content implements Serializable {
            private static final long serialVersionUID = 1;

            private void writeObject(ObjectOutputStream out) throws IOException {
                Truth.called();
                out.defaultWriteObject();
            }

            private Object readResolve() {
                Truth.called();
                return this;
            }
        }
    }
}
