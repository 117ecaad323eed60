package kotlin.coroutines;

/** By its name alone like Kotlin's. */
public interface Continuation {
    void resumeWith(Object result);
}
