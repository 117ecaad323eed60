//! Sleeps and timed parks between pieces of work.

use super::{random::Random, template::fill};
use std::fmt::Write as _;

pub fn draw(random: &mut Random) -> String {
    let mut steps = String::new();
    for _ in 0..random.within(1, 3) {
        let micros = random.size(100, 20_000);
        let step = match random.within(0, 3) {
            0 => format!("rest({}); ", micros.div_ceil(1000)),
            1 => format!("park({micros}); "),
            2 => format!("poll({micros}); "),
            _ => format!("await({micros}); "),
        };
        let _ = write!(steps, "{step}");
    }
    let beside = if random.one_in(2) { HELPER } else { ALONE };
    fill(
        &format!("{JAVA}{beside}"),
        &[
            ("$STEPS", steps),
            ("$CALLS", random.size(1, 5000).to_string()),
            ("$WORK", random.size(1, 60).to_string()),
        ],
    )
}

const JAVA: &str = r#"
    static void rest(int millis) {
        try { Thread.sleep(millis); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
    static void park(long micros) {
        long end = System.nanoTime() + micros * 1000;
        for (long left = micros * 1000; left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }
    static final ArrayBlockingQueue<Integer> NOTHING = new ArrayBlockingQueue<>(1);
    static void poll(long micros) {
        try { NOTHING.poll(micros, TimeUnit.MICROSECONDS); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
    static final CountDownLatch NEVER = new CountDownLatch(1);
    static void await(long micros) {
        try { NEVER.await(micros, TimeUnit.MICROSECONDS); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
    static int work(int x) {
        int s = x;
        for (int i = 0; i < $WORK; i++) s = s * 31 + (s >>> 7);
        return s;
    }
    static long piece(int number) {
        long sum = 0;
        for (int i = 0; i < $CALLS; i++) sum += work(number + i);
        return sum;
    }
    static long round(int number) {
        if (number == 0) start();
        long sum = piece(number);
        $STEPS
        return sum;
    }
"#;

const ALONE: &str = r#"
    static void start() {}
"#;

const HELPER: &str = r#"
    static volatile long beside;
    static void busy() {
        int x = 1;
        for (int i = 0; i < 3000; i++) beside += piece(x + i) & 1;
    }
    static final class Beside extends Thread {
        Beside() { setDaemon(true); }
        @Override public void run() { busy(); }
    }
    static void start() { new Beside().start(); }
"#;
