/*
 * jlong jfathom.runtime.TscLibrary.read(): the counter, unordered. The two arguments of a static
 * native method (JNI: environment and class) are not looked at.
 */
    .set SYMBOLS, 7
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
/*
 * jlong jfathom.runtime.VmSymbols.address(int which): the address of a variable that libjvm exports
 * for the serviceability agent (HotSpot, vmStructs.hpp), 0 for one that the JVM does not have. The
 * references are weak, so that the library also loads where nothing has these names.
 */
    .globl Java_jfathom_runtime_VmSymbols_address
    .type Java_jfathom_runtime_VmSymbols_address, %function
    .balign 16
Java_jfathom_runtime_VmSymbols_address:
#if defined(__x86_64__)
    xorl %eax, %eax
    cmpl $SYMBOLS, %edx
    jae 1f
    movl %edx, %edx
    leaq symbols(%rip), %rax
    movq (%rax, %rdx, 8), %rax
1:
#elif defined(__aarch64__)
    mov x0, #0
    cmp w2, #SYMBOLS
    b.hs 1f
    adrp x1, symbols
    add x1, x1, :lo12:symbols
    ldr x0, [x1, w2, uxtw #3]
1:
#endif
    ret
    .size Java_jfathom_runtime_VmSymbols_address, . - Java_jfathom_runtime_VmSymbols_address
/*
 * jlong jfathom.runtime.ThreadCpu.nanos(): CLOCK_THREAD_CPUTIME_ID in ns, by the system call
 * clock_gettime; 0 if that fails. No other register than those of the call's own is changed.
 */
    .set CLOCK_THREAD_CPUTIME_ID, 3
    .globl Java_jfathom_runtime_ThreadCpu_nanos
    .type Java_jfathom_runtime_ThreadCpu_nanos, %function
    .balign 16
Java_jfathom_runtime_ThreadCpu_nanos:
#if defined(__x86_64__)
    subq $24, %rsp
    movl $CLOCK_THREAD_CPUTIME_ID, %edi
    movq %rsp, %rsi
    movl $228, %eax
    syscall
    testq %rax, %rax
    movl $0, %eax
    jnz 2f
    imulq $1000000000, (%rsp), %rax
    addq 8(%rsp), %rax
2:
    addq $24, %rsp
#elif defined(__aarch64__)
    sub sp, sp, #16
    mov x0, #CLOCK_THREAD_CPUTIME_ID
    mov x1, sp
    mov x8, #113
    svc #0
    mov x3, x0
    mov x0, #0
    cbnz x3, 2f
    ldp x1, x2, [sp]
    mov x3, #0xca00
    movk x3, #0x3b9a, lsl #16
    madd x0, x1, x3, x2
2:
    add sp, sp, #16
#endif
    ret
    .size Java_jfathom_runtime_ThreadCpu_nanos, . - Java_jfathom_runtime_ThreadCpu_nanos

/* In the order of jfathom_clock::VM_SYMBOLS. The loader writes the addresses, and nobody after it. */
    .section .data.rel.ro, "aw", %progbits
    .balign 8
symbols:
    .weak gHotSpotVMStructs
    .quad gHotSpotVMStructs
    .weak gHotSpotVMStructEntryTypeNameOffset
    .quad gHotSpotVMStructEntryTypeNameOffset
    .weak gHotSpotVMStructEntryFieldNameOffset
    .quad gHotSpotVMStructEntryFieldNameOffset
    .weak gHotSpotVMStructEntryTypeStringOffset
    .quad gHotSpotVMStructEntryTypeStringOffset
    .weak gHotSpotVMStructEntryIsStaticOffset
    .quad gHotSpotVMStructEntryIsStaticOffset
    .weak gHotSpotVMStructEntryOffsetOffset
    .quad gHotSpotVMStructEntryOffsetOffset
    .weak gHotSpotVMStructEntryArrayStride
    .quad gHotSpotVMStructEntryArrayStride

/* Without this section the JVM takes the library for one that wants an executable stack. */
    .section .note.GNU-stack, "", %progbits
