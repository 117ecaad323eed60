use super::{Call, Log};
use jfathom_plan::MethodKey;

fn key(class: &str, name: &str, descriptor: &str) -> MethodKey {
    MethodKey { class: class.to_owned(), name: name.to_owned(), descriptor: descriptor.to_owned() }
}

#[test]
fn reads_each_kind_of_line() {
    let text = "L p/A\nL! p/A$$Lambda+0x1\nR p/A.main([Ljava/lang/String;)V\nC 1 p/A.<init>()V\nc 2 p/B.f(I)J\nE\n";
    let log = Log::parse(text).unwrap();
    assert_eq!(
        log.loaded.iter().map(|class| (class.class.as_str(), class.made)).collect::<Vec<_>>(),
        [("p/A", false), ("p/A$$Lambda+0x1", true)]
    );
    let (main, made, other) = (
        key("p/A", "main", "([Ljava/lang/String;)V"),
        key("p/A", "<init>", "()V"),
        key("p/B", "f", "(I)J"),
    );
    assert_eq!(log.root, Some(main.clone()));
    assert_eq!(
        log.calls,
        [
            Call { thread: 1, outside: false, method: made.clone() },
            Call { thread: 2, outside: true, method: other.clone() }
        ]
    );
    assert!(log.ended);
    assert_eq!(
        log.called(false).into_iter().cloned().collect::<Vec<_>>(),
        [made.clone(), main.clone()]
    );
    assert_eq!(log.called(true).into_iter().cloned().collect::<Vec<_>>(), [made, main, other]);
}

#[test]
fn names_the_line_that_is_none() {
    for line in ["X p/A", "C p/A.f()V", "C 1 p/A", "R f()V", "Cx", ""] {
        let error = Log::parse(&format!("L p/A\n{line}\n")).unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
