/*
 * calls: a JVMTI agent that logs which methods a JVM really calls.
 *
 *     java -agentpath:…/calls.so=log=FILE[,root=CLASS.NAME[DESCRIPTOR]][,mode=first|entry] …
 *
 * A %p in FILE stands for the process id: of use where a script starts several JVMs.
 *
 * The log is UTF-8 text, a line each, in the order of happening:
 *
 *     L NAME                        a class was prepared (JVMS 5.4.2); internal name, supertypes before subtypes
 *     L! NAME                       the same for a class that was made at run time: hidden ones (NAME has a '+'),
 *                                   proxies, reflection's accessors
 *     R CLASS.NAMEDESCRIPTOR        the root was entered for the first time
 *     C THREAD CLASS.NAMEDESCRIPTOR first call of this method on a thread that is inside the root (the root is on its
 *                                   stack); THREAD counts from 1. The root of R has no such line
 *     c THREAD CLASS.NAMEDESCRIPTOR first call on a thread that is outside, while another one is inside. The same
 *                                   method can have a C later
 *     E                             the JVM ended in an orderly way (its main returned, exit, or halt)
 *
 * Classes that were prepared before the JVM was initialised come first. Without a root every call after the
 * initialisation counts, and there is neither R nor c.
 *
 * mode=entry uses the MethodEntry event: exact, natives too, but everything is interpreted.
 * mode=first (the default) puts a breakpoint at the first instruction of each method when the root is entered, for classes that are
 * prepared later when they are, and takes it out at its first hit inside the root. A hit outside takes it out as well
 * (after a few, while another thread is inside), until the root is entered again. So nearly everything runs compiled. Native methods
 * have no instructions and are not seen, nor methods that the JVM replaces by code of its own (Math.sin, Reference.get).
 * A thread outside that has used up its hits hides later calls of that method inside, if the root is never entered again.
 *
 * JVMTI functions are called with the lock held: a thread that waits for it is in native code, where safepoints and
 * handshakes do not wait for it.
 */
#include <jvmti.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 256, MAX_THREADS_INSIDE = 256, OUTSIDE_HITS = 16 };

/* What is known of one method. */
typedef struct {
    jmethodID id;
    unsigned char armed;   /* has a breakpoint */
    unsigned char called;  /* has its C, or R */
    unsigned char outside; /* has its c */
    unsigned char pending; /* in the list of those to arm at the next entry of the root */
    unsigned char root;
    unsigned hits;         /* outside, since it was armed */
} Method;

static struct {
    jvmtiEnv *jvmti;
    pthread_mutex_t lock;
    FILE *log;
    char *root_class, *root_name, *root_descriptor; /* null: none given */
    int entry_mode;
    int live;    /* the JVM is initialised and has not ended */
    int active;  /* the root has been entered, or there is none */
    Method *table; /* open addressing, a power of two in size */
    size_t size, used;
    jmethodID *pending;
    size_t pending_count, pending_size;
    jthread inside[MAX_THREADS_INSIDE]; /* weak references to threads that entered the root */
    int inside_count;
    uintptr_t threads;
} agent;

