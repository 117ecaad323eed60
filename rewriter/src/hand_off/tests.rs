use super::*;

/// `owner.name descriptor [static]` → mark and bits; bits none for the receiver.
fn look(
    owner: &str,
    name: &str,
    descriptor: &str,
    is_static: bool,
) -> Option<(HandOffKind, Option<u64>)> {
    let found = hand_off(owner.as_bytes(), name.as_bytes(), descriptor.as_bytes(), is_static)?;
    assert!(may_hand_off(owner.as_bytes(), name.as_bytes()), "{owner}.{name}");
    Some(match found.what {
        TaskPosition::Receiver => (found.mark, None),
        TaskPosition::Parameters(bits) => (found.mark, Some(bits)),
    })
}

#[test]
fn threads_and_executors() {
    assert_eq!(look("x/MyThread", "start", "()V", false), Some((HandOffKind::Receiver, None)));
    assert_eq!(look("x/Server", "start", "()V", true), None);
    assert_eq!(
        look("x/E", "execute", "(Ljava/lang/Runnable;)V", false),
        Some((HandOffKind::Task, Some(1)))
    );
    assert_eq!(look("x/E", "execute", "(Ljava/lang/String;)V", false), None);
    assert_eq!(
        look("g/L", "submit", "(Ljava/lang/Runnable;Ljava/lang/Object;)Lg/F;", false),
        Some((HandOffKind::Task, Some(1)))
    );
    assert_eq!(
        look(
            "x/S",
            "invokeAll",
            "(Ljava/util/Collection;JLjava/util/concurrent/TimeUnit;)Ljava/util/List;",
            false
        ),
        Some((HandOffKind::All, Some(1)))
    );
    assert_eq!(
        look(
            "java/lang/Thread",
            "startVirtualThread",
            "(Ljava/lang/Runnable;)Ljava/lang/Thread;",
            true
        ),
        Some((HandOffKind::Task, Some(1)))
    );
    let two = "(Ljava/util/concurrent/ForkJoinTask;Ljava/util/concurrent/ForkJoinTask;)V";
    assert_eq!(look("x/T", "invokeAll", two, true), Some((HandOffKind::Task, Some(3))));
    assert_eq!(
        look("x/T", "fork", "()Ljava/util/concurrent/ForkJoinTask;", false),
        Some((HandOffKind::Receiver, None))
    );
}

/// Both overloads of JDK 25.
#[test]
fn forks_of_structured_task_scopes() {
    let scope = "java/util/concurrent/StructuredTaskScope";
    for task in ["Ljava/util/concurrent/Callable;", "Ljava/lang/Runnable;"] {
        let descriptor = format!("({task})Ljava/util/concurrent/StructuredTaskScope$Subtask;");
        let found = look(scope, "fork", &descriptor, false);
        assert_eq!(found, Some((HandOffKind::Task, Some(1))), "{task}");
    }
}

#[test]
fn timers_tell_once_from_again() {
    for (parameters, mark) in [
        ("Ljava/util/TimerTask;J", HandOffKind::Task),
        ("Ljava/util/TimerTask;Ljava/util/Date;", HandOffKind::Task),
        ("Ljava/util/TimerTask;JJ", HandOffKind::Periodic),
        ("Ljava/util/TimerTask;Ljava/util/Date;J", HandOffKind::Periodic),
    ] {
        let descriptor = format!("({parameters})V");
        assert_eq!(
            look("java/util/Timer", "schedule", &descriptor, false),
            Some((mark, Some(1))),
            "{parameters}"
        );
    }
}

#[test]
fn functions_of_stages_and_streams() {
    let combine = "(Ljava/util/concurrent/CompletionStage;Ljava/util/function/BiFunction;)Ljava/\
        util/concurrent/CompletableFuture;";
    assert_eq!(
        look("x/F", "thenCombineAsync", combine, false),
        Some((HandOffKind::Function, Some(2)))
    );
    let run = "(Ljava/lang/Runnable;Ljava/util/concurrent/Executor;)Ljava/util/concurrent/\
        CompletableFuture;";
    assert_eq!(look("x/F", "runAsync", run, true), Some((HandOffKind::Function, Some(1))));
    let collect = "(Ljava/util/function/Supplier;Ljava/util/function/BiConsumer;Ljava/util/\
        function/BiConsumer;)Ljava/lang/Object;";
    assert_eq!(
        look("java/util/stream/Stream", "collect", collect, false),
        Some((HandOffKind::Function, Some(7)))
    );
    assert_eq!(look("my/Stream", "collect", collect, false), None);
    let reduce = "(ILjava/util/function/IntBinaryOperator;)I";
    assert_eq!(
        look("java/util/stream/IntStream", "reduce", reduce, false),
        Some((HandOffKind::Function, Some(2)))
    );
    assert_eq!(
        look("java/util/stream/Stream", "limit", "(J)Ljava/util/stream/Stream;", false),
        None
    );
    // The streams' own `execute`-like names still go by the first table.
    assert_eq!(look("java/util/stream/Stream", "close", "()V", false), None);
}

#[test]
fn task_methods() {
    assert!(
        is_task(b"run", b"()V")
            && is_task(b"exec", b"()Z")
            && is_task(b"call", b"()Ljava/lang/Object;")
    );
    assert!(!is_task(b"run", b"(I)V") && !is_task(b"call", b"()Ljava/lang/String;"));
}

#[test]
fn the_cheap_test_passes_every_name_of_the_tables() {
    let rows = BY_FIRST_PARAMETER.iter().map(|row| row.0);
    let names = rows.chain(BY_RECEIVER.iter().map(|row| row.0)).chain(COMPLETION.iter().copied());
    for name in names.chain(["invokeAll", "parallelSetAll", "thenApplyAsync", "runAfterBoth"]) {
        assert!(may_hand_off(b"x/Any", name.as_bytes()), "{name}");
    }
    assert!(may_hand_off(b"java/util/stream/IntStream", b"map"));
    assert!(!may_hand_off(b"java/lang/StringBuilder", b"append"));
    assert!(!may_hand_off(b"java/util/stream/Collectors", b"toList"));
}
