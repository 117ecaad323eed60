package jfathom.runtime;

/**
 * For how long the virtual thread that a recorder's owner carries was parked, as far as that has no
 * record. The agent adds to the word in memory; only the owner reads and clears it.
 */
final class ParkedTime {
    /** Address of the word, which is the owner's for its life. 0 if nobody has asked for it. */
    long place;

    long ticks() {
        return place == 0 ? 0 : Session.MEMORY.counter(null, place);
    }

    /** The parked times so far have a record, or belong to none. */
    void forget() {
        if (place != 0) Session.MEMORY.setCounter(null, place, 0);
    }
}