static void *checked(void *memory) {
    if (memory == NULL) {
        fputs("calls agent: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static Method *slot(Method *table, size_t size, jmethodID id) {
    uint64_t hash = (uint64_t)(uintptr_t)id * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & (size - 1);
    while (table[at].id != NULL && table[at].id != id) {
        at = (at + 1) & (size - 1);
    }
    return &table[at];
}

/* The entry of a method, made where there is none. Valid until the next call. */
static Method *method(jmethodID id) {
    if (agent.used * 2 >= agent.size) {
        size_t size = agent.size == 0 ? 1 << 15 : agent.size * 2;
        Method *table = checked(calloc(size, sizeof *table));
        for (size_t i = 0; i < agent.size; i++) {
            if (agent.table[i].id != NULL) {
                *slot(table, size, agent.table[i].id) = agent.table[i];
            }
        }
        free(agent.table);
        agent.table = table;
        agent.size = size;
    }
    Method *found = slot(agent.table, agent.size, id);
    if (found->id == NULL) {
        found->id = id;
        agent.used++;
    }
    return found;
}

static void release(void *memory) {
    (*agent.jvmti)->Deallocate(agent.jvmti, memory);
}

/* A class's internal name, from its signature: `Lp/A;`, hidden `Lp/A.0x12;`, which becomes `p/A+0x12`. To be freed; null
 * for arrays and primitive types. */
static char *class_name(jclass class) {
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
        return NULL;
    }
    char *name = NULL;
    size_t length = strlen(signature);
    if (length > 2 && signature[0] == 'L') {
        name = checked(calloc(length, 1));
        memcpy(name, signature + 1, length - 2);
        for (char *c = name; *c != 0; c++) {
            *c = *c == '.' ? '+' : *c;
        }
    }
    release(signature);
    return name;
}

static int numbered(const char *text) {
    return *text != 0 && text[strspn(text, "0123456789")] == 0;
}

/* Whether a class of this name is in no container. */
static int made_at_run_time(const char *name) {
    const char *accessor = "jdk/internal/reflect/Generated";
    const char *proxy = strstr(name, "/$Proxy");
    return strchr(name, '+') != NULL || strncmp(name, accessor, strlen(accessor)) == 0 ||
           (proxy != NULL && numbered(proxy + 7)) || (strncmp(name, "$Proxy", 6) == 0 && numbered(name + 6));
}

static void log_class(jclass class) {
    char *name = class_name(class);
    if (name != NULL) {
        fprintf(agent.log, made_at_run_time(name) ? "L! %s\n" : "L %s\n", name);
        free(name);
    }
}

/* Writes `KIND CLASS.NAMEDESCRIPTOR`. */
static void log_method(JNIEnv *jni, const char *kind, jmethodID id) {
    jclass class = NULL;
    char *name = NULL, *descriptor = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, id, &class) != JVMTI_ERROR_NONE ||
        (*agent.jvmti)->GetMethodName(agent.jvmti, id, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) {
        return;
    }
    char *owner = class_name(class);
    fprintf(agent.log, "%s %s.%s%s\n", kind, owner == NULL ? "?" : owner, name, descriptor);
    free(owner);
    release(name);
    release(descriptor);
    (*jni)->DeleteLocalRef(jni, class);
}

static uintptr_t thread_number(jthread thread) {
    void *number = NULL;
    if ((*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, thread, &number) == JVMTI_ERROR_NONE && number == NULL) {
        number = (void *)++agent.threads;
        (*agent.jvmti)->SetThreadLocalStorage(agent.jvmti, thread, number);
    }
    return (uintptr_t)number;
}

/* Whether a root is on the thread's stack. */
static int inside(jthread thread) {
    jvmtiFrameInfo frames[FRAMES];
    jint count = 0;
    for (jint depth = 0;; depth += count) {
        if ((*agent.jvmti)->GetStackTrace(agent.jvmti, thread, depth, FRAMES, frames, &count) != JVMTI_ERROR_NONE) {
            return 0;
        }
        for (jint i = 0; i < count; i++) {
            if (method(frames[i].method)->root) {
                return 1;
            }
        }
        if (count < FRAMES) {
            return 0;
        }
    }
}

/* Whether a thread other than this one is inside the root now. */
static int another_inside(JNIEnv *jni, jthread thread) {
    for (int i = 0; i < agent.inside_count; i++) {
        jthread other = (*jni)->NewLocalRef(jni, agent.inside[i]);
        int found = other != NULL && !(*jni)->IsSameObject(jni, other, thread) && inside(other);
        if (other == NULL) {
            (*jni)->DeleteWeakGlobalRef(jni, agent.inside[i]);
            agent.inside[i--] = agent.inside[--agent.inside_count];
        }
        (*jni)->DeleteLocalRef(jni, other);
        if (found) {
            return 1;
        }
    }
    return 0;
}

static void remember_thread(JNIEnv *jni, jthread thread) {
    for (int i = 0; i < agent.inside_count; i++) {
        if ((*jni)->IsSameObject(jni, agent.inside[i], thread)) {
            return;
        }
    }
    if (agent.inside_count < MAX_THREADS_INSIDE) {
        agent.inside[agent.inside_count++] = (*jni)->NewWeakGlobalRef(jni, thread);
    }
}

static void arm(jmethodID id) {
    Method *found = method(id);
    if (found->armed || (found->called && !found->root)) {
        return;
    }
    /* Refused where there are no instructions: native and abstract methods. */
    found->armed = (*agent.jvmti)->SetBreakpoint(agent.jvmti, id, 0) == JVMTI_ERROR_NONE;
    found->hits = 0;
}

static void disarm(jmethodID id) {
    Method *found = method(id);
    if (found->armed) {
        (*agent.jvmti)->ClearBreakpoint(agent.jvmti, id, 0);
        found->armed = 0;
    }
}

static void arm_later(jmethodID id) {
    Method *found = method(id);
    if (found->pending) {
        return;
    }
    found->pending = 1;
    if (agent.pending_count == agent.pending_size) {
        agent.pending_size = agent.pending_size == 0 ? 1024 : agent.pending_size * 2;
        agent.pending = checked(realloc(agent.pending, agent.pending_size * sizeof *agent.pending));
    }
    agent.pending[agent.pending_count++] = id;
}

