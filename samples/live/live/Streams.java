package live;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;

/**
 * Objects that are written to streams and read from them: what the streams call is in no call
 * instruction of the program.
 */
public final class Streams implements Act {
    private static final int TIMES = 20;

    public static void main(String[] args) throws Exception {
        System.out.println(all());
    }

    @Override
    public String act(String[] words) throws Exception {
        return Integer.toString(all());
    }

    private static int all() throws Exception {
        int sum = 0;
        for (int i = 0; i < TIMES; i++) {
            sum += root(i);
        }
        return sum;
    }

    static int root(int n) throws Exception { // calls(20)
        Part part = (Part) read(write(new Part(n)));
        Outer outer = (Outer) read(write(new Outer(n)));
        Below below = (Below) read(write(new Below(n)));
        Only only = (Only) read(
                stream(new StringBuilder("ylnO$smaertS.evil").reverse().toString()));
        return part.value + outer.value + below.sum() + only.value;
    }

    static byte[] write(Object object) throws IOException { // calls(60)
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    static Object read(byte[] bytes) throws IOException, ClassNotFoundException { // calls(80)
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /** A stream with one object without fields, of a class that the reader alone knows. */
    static byte[] stream(String name) throws IOException { // calls(20)
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_OBJECT);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(name);
        out.writeLong(1);
        out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE
                | ObjectStreamConstants.SC_WRITE_METHOD);
        out.writeShort(0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        return bytes.toByteArray();
    }

    /** Private methods that a stream finds by reflection, and a constructor above that it calls. */
    static final class Part extends Above implements Serializable {
        private static final long serialVersionUID = 1;
        private int value;

        Part(int value) { // calls(20)
            this.value = value;
        }

        private void writeObject(ObjectOutputStream out) throws IOException { // calls(20)
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { // calls(20)
            in.defaultReadObject();
            value = grown(value);
        }

        /** Called by nothing but what a stream calls. */
        private static int grown(int value) { // calls(20)
            return value + 1;
        }
    }

    /** Written by itself. */
    public static final class Outer implements Externalizable {
        private static final long serialVersionUID = 1;
        private int value;

        public Outer() { // calls(20) desc(()V)
            value = -1;
        }

        Outer(int value) { // calls(20) desc((I)V)
            this.value = value;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException { // calls(20)
            out.writeInt(value);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException { // calls(20)
            value = in.readInt();
        }
    }

    /** Not serializable: the stream makes this part by its constructor. */
    static class Above {
        int base;

        Above() { // calls(80)
            base = 3;
        }
    }

    /** Another is written in its place, and another is what the reader gets. */
    static final class Below extends Above implements Serializable {
        private static final long serialVersionUID = 1;
        private final int value;

        Below(int value) { // calls(40)
            this.value = value;
        }

        int sum() { // calls(20)
            return base + value;
        }

        private Object writeReplace() { // calls(20)
            return new Instead(value);
        }
    }

    static final class Instead implements Serializable {
        private static final long serialVersionUID = 1;
        private final int value;

        Instead(int value) { // calls(20)
            this.value = value;
        }

        private Object readResolve() { // calls(20)
            return new Below(value);
        }
    }

    /** Nothing in the program makes one. */
    static final class Only implements Serializable {
        private static final long serialVersionUID = 1;
        private int value;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { // calls(20)
            in.defaultReadObject();
            value = 5;
        }

        private Object readResolve() { // calls(20)
            return this;
        }
    }
}
