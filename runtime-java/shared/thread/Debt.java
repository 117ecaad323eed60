package jfathom.runtime;

/**
 * What a thread recorder keeps ready for a record that its thread is going to owe. Written by the
 * owner alone, by fields alone where the stack may have no room for a call.
 */
final class Debt {
    /** Becomes {@link Activity#owed} when it is needed. Null after the heap was full. */
    Owed spare = new Owed();
    /** Whether {@code spare} has become an activity's. */
    boolean lent;

    /** Another thread's records follow: the thread that was here has taken along what it owes. */
    void renew() {
        if (lent || spare == null) spare = Owed.make();
        lent = false;
    }
}