static int is_root_class(jclass class) {
    char *name = agent.root_class == NULL ? NULL : class_name(class);
    int same = name != NULL && strcmp(name, agent.root_class) == 0;
    free(name);
    return same;
}

static int is_root(jmethodID id) {
    char *name = NULL, *descriptor = NULL;
    if ((*agent.jvmti)->GetMethodName(agent.jvmti, id, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) {
        return 0;
    }
    int same = strcmp(name, agent.root_name) == 0 &&
               (agent.root_descriptor == NULL || strcmp(descriptor, agent.root_descriptor) == 0);
    release(name);
    release(descriptor);
    return same;
}

/* Marks roots, and puts breakpoints: on roots always, on the others while active. */
static void take_methods(jclass class) {
    int root_class = is_root_class(class);
    jint count = 0;
    jmethodID *ids = NULL;
    if ((!root_class && (agent.entry_mode || !agent.active)) ||
        (*agent.jvmti)->GetClassMethods(agent.jvmti, class, &count, &ids) != JVMTI_ERROR_NONE) {
        return;
    }
    for (jint i = 0; i < count; i++) {
        if (root_class && is_root(ids[i])) {
            method(ids[i])->root = 1;
        }
        if (!agent.entry_mode && (agent.active || method(ids[i])->root)) {
            arm(ids[i]);
        }
    }
    release(ids);
}

static int is_prepared(jclass class) {
    jint status = 0;
    (*agent.jvmti)->GetClassStatus(agent.jvmti, class, &status);
    return (status & JVMTI_CLASS_STATUS_PREPARED) != 0 && (status & JVMTI_CLASS_STATUS_ARRAY) == 0;
}

/* Logs a class after its supertypes, once; the tag says which have been. */
static void log_with_supertypes(JNIEnv *jni, jclass class) {
    jlong tag = 0;
    (*agent.jvmti)->GetTag(agent.jvmti, class, &tag);
    if (tag != 0) {
        return;
    }
    (*agent.jvmti)->SetTag(agent.jvmti, class, 1);
    jclass super = (*jni)->GetSuperclass(jni, class);
    if (super != NULL) {
        log_with_supertypes(jni, super);
        (*jni)->DeleteLocalRef(jni, super);
    }
    jint count = 0;
    jclass *interfaces = NULL;
    if ((*agent.jvmti)->GetImplementedInterfaces(agent.jvmti, class, &count, &interfaces) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < count; i++) {
            log_with_supertypes(jni, interfaces[i]);
            (*jni)->DeleteLocalRef(jni, interfaces[i]);
        }
        release(interfaces);
    }
    log_class(class);
}

static void take_loaded(JNIEnv *jni) {
    jint count = 0;
    jclass *classes = NULL;
    (*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes);
    for (jint i = 0; i < count; i++) {
        if (is_prepared(classes[i])) {
            log_with_supertypes(jni, classes[i]);
            take_methods(classes[i]);
        }
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    release(classes);
}

static void enter_root(JNIEnv *jni, jthread thread, jmethodID id) {
    remember_thread(jni, thread);
    if (!agent.active) {
        agent.active = 1;
        log_method(jni, "R", id);
        method(id)->called = 1;
        take_loaded(jni);
    }
    size_t count = agent.pending_count;
    agent.pending_count = 0;
    for (size_t i = 0; i < count; i++) {
        method(agent.pending[i])->pending = 0;
        arm(agent.pending[i]);
    }
}

/* A method begins on a thread. Everything that counts goes through here, in both modes. */
static void begins(JNIEnv *jni, jthread thread, jmethodID id) {
    if (!agent.live) {
        return;
    }
    if (method(id)->root) {
        enter_root(jni, thread, id);
    }
    if (!agent.active || method(id)->called) {
        return;
    }
    char kind[32];
    if (agent.root_class == NULL || inside(thread)) {
        snprintf(kind, sizeof kind, "C %lu", (unsigned long)thread_number(thread));
        log_method(jni, kind, id);
        method(id)->called = 1;
        if (!method(id)->root) {
            disarm(id);
        }
        return;
    }
    int other = another_inside(jni, thread);
    if (other && !method(id)->outside) {
        snprintf(kind, sizeof kind, "c %lu", (unsigned long)thread_number(thread));
        log_method(jni, kind, id);
        method(id)->outside = 1;
    }
    if (!other || ++method(id)->hits >= OUTSIDE_HITS) {
        disarm(id);
        arm_later(id);
    }
}

static void JNICALL on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id, jlocation location) {
    (void)jvmti;
    (void)location;
    pthread_mutex_lock(&agent.lock);
    begins(jni, thread, id);
    pthread_mutex_unlock(&agent.lock);
}

