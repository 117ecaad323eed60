/*
 * An agent that does nothing: it returns the number that its options are, and says them on stderr.
 */
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    (void)vm;
    (void)reserved;
    fprintf(stderr, "agent %s\n", options);
    return options == NULL ? 0 : atoi(options);
}
