package app;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the engine's tests are told of. */
public class Program {
    public static void main(String[] args) {
        new Program().run(args.length);
    }

    int field;

    int getField() {
        return field;
    }

    void run(int times) {
        for (int i = 0; i < times; i++) field += own(i);
        Helper.help(getField());
        Thread thread = new Thread(new Task());
        thread.start();
    }

    int own(int i) {
        return i * 3;
    }

    static void unused() {
        Helper.other();
    }

    static class Part {
        static void go() {
            Helper.other();
        }
    }
}

class Helper {
    static void help(int times) {
        if (times > 0) Deep.down();
    }

    static void other() {
        Deep.down();
    }
}

class Deep {
    static void down() {
        System.out.println("down");
    }
}

class Task implements Runnable {
    @Override
    public void run() {
        Deep.down();
    }
}

class Marked {
    @Timed
    void timed() {
        Deep.down();
    }

    void plain() {
    }
}

interface Shape {
    double area();
}

@Retention(RetentionPolicy.CLASS)
@interface Timed {
}