static void JNICALL on_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id) {
    (void)jvmti;
    pthread_mutex_lock(&agent.lock);
    begins(jni, thread, id);
    pthread_mutex_unlock(&agent.lock);
}

static void JNICALL on_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class) {
    (void)jvmti;
    (void)thread;
    pthread_mutex_lock(&agent.lock);
    if (agent.live) {
        log_with_supertypes(jni, class);
        take_methods(class);
    }
    pthread_mutex_unlock(&agent.lock);
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)thread;
    pthread_mutex_lock(&agent.lock);
    agent.live = 1;
    agent.active = agent.root_class == NULL;
    take_loaded(jni);
    pthread_mutex_unlock(&agent.lock);
    jvmtiEvent event = agent.entry_mode ? JVMTI_EVENT_METHOD_ENTRY : JVMTI_EVENT_BREAKPOINT;
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni) {
    (void)jvmti;
    (void)jni;
    pthread_mutex_lock(&agent.lock);
    agent.live = 0;
    fputs("E\n", agent.log);
    fclose(agent.log);
    pthread_mutex_unlock(&agent.lock);
}

static int refuse(const char *what, const char *which) {
    fprintf(stderr, "calls agent: %s%s; options: log=FILE[,root=CLASS.NAME[DESCRIPTOR]][,mode=first|entry]\n", what, which);
    return JNI_ERR;
}

/* Takes `CLASS.NAME[DESCRIPTOR]` apart; the class with dots or slashes. */
static int parse_root(char *root) {
    char *descriptor = strchr(root, '(');
    if (descriptor != NULL) {
        agent.root_descriptor = checked(strdup(descriptor));
        *descriptor = 0;
    }
    char *dot = strrchr(root, '.');
    if (dot == NULL) {
        return 0;
    }
    *dot = 0;
    for (char *c = root; *c != 0; c++) {
        *c = *c == '.' ? '/' : *c;
    }
    agent.root_class = checked(strdup(root));
    agent.root_name = checked(strdup(dot + 1));
    return 1;
}

static FILE *open_log(const char *path) {
    const char *mark = strstr(path, "%p");
    size_t size = strlen(path) + 32;
    char *full = checked(malloc(size));
    if (mark == NULL) {
        snprintf(full, size, "%s", path);
    } else {
        snprintf(full, size, "%.*s%ld%s", (int)(mark - path), path, (long)getpid(), mark + 2);
    }
    FILE *log = fopen(full, "w");
    free(full);
    return log;
}

static int parse_options(const char *options) {
    char *words = checked(strdup(options == NULL ? "" : options)), *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        if (strncmp(word, "log=", 4) == 0) {
            agent.log = open_log(word + 4);
            if (agent.log == NULL) {
                return refuse("cannot write ", word + 4);
            }
        } else if (strncmp(word, "root=", 5) == 0) {
            if (!parse_root(word + 5)) {
                return refuse("no method in ", word);
            }
        } else if (strcmp(word, "mode=entry") == 0) {
            agent.entry_mode = 1;
        } else if (strcmp(word, "mode=first") != 0) {
            return refuse("unknown option ", word);
        }
    }
    free(words);
    return agent.log == NULL ? refuse("no log", "") : JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    pthread_mutex_init(&agent.lock, NULL);
    if (parse_options(options) != JNI_OK) {
        return JNI_ERR;
    }
    if ((*vm)->GetEnv(vm, (void **)&agent.jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return refuse("this JVM has no JVMTI", "");
    }
    jvmtiEnv *jvmti = agent.jvmti;
    jvmtiCapabilities wanted = {0};
    wanted.can_tag_objects = 1;
    wanted.can_generate_breakpoint_events = !agent.entry_mode;
    wanted.can_generate_method_entry_events = agent.entry_mode;
#ifdef VIRTUAL_THREADS
    wanted.can_support_virtual_threads = 1;
#endif
    jvmtiEventCallbacks callbacks = {0};
    callbacks.VMInit = on_init;
    callbacks.VMDeath = on_death;
    callbacks.ClassPrepare = on_prepare;
    callbacks.Breakpoint = on_breakpoint;
    callbacks.MethodEntry = on_entry;
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
        return refuse("this JVM lacks a capability", "");
    }
    jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_CLASS_PREPARE};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
    }
    return JNI_OK;
}
