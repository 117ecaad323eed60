/*
 * jlong jfathom.runtime.TscLibrary.read(): the counter, unordered. The two arguments of a static
 * native method (JNI: environment and class) are not looked at.
 */
    .text
    .globl Java_jfathom_runtime_TscLibrary_read
    .type Java_jfathom_runtime_TscLibrary_read, %function
    .balign 16
Java_jfathom_runtime_TscLibrary_read:
#if defined(__x86_64__)
    rdtsc
    shlq $32, %rdx
    orq %rdx, %rax
#elif defined(__aarch64__)
    mrs x0, cntvct_el0
#else
#error "no counter is known for this processor"
#endif
    ret
    .size Java_jfathom_runtime_TscLibrary_read, . - Java_jfathom_runtime_TscLibrary_read
/* Without this section the JVM takes the library for one that wants an executable stack. */
    .section .note.GNU-stack, "", %progbits
