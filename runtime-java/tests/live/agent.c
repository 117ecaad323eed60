/*
 * A stand-in for the agent of a live session. It holds the range of addresses and the session file,
 * and passes the runtime's calls on to the test program, java.lang.LiveSessions. The JVM finds the
 * native methods here because it looks in agents' libraries.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <jni.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEADER_MODES_OFFSET = 112, HEADER_PAUSES = 2048, HEADER_PAUSED = 2056, MODE_FIRST_CALL = 4 };

static const size_t RANGE = (size_t) 1 << 30;
static char *base;
static size_t length;
static int file = -1;

static int map(int protection, int flags, int fd, size_t offset, size_t bytes) {
    void *at = mmap(base + offset, bytes, protection, flags | MAP_FIXED, fd, (off_t) offset);
    return at == base + offset;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void) vm, (void) options, (void) reserved;
    base = mmap(NULL, RANGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED;
}

JNIEXPORT jlong JNICALL Java_java_lang_JfathomAgentInterface_base(JNIEnv *env, jclass class) {
    (void) env, (void) class;
    return (jlong) (uintptr_t) base;
}

JNIEXPORT jlong JNICALL Java_java_lang_JfathomAgentInterface_grow(JNIEnv *env, jclass class, jlong bytes) {
    (void) env, (void) class;
    if (file < 0 || length + (size_t) bytes > RANGE) return -1;
    if (posix_fallocate(file, (off_t) length, (off_t) bytes) != 0) return -1;
    if (!map(PROT_READ | PROT_WRITE, MAP_SHARED, file, length, (size_t) bytes)) return -1;
    length += (size_t) bytes;
    return (jlong) (length - (size_t) bytes);
}

#ifdef __x86_64__
JNIEXPORT jlong JNICALL Java_java_lang_JfathomTscLibrary_read(JNIEnv *env, jclass class) {
    (void) env, (void) class;
    return (jlong) __builtin_ia32_rdtsc();
}
#endif

static void call_program(JNIEnv *env, const char *name, const char *type, const jvalue *arguments) {
    jclass program = (*env)->FindClass(env, "java/lang/LiveSessions");
    jmethodID method = program ? (*env)->GetStaticMethodID(env, program, name, type) : NULL;
    if (method) (*env)->CallStaticVoidMethodA(env, program, method, arguments);
}

JNIEXPORT void JNICALL Java_java_lang_JfathomAgentInterface_firstCall(JNIEnv *env, jclass class, jint id) {
    (void) class;
    call_program(env, "firstCall", "(I)V", (jvalue[]){{.i = id}});
}

JNIEXPORT void JNICALL Java_java_lang_JfathomAgentInterface_reflected(JNIEnv *env, jclass class, jobject member) {
    (void) class;
    call_program(env, "reflected", "(Ljava/lang/Object;)V", (jvalue[]){{.l = member}});
}

JNIEXPORT void JNICALL
Java_java_lang_JfathomAgentInterface_lookedUp(JNIEnv *env, jclass class, jclass of, jstring name, jobject type) {
    (void) class;
    jvalue arguments[] = {{.l = of}, {.l = name}, {.l = type}};
    call_program(env, "lookedUp", "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)V", arguments);
}

/* Makes the file of a new session. */
JNIEXPORT jboolean JNICALL Java_java_lang_LiveSessions_open(JNIEnv *env, jclass class, jstring path) {
    (void) class;
    const char *text = (*env)->GetStringUTFChars(env, path, NULL);
    file = text ? open(text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (text) (*env)->ReleaseStringUTFChars(env, path, text);
    length = 0;
    return file >= 0;
}

/* Unmaps the file. Late reads and writes meet anonymous memory that nothing reads. */
JNIEXPORT jboolean JNICALL Java_java_lang_LiveSessions_close(JNIEnv *env, jclass class) {
    (void) env, (void) class;
    close(file);
    file = -1;
    return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0, length) != 0;
}

JNIEXPORT void JNICALL Java_java_lang_LiveSessions_setFirst(JNIEnv *env, jclass class, jint id, jboolean first) {
    (void) env, (void) class;
    unsigned char *mode = (unsigned char *) base + *(uint64_t *) (base + HEADER_MODES_OFFSET) + id;
    if (first) __atomic_or_fetch(mode, MODE_FIRST_CALL, __ATOMIC_ACQ_REL);
    else __atomic_and_fetch(mode, ~MODE_FIRST_CALL, __ATOMIC_ACQ_REL);
}

JNIEXPORT void JNICALL Java_java_lang_LiveSessions_setMode(JNIEnv *env, jclass class, jint id, jint mode) {
    (void) env, (void) class;
    unsigned char *at = (unsigned char *) base + *(uint64_t *) (base + HEADER_MODES_OFFSET) + id;
    __atomic_store_n(at, (unsigned char) mode, __ATOMIC_RELEASE);
}

/* As if all threads had been held up for so many ticks. */
JNIEXPORT void JNICALL Java_java_lang_LiveSessions_pauseAll(JNIEnv *env, jclass class, jlong ticks) {
    (void) env, (void) class;
    __atomic_add_fetch((uint64_t *) (base + HEADER_PAUSED), (uint64_t) ticks, __ATOMIC_RELEASE);
    __atomic_add_fetch((uint32_t *) (base + HEADER_PAUSES), 1, __ATOMIC_RELEASE);
}
