package kotlin.coroutines.jvm.internal;

public abstract class ContinuationImpl implements kotlin.coroutines.Continuation {}
