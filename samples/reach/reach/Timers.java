package reach;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** Timer tasks. */
public final class Timers {
    static final class Tick extends TimerTask {
        private final CountDownLatch latch;

        Tick(CountDownLatch latch) {
            this.latch = latch;
        }

        @Override
        public void run() {
            ticked();
            latch.countDown();
        }

        private void ticked() {
            System.out.println("tick");
        }

        @Override
        public boolean cancel() {
            return super.cancel();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(2);
        Timer timer = new Timer(true);
        Tick again = new Tick(latch);
        timer.schedule(again, 0, 1);
        latch.await();
        System.out.println(again.cancel());
        timer.cancel();
    }
}
