package live;

/** Something that {@link Desk} does on request. */
interface Act {
    /** Does it; the answer is one line. */
    String act(String[] words) throws Throwable;
}
