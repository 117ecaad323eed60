/*
 * native: the native methods of the sample live.Native, which call methods in all the ways that JNI has: each of ten result types by a virtual,
 * a nonvirtual and a static call, and constructors, each with variable parameters, a list of them, and an array.
 *
 * All method ids are looked up as the library is loaded, as most libraries do. Asked for it, the library replaces one of JNI's functions itself.
 */
#include <jvmti.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <time.h>

/* Integers and floating point numbers, more of each than registers hold. */
#define PARAMETERS "(IDJFIDJFIDJFIDJFLlive/Native;)"
#define PASSED \
    (jint)(n + 1), 2.0, (jlong)n << 33, 4.0, (jint)5, 6.0, (jlong)7, 8.0, (jint)9, 10.0, (jlong)11, 12.0, (jint)13, 14.0, (jlong)15, 16.0, of
#define TYPES(each) \
    each(Object, jobject, l, "Ljava/lang/Object;") each(Boolean, jboolean, z, "Z") each(Byte, jbyte, b, "B") each(Char, jchar, c, "C") \
    each(Short, jshort, s, "S") each(Int, jint, i, "I") each(Long, jlong, j, "J") each(Float, jfloat, f, "F") each(Double, jdouble, d, "D")

static JavaVM *vm;
static jclass class, made;
static jmethodID constructor, root, nested, failing, empty, virtual_void, static_void;
#define IDS(Type, type, letter, descriptor) static jmethodID virtual_##Type, static_##Type;
TYPES(IDS)

/* What a result counts: the objects are boxes that nobody looks into. */
static jlong count_Object(jobject value) { return value != NULL; }
#define COUNT(Type, type) static jlong count_##Type(type value) { return (jlong)value; }
COUNT(Boolean, jboolean) COUNT(Byte, jbyte) COUNT(Char, jchar) COUNT(Short, jshort) COUNT(Int, jint) COUNT(Long, jlong)
COUNT(Float, jfloat) COUNT(Double, jdouble)

/* The forms that take a list of parameters, reached as C++'s wrappers reach them. */
#define LISTS(Type, type, letter, descriptor) \
    static type virtual_list_##Type(JNIEnv *env, jobject of, jmethodID method, ...) \
    { \
        va_list list; \
        va_start(list, method); \
        type result = (*env)->Call##Type##MethodV(env, of, method, list); \
        va_end(list); \
        return result; \
    } \
    static type exact_list_##Type(JNIEnv *env, jobject of, jclass in, jmethodID method, ...) \
    { \
        va_list list; \
        va_start(list, method); \
        type result = (*env)->CallNonvirtual##Type##MethodV(env, of, in, method, list); \
        va_end(list); \
        return result; \
    } \
    static type static_list_##Type(JNIEnv *env, jclass in, jmethodID method, ...) \
    { \
        va_list list; \
        va_start(list, method); \
        type result = (*env)->CallStatic##Type##MethodV(env, in, method, list); \
        va_end(list); \
        return result; \
    }
TYPES(LISTS)

static void virtual_list_void(JNIEnv *env, jobject of, jmethodID method, ...)
{
    va_list list;
    va_start(list, method);
    (*env)->CallVoidMethodV(env, of, method, list);
    va_end(list);
}

static void exact_list_void(JNIEnv *env, jobject of, jclass in, jmethodID method, ...)
{
    va_list list;
    va_start(list, method);
    (*env)->CallNonvirtualVoidMethodV(env, of, in, method, list);
    va_end(list);
}

static void static_list_void(JNIEnv *env, jclass in, jmethodID method, ...)
{
    va_list list;
    va_start(list, method);
    (*env)->CallStaticVoidMethodV(env, in, method, list);
    va_end(list);
}

static jobject new_list(JNIEnv *env, jclass in, jmethodID method, ...)
{
    va_list list;
    va_start(list, method);
    jobject result = (*env)->NewObjectV(env, in, method, list);
    va_end(list);
    return result;
}

