/*
 * code: a JVMTI agent that writes how long the code of each method is in the JVM now, so that what was put into it, and whether it was taken
 * out, is seen by somebody else.
 *
 *     jcmd PID JVMTI.agent_load …/code.so FILE,PREFIX
 *
 * FILE gets a line `CLASS.NAMEDESCRIPTOR BYTES` for each method with code of each loaded class whose internal name begins with PREFIX, and `end`
 * as its last line. It can be loaded as often as wanted.
 */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static void write_class(jvmtiEnv *jvmti, FILE *out, jclass class, const char *prefix)
{
    char *signature = NULL;
    jint count = 0;
    jmethodID *methods = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    size_t length = strlen(signature);
    if (signature[0] == 'L' && strncmp(signature + 1, prefix, strlen(prefix)) == 0
        && (*jvmti)->GetClassMethods(jvmti, class, &count, &methods) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < count; i++) {
            char *name = NULL, *descriptor = NULL;
            unsigned char *code = NULL;
            jint bytes = 0;
            (*jvmti)->GetMethodName(jvmti, methods[i], &name, &descriptor, NULL);
            if ((*jvmti)->GetBytecodes(jvmti, methods[i], &bytes, &code) == JVMTI_ERROR_NONE && name != NULL)
                fprintf(out, "%.*s.%s%s %d\n", (int)length - 2, signature + 1, name, descriptor, (int)bytes);
            (*jvmti)->Deallocate(jvmti, code);
            (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
            (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    jvmtiEnv *jvmti = NULL;
    JNIEnv *jni = NULL;
    char file[4096];
    const char *prefix = strchr(options, ',');
    if (prefix == NULL || (size_t)(prefix - options) >= sizeof file)
        return 1;
    memcpy(file, options, (size_t)(prefix - options));
    file[prefix - options] = 0;
    prefix++;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK || (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK)
        return 2;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_bytecodes = 1;
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE)
        return 3;
    FILE *out = fopen(file, "w");
    if (out == NULL)
        return 4;
    jint count = 0;
    jclass *classes = NULL;
    (*jvmti)->GetLoadedClasses(jvmti, &count, &classes);
    for (jint i = 0; i < count; i++) {
        write_class(jvmti, out, classes[i], prefix);
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    fputs("end\n", out);
    fclose(out);
    (*jvmti)->DisposeEnvironment(jvmti);
    return 0;
}
