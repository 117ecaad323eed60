/*
 * empty: retransforms loaded classes without changing them: what a recording's cycle costs the JVM at the least.
 *
 *     jcmd PID JVMTI.agent_load …/empty.so PREFIX,TIMES
 *
 * All classes whose internal names begin with PREFIX go through one RetransformClasses, TIMES times, with a load hook that changes nothing.
 */
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

static void JNICALL hook(jvmtiEnv *jvmti, JNIEnv *jni, jclass before, jobject loader, const char *name, jobject domain, jint length,
                         const unsigned char *bytes, jint *new_length, unsigned char **new_bytes)
{
    /* The same bytes again: as a rewriter that takes its probes out. */
    (void)jni, (void)loader, (void)name, (void)domain;
    if (before == NULL || (*jvmti)->Allocate(jvmti, length, new_bytes) != JVMTI_ERROR_NONE)
        return;
    memcpy(*new_bytes, bytes, (size_t)length);
    *new_length = length;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    jvmtiEnv *jvmti = NULL;
    JNIEnv *jni = NULL;
    char prefix[256];
    char *comma = strchr(options, ',');
    if (comma == NULL || (size_t)(comma - options) >= sizeof prefix)
        return 1;
    memcpy(prefix, options, (size_t)(comma - options));
    prefix[comma - options] = 0;
    int times = atoi(comma + 1);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK || (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK)
        return 2;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_retransform_classes = 1;
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE)
        return 3;
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassFileLoadHook = hook;
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    jint count = 0, chosen = 0;
    jclass *classes = NULL;
    (*jvmti)->GetLoadedClasses(jvmti, &count, &classes);
    for (jint i = 0; i < count; i++) {
        char *signature = NULL;
        jboolean can = JNI_FALSE;
        (*jvmti)->GetClassSignature(jvmti, classes[i], &signature, NULL);
        if (signature != NULL && signature[0] == 'L' && strncmp(signature + 1, prefix, strlen(prefix)) == 0
            && (*jvmti)->IsModifiableClass(jvmti, classes[i], &can) == JVMTI_ERROR_NONE && can)
            classes[chosen++] = classes[i];
        else
            (*jni)->DeleteLocalRef(jni, classes[i]);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    jint result = 0;
    while (times-- > 0 && result == 0)
        result = (*jvmti)->RetransformClasses(jvmti, chosen, classes) == JVMTI_ERROR_NONE ? 0 : 4;
    for (jint i = 0; i < chosen; i++)
        (*jni)->DeleteLocalRef(jni, classes[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    (*jvmti)->DisposeEnvironment(jvmti);
    return result;
}
