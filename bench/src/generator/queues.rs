//! Producers and consumers with a queue between them.

use super::{random::Random, template::fill};

pub fn draw(random: &mut Random) -> String {
    fill(
        JAVA,
        &[
            ("$CAPACITY", random.size(1, 64).to_string()),
            ("$CONSUMERS", random.within(1, 3).to_string()),
            ("$ITEMS", random.size(10, 1000).to_string()),
            ("$CALLS", random.size(5, 1000).to_string()),
            ("$MAKE", random.size(2, 60).to_string()),
            ("$USE", random.size(2, 60).to_string()),
            ("$QUEUE", random.one_of(&["ArrayBlockingQueue", "LinkedBlockingQueue"]).to_owned()),
        ],
    )
}

const JAVA: &str = r#"
    static int mix(int x, int rounds) {
        int s = x;
        for (int i = 0; i < rounds; i++) s = s * 31 + (s >>> 7);
        return s;
    }
    static int[] make(int number) {
        int[] block = new int[$CALLS];
        for (int i = 0; i < block.length; i++) block[i] = mix(number + i, $MAKE);
        return block;
    }
    static long use(int[] block) {
        long sum = 0;
        for (int value : block) sum += mix(value, $USE);
        return sum;
    }
    static long takeAll(BlockingQueue<int[]> queue) throws InterruptedException {
        long sum = 0;
        for (int[] block = queue.take(); block.length > 0; block = queue.take()) sum += use(block);
        return sum;
    }
    static void putAll(BlockingQueue<int[]> queue, int number) throws InterruptedException {
        for (int i = 0; i < $ITEMS; i++) queue.put(make(number + i));
        for (int i = 0; i < $CONSUMERS; i++) queue.put(new int[0]);
    }
    static long round(int number) {
        BlockingQueue<int[]> queue = new $QUEUE<>($CAPACITY);
        long[] sums = new long[$CONSUMERS];
        Thread[] threads = new Thread[$CONSUMERS];
        try {
            for (int i = 0; i < threads.length; i++) {
                int at = i;
                threads[i] = new Thread(() -> {
                    try { sums[at] = takeAll(queue); } catch (InterruptedException e) { throw new IllegalStateException(e); }
                });
                threads[i].start();
            }
            putAll(queue, number);
            for (Thread thread : threads) thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return Arrays.stream(sums).sum();
    }
"#;
