package jfathom.tool.fit;

import java.util.PriorityQueue;

/** Events in a queue by time, with handlers behind an interface. */
final class Events {
    private static final int OPEN = Draw.within(4, 200);
    private static final int WORK = Draw.within(0, 60);
    private static final int KINDS = Draw.within(1, 3);
    private static final int TIMES = Draw.within(50, 1000);
    private static final Handler[] HANDLERS = {new Arrivals(), new Services(), new Pauses()};

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private int state = 1;
    private long served;

    private interface Handler {
        int handle(Events events, Event event);
    }

    private static final class Event implements Comparable<Event> {
        private final long time;
        private final int kind;

        Event(long time, int kind) {
            this.time = time;
            this.kind = kind;
        }

        long time() {
            return time;
        }

        @Override
        public int compareTo(Event other) {
            return Long.compare(time, other.time());
        }
    }

    private static final class Arrivals implements Handler {
        @Override
        public int handle(Events events, Event event) {
            return events.random(100);
        }
    }

    private static final class Services implements Handler {
        @Override
        public int handle(Events events, Event event) {
            events.serve(event);
            return events.random(30);
        }
    }

    private static final class Pauses implements Handler {
        @Override
        public int handle(Events events, Event event) {
            return 50 + events.random(3);
        }
    }

    private int random(int limit) {
        state = state * 1664525 + 1013904223;
        return (state >>> 8) % limit;
    }

    private void serve(Event event) {
        int mixed = (int) event.time();
        for (int i = 0; i < WORK; i++) mixed = mixed * 31 + (mixed >>> 7);
        served += mixed;
    }

    private void plan(long time) {
        queue.add(new Event(time, random(KINDS)));
    }

    private void step() {
        Event event = queue.remove();
        plan(event.time() + 1 + HANDLERS[event.kind].handle(this, event));
    }

    static long run(int rounds) {
        Events events = new Events();
        for (int i = 0; i < OPEN; i++) events.plan(i);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < TIMES; i++) events.step();
        }
        return events.served + events.state;
    }
}
