package kotlin.coroutines.jvm.internal;

import kotlin.coroutines.Continuation;

/** A continuation of a suspend function: resuming it calls the function again. */
public abstract class ContinuationImpl implements Continuation {
    public abstract Object invokeSuspend(Object result);

    @Override
    public void resumeWith(Object result) {
        invokeSuspend(result);
    }
}
