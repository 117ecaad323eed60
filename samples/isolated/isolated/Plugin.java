package isolated;

/** Lives in a loader whose parent is the boot loader: it sees no class of the class path. */
public final class Plugin implements Runnable {
    @Override
    public void run() { // calls(12)
        for (int i = 0; i < 5; i++) {
            step();
        }
    }

    private void step() {} // calls(60)
}
