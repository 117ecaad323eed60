/** A lambda that goes on where its label says. */
class Lambda extends kotlin.coroutines.jvm.internal.ContinuationImpl {
    int label;

    public Object invokeSuspend(Object result) {
        switch (label) {
            case 0: return Resumptions.passesOn(this);
            case 1: return result;
            default: throw new IllegalStateException();
        }
    }
}
