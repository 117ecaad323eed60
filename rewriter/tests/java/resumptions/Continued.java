/** A suspend function's continuation: it does nothing but resume the function. */
class Continued extends kotlin.coroutines.jvm.internal.ContinuationImpl {
    int label;

    public Object invokeSuspend(Object result) {
        label |= Integer.MIN_VALUE;
        return Resumptions.resumesFunction(0, this);
    }
}
