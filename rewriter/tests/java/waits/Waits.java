import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/** Methods whose names say whether they wait for other threads. */
class Waits {
    static class Worker extends Thread {
        void waitsInherited() throws Exception {
            wait(5);
        }
    }

    synchronized void waitsMonitor() throws Exception {
        while (hashCode() == 0) wait();
    }

    void waitsThread(Worker worker) throws Exception {
        worker.join();
    }

    void sleeps() throws Exception {
        Thread.sleep(1);
    }

    void waitsPark() {
        LockSupport.park();
    }

    void waitsCondition(Condition condition) throws Exception {
        condition.await();
    }

    void waitsLatch(CountDownLatch latch) throws Exception {
        latch.await();
    }

    Object waitsFuture(Future<?> future) throws Exception {
        return future.get();
    }

    Object waitsQueue(ArrayBlockingQueue<?> queue) throws Exception {
        return queue.take();
    }

    int runsProcess(Process process) throws Exception {
        return process.waitFor();
    }

    Object looksUp(ConcurrentHashMap<?, ?> map) {
        return map.get("");
    }

    int reads(AtomicInteger number) {
        return number.get();
    }

    String joins() {
        return String.join("", "");
    }

    void wakes(Thread thread) {
        LockSupport.unpark(thread);
        synchronized (this) {
            notifyAll();
        }
    }
}
