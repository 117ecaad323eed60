package kotlin.coroutines.jvm.internal;

public abstract class SuspendLambda extends ContinuationImpl {}
