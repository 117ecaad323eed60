/** A lambda that never suspends. */
class Plain extends kotlin.coroutines.jvm.internal.ContinuationImpl {
    int label;

    public Object invokeSuspend(Object result) {
        switch (label) {
            case 0: return result;
            default: throw new IllegalStateException();
        }
    }
}
