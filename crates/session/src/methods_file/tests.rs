use super::*;
use jfathom_plan::{ClassCalls, Digest, MethodId, NamedMethod, SkipReason};

fn json(line: &MethodsFileLine) -> String {
    let bytes = line.to_json();
    assert_eq!(&MethodsFileLine::from_json(&bytes).unwrap(), line);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn lines_have_the_form_that_collectors_read() {
    let session = SessionLine {
        version: METHODS_FILE_VERSION,
        tool: "jfathom 0.1.0".to_owned(),
        roots: vec!["a.B::c".to_owned()],
        scheme: "lazy".to_owned(),
        include_jdk: false,
    };
    let text = r#"{"session":{"version":4,"tool":"jfathom 0.1.0","roots":["a.B::c"],"scheme":"lazy","include_jdk":false}}"#;
    assert_eq!(json(&MethodsFileLine::Session(session)), text);
    let method = InstrumentedMethod {
        id: MethodId::new(7).unwrap(),
        name: "c".to_owned(),
        descriptor: "()V".to_owned(),
        line: Some(12),
        digest: Digest(0xab),
        root: true,
        trivial: false,
        waits: false,
        resumes: false,
        counted: false,
        region: None,
    };
    let mut class = MethodsFileLine::Class(ClassLine {
        name: "a/B".to_owned(),
        source: Some("B.java".to_owned()),
        at: 0,
        how: InstrumentedAt::Retransform,
        methods: vec![method],
        calls: Some(ClassCalls { handles: vec![NamedMethod(12)], ..ClassCalls::default() }),
    });
    class.set_time(99);
    let text = r#"{"class":{"name":"a/B","source":"B.java","at":99,"how":"retransform","methods":[{"id":7,"name":"c","descriptor":"()V","line":12,"digest":"00000000000000ab","root":true}],"calls":{"handles":[12]}}}"#;
    assert_eq!(json(&class), text);
    let root = RootLine {
        selector: "a.B::c".to_owned(),
        state: RootState::Live,
        at: 3,
        ..RootLine::default()
    };
    assert_eq!(
        json(&MethodsFileLine::Root(root)),
        r#"{"root":{"selector":"a.B::c","state":"live","at":3}}"#
    );
    let (class, method, reason) = ("a/B".to_owned(), None, SkipReason::Frames);
    let text = r#"{"skip":{"class":"a/B","method":null,"reason":"frames","detail":null}}"#;
    assert_eq!(json(&MethodsFileLine::Skip(Skip { class, method, reason, detail: None })), text);
    assert_eq!(json(&MethodsFileLine::Note("so".to_owned())), r#"{"note":"so"}"#);
    assert!(MethodsFileLine::from_json(br#"{"class":{"name":"a/B"}}"#).is_err());
}

#[test]
fn totals_have_the_names_that_collectors_read() {
    let totals = SessionTotals {
        retransformations: 1,
        batches: 2,
        retransformed_classes: 3,
        most_retransformed: 4,
        at_load: 5,
        classes_loaded: 6,
        first_calls: 7,
        late: 8,
        refused: 9,
        failed: 10,
        pause_nanos: 11,
        hook_nanos: 12,
        restored: 13,
        restored_differently: 14,
    };
    let text = concat!(
        r#"{"totals":{"retransformations":1,"batches":2,"retransformed_classes":3,"#,
        r#""most_retransformed":4,"at_load":5,"classes_loaded":6,"first_calls":7,"late":8,"#,
        r#""refused":9,"failed":10,"pause_nanos":11,"hook_nanos":12,"restored":13,"#,
        r#""restored_differently":14}}"#,
    );
    assert_eq!(json(&MethodsFileLine::Totals(totals)), text);
    // Counts that came later, or that another version lacks, do no harm.
    let some = MethodsFileLine::from_json(br#"{"totals":{"late":1,"other":2}}"#).unwrap();
    assert_eq!(
        some,
        MethodsFileLine::Totals(SessionTotals { late: 1, ..SessionTotals::default() })
    );
}