static jlong all(JNIEnv *env, jclass in, jobject of, jint n)
{
    (void)in;
    jvalue array[] = {
        { .i = n + 1 }, { .d = 2.0 }, { .j = (jlong)n << 33 }, { .f = 4.0f }, { .i = 5 }, { .d = 6.0 }, { .j = 7 }, { .f = 8.0f }, { .i = 9 },
        { .d = 10.0 }, { .j = 11 }, { .f = 12.0f }, { .i = 13 }, { .d = 14.0 }, { .j = 15 }, { .f = 16.0f }, { .l = of },
    };
    jlong sum = 0;
/* An exception ends it, as native code should. */
#define ADD(Type, call) \
    do { \
        jlong counted = count_##Type(call); \
        if ((*env)->ExceptionCheck(env)) \
            return 0; \
        sum = sum * 31 + counted; \
    } while (0)
#define CALL(Type, type, letter, descriptor) \
    ADD(Type, (*env)->Call##Type##Method(env, of, virtual_##Type, PASSED)); \
    ADD(Type, virtual_list_##Type(env, of, virtual_##Type, PASSED)); \
    ADD(Type, (*env)->Call##Type##MethodA(env, of, virtual_##Type, array)); \
    ADD(Type, (*env)->CallNonvirtual##Type##Method(env, of, class, virtual_##Type, PASSED)); \
    ADD(Type, exact_list_##Type(env, of, class, virtual_##Type, PASSED)); \
    ADD(Type, (*env)->CallNonvirtual##Type##MethodA(env, of, class, virtual_##Type, array)); \
    ADD(Type, (*env)->CallStatic##Type##Method(env, class, static_##Type, PASSED)); \
    ADD(Type, static_list_##Type(env, class, static_##Type, PASSED)); \
    ADD(Type, (*env)->CallStatic##Type##MethodA(env, class, static_##Type, array));
    TYPES(CALL)
#define VOID(call) \
    do { \
        call; \
        if ((*env)->ExceptionCheck(env)) \
            return 0; \
    } while (0)
    VOID((*env)->CallVoidMethod(env, of, virtual_void, PASSED));
    VOID(virtual_list_void(env, of, virtual_void, PASSED));
    VOID((*env)->CallVoidMethodA(env, of, virtual_void, array));
    VOID((*env)->CallNonvirtualVoidMethod(env, of, class, virtual_void, PASSED));
    VOID(exact_list_void(env, of, class, virtual_void, PASSED));
    VOID((*env)->CallNonvirtualVoidMethodA(env, of, class, virtual_void, array));
    VOID((*env)->CallStaticVoidMethod(env, class, static_void, PASSED));
    VOID(static_list_void(env, class, static_void, PASSED));
    VOID((*env)->CallStaticVoidMethodA(env, class, static_void, array));
    ADD(Object, (*env)->NewObject(env, made, constructor, PASSED));
    ADD(Object, new_list(env, made, constructor, PASSED));
    ADD(Object, (*env)->NewObjectA(env, made, constructor, array));
    return sum;
}

/* Calls a method that calls this one, n times in all. */
static jint nest(JNIEnv *env, jclass in, jint n)
{
    return (*env)->CallStaticIntMethod(env, in, nested, n);
}

/* The exception of what it calls goes on. */
static void fail(JNIEnv *env, jclass in)
{
    (*env)->CallStaticVoidMethod(env, in, failing);
}

/* Native code takes the exception. */
static jboolean catch(JNIEnv *env, jclass in)
{
    (*env)->CallStaticVoidMethod(env, in, failing);
    jboolean thrown = (*env)->ExceptionCheck(env);
    (*env)->ExceptionClear(env);
    return thrown;
}

struct work {
    jint rounds;
    jlong sum;
};

static void *thread(void *argument)
{
    struct work *work = argument;
    JNIEnv *env;
    if ((*vm)->AttachCurrentThread(vm, (void **)&env, NULL) != JNI_OK)
        return NULL;
    for (jint i = 0; i < work->rounds; i++) {
        work->sum += (*env)->CallStaticLongMethod(env, class, root, i);
        if ((*env)->ExceptionCheck(env)) {
            (*env)->ExceptionDescribe(env);
            work->sum = -1;
            break;
        }
    }
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}

/* Calls the root on a thread that the JVM did not start. */
static jlong on_thread(JNIEnv *env, jclass in, jint rounds)
{
    (void)env, (void)in;
    struct work work = { rounds, 0 };
    pthread_t id;
    if (pthread_create(&id, NULL, thread, &work) != 0 || pthread_join(id, NULL) != 0)
        return -1;
    return work.sum;
}

/* A sum over all functions of JNI's table: another one if any of them is another one. */
static jlong table(JNIEnv *env, jclass in)
{
    (void)in;
    uint64_t sum = 0;
    for (int slot = 4; slot < 233; slot++)
        sum = sum * 31 + (uintptr_t)((void *const *)*env)[slot];
    return (jlong)sum;
}

/* The time in nanoseconds that so many calls of an empty static method take. */
static jlong time_calls(JNIEnv *env, jclass in, jint calls)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (jint i = 0; i < calls; i++) {
        (*env)->CallStaticVoidMethod(env, in, empty);
        if ((*env)->ExceptionCheck(env))
            return -1;
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec;
}

static void (*below)(JNIEnv *, jclass, jmethodID, const jvalue *);

/* What stands in JNI's table in place of CallStaticVoidMethodA. */
static void overlaid(JNIEnv *env, jclass in, jmethodID method, const jvalue *array)
{
    below(env, in, method, array);
}

/* As another agent would. */
static jboolean overlay(JNIEnv *env, jclass in)
{
    (void)env, (void)in;
    jvmtiEnv *jvmti;
    jniNativeInterface *functions;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK
        || (*jvmti)->GetJNIFunctionTable(jvmti, &functions) != JVMTI_ERROR_NONE)
        return JNI_FALSE;
    below = functions->CallStaticVoidMethodA;
    functions->CallStaticVoidMethodA = overlaid;
    jvmtiError error = (*jvmti)->SetJNIFunctionTable(jvmti, functions);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)functions);
    (*jvmti)->DisposeEnvironment(jvmti);
    return error == JVMTI_ERROR_NONE;
}

static jclass global(JNIEnv *env, const char *name)
{
    jclass found = (*env)->FindClass(env, name);
    return found == NULL ? NULL : (*env)->NewGlobalRef(env, found);
}

static int look_up(JNIEnv *env)
{
    if ((class = global(env, "live/Native")) == NULL || (made = global(env, "live/Native$Made")) == NULL)
        return 0;
#define LOOK_UP(Type, type, letter, descriptor) \
    if ((virtual_##Type = (*env)->GetMethodID(env, class, #letter, PARAMETERS descriptor)) == NULL \
        || (static_##Type = (*env)->GetStaticMethodID(env, class, "s" #letter, PARAMETERS descriptor)) == NULL) \
        return 0;
    TYPES(LOOK_UP)
    return (virtual_void = (*env)->GetMethodID(env, class, "v", PARAMETERS "V")) != NULL
        && (static_void = (*env)->GetStaticMethodID(env, class, "sv", PARAMETERS "V")) != NULL
        && (constructor = (*env)->GetMethodID(env, made, "<init>", PARAMETERS "V")) != NULL
        && (root = (*env)->GetStaticMethodID(env, class, "root", "(I)J")) != NULL
        && (nested = (*env)->GetStaticMethodID(env, class, "nested", "(I)I")) != NULL
        && (failing = (*env)->GetStaticMethodID(env, class, "failing", "()V")) != NULL
        && (empty = (*env)->GetStaticMethodID(env, class, "empty", "()V")) != NULL;
}

static JNINativeMethod methods[] = {
    { "all", "(Llive/Native;I)J", (void *)all },  { "nest", "(I)I", (void *)nest },          { "fail", "()V", (void *)fail },
    { "caught", "()Z", (void *)catch },           { "onThread", "(I)J", (void *)on_thread }, { "table", "()J", (void *)table },
    { "time", "(I)J", (void *)time_calls },       { "overlay", "()Z", (void *)overlay },
};

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *java, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    vm = java;
    if ((*java)->GetEnv(java, (void **)&env, JNI_VERSION_1_8) != JNI_OK || !look_up(env)
        || (*env)->RegisterNatives(env, class, methods, sizeof methods / sizeof *methods) != JNI_OK)
        return JNI_ERR;
    return JNI_VERSION_1_8;
}
