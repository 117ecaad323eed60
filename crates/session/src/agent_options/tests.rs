use super::{AgentOptions, session_of, text::escape};
use crate::{CalibrationPhases, ClockChoice, Metrics, RingSize};
use jfathom_plan::Scheme;
use std::path::{Path, PathBuf};

fn parse(text: &str) -> AgentOptions {
    text.parse().unwrap()
}

fn problem(text: &str) -> String {
    text.parse::<AgentOptions>().unwrap_err().to_string()
}

#[test]
fn all_keys_are_read() {
    let text = "root=com.acme.Engine::run(ILjava/lang/String%3B)V;com.acme.*,scheme=eager,include-jdk,\
                include=com.acme.**;!com.acme.Generated;!@Untimed,clock=nano,ring-size=64K,calibrate=end,\
                out=/tmp/a%2Cb%25.jfp,force,verbose=false,metrics=alloc,jfathom=/bin/jfathom";
    let options = parse(text);
    let roots: Vec<String> = options.roots.iter().map(ToString::to_string).collect();
    assert_eq!(roots, ["com.acme.Engine::run(ILjava/lang/String;)V", "com.acme.*"]);
    assert_eq!(options.scheme, Scheme::Eager);
    assert_eq!(options.include.len(), 3);
    assert_eq!((options.include_jdk, options.force, options.verbose), (true, true, false));
    assert_eq!((options.clock, options.ring_size), (ClockChoice::Nano, RingSize::new(65_536)));
    assert_eq!(options.calibrate, CalibrationPhases { start: false, end: true });
    assert_eq!(options.metrics, Metrics { alloc: true, ..Metrics::default() });
    assert_eq!(options.out, Some(PathBuf::from("/tmp/a,b%.jfp")));
    assert_eq!(options.jfathom, Some(PathBuf::from("/bin/jfathom")));
}

#[test]
fn little_is_enough() {
    let options = parse("root=a.B::c");
    assert_eq!(options.scheme.as_str(), "lazy");
    assert_eq!(options.calibrate, CalibrationPhases { start: true, end: true });
    assert_eq!(parse(" root = a.B::c , root=d.E ,").roots.len(), 2);
    assert_eq!(
        parse("root=a.B,calibrate=none").calibrate,
        CalibrationPhases { start: false, end: false }
    );
    assert_eq!(parse("root=a.B,scheme=total").scheme, Scheme::Total);
    // What follows the first `=` belongs to the value.
    assert_eq!(parse("root=a.B,session=/tmp/x=y").session, Some(PathBuf::from("/tmp/x=y")));
}

#[test]
fn regions_are_roots_where_no_other_is() {
    let text = "region=a.B::c:12-20;a.B::d(I)V:7";
    let alone = parse(text);
    assert!(!alone.has_given_root());
    assert_eq!(alone.root_texts(), ["a.B::c:12-20", "a.B::d(I)V:7"]);
    assert_eq!(parse(&alone.to_string()), alone);
    let beneath = parse(&format!("root=a.B::run,{text}"));
    assert_eq!((beneath.regions.len(), beneath.root_texts()), (2, vec!["a.B::run".to_owned()]));
    assert_eq!(parse(&beneath.to_string()), beneath);
}

#[test]
fn errors_say_what_to_do() {
    assert!(
        problem("root=a.B,rooot=c")
            .contains("no option ‘rooot’; there are root, scheme, include-jdk, include")
    );
    assert!(problem("").contains("no root is given"));
    assert!(problem("root=!a.B").contains("no root is given"));
    assert!(problem("root=").contains("root has no value"));
    assert!(problem("root=a..B").contains("is no selector"));
    assert!(problem("region=a.B::c").contains("is no region"));
    assert!(problem("root=a.B::c:12-20").contains("lines of a method are for"));
    assert!(
        problem("root=a.B,scheme=slow").contains("scheme=slow: lazy, eager or total is wanted")
    );
    assert!(problem("root=a.B,scheme=static").contains("lazy, eager or total is wanted"));
    assert!(problem("root=a.B,ring-size=3K").contains("a power of two"));
    assert!(problem("root=a.B,clock=sundial").contains("auto, nano or tsc"));
    assert!(problem("root=a.B,calibrate=start;none").contains("calibrate=start;none"));
    assert!(problem("root=a.B,out=a%2").contains("%2C, %3B or %25"));
    assert!(problem("root=a.B,out=a%+1").contains("%2C, %3B or %25"));
    assert!(problem("root=a%ff").contains("%2C, %3B or %25"));
    assert!(problem("root=a.B,out=a%00").contains("%2C, %3B or %25"));
    assert!(problem("root=a.B,out=x,out=y").contains("out is given twice"));
    assert!(problem("root=a.B,out=x,session=y").contains("exclude each other"));
    assert!(problem("root=a.B,out=x,probe=a.B::c=time+stack/2").contains("jfathom record"));
    assert!(problem("root=a.B,probe=a.B::c=time+stack/0").contains("stack/N"));
    assert!(problem("root=a.B,metrics=alloc;heap").contains("alloc, cpu or caught is wanted"));
    let caught: AgentOptions = "root=a.B,metrics=caught".parse().unwrap();
    assert_eq!(caught.metrics, Metrics { caught: true, ..Metrics::default() });
    let both: AgentOptions = "root=a.B,metrics=alloc;cpu".parse().unwrap();
    let clocks = Metrics { alloc: true, cpu: true, thread_clock: true, ..Metrics::default() };
    assert_eq!(both.metrics, clocks);
    assert!(problem("root=a.B,metrics=waits").contains("alloc, cpu or caught is wanted"));
    assert!(problem("root=a.B,include-jdk=maybe").contains("true or false"));
}

#[test]
fn values_are_escaped() {
    assert_eq!(escape(b"a.B::c(ILjava/lang/String;)V"), "a.B::c(ILjava/lang/String%3B)V");
    assert_eq!(escape("50%, é ".as_bytes()), "50%25%2C%20%C3%A9%20");
}

#[test]
fn what_is_written_is_read_again() {
    let least = "root=a.B::c,scheme=lazy,clock=auto,calibrate=start;end";
    assert_eq!(parse("root=a.B::c").to_string(), least);
    for text in [
        least,
        "root=a.B::c(ILjava/lang/String%3B)V;!d.E,scheme=eager,include-jdk,include=f.*;g.**;!@h.I,probe=a.B::d(Ljava/lang/String%3B)V=count;a.**=off,clock=nano,ring-size=65536,\
         calibrate=end,out=/tmp/a%2Cb%25,force,all-timed,mounts,verbose,jfathom=/bin/jfathom",
        "session=/tmp/x%20y,root=a.B::c,scheme=total,probe=a.C=time+stack/9;a.D=count+stack/1,clock=tsc,calibrate=none",
    ] {
        assert_eq!(parse(text).to_string(), text);
    }
}

#[test]
fn long_texts_go_through_a_file() {
    let temp = tempfile::tempdir().unwrap();
    let directory = temp.path().join("a b");
    std::fs::create_dir(&directory).unwrap();
    let short = parse("root=a.B::c");
    let text = short.hand_over(Path::new("/seen/there"), &directory).unwrap();
    assert_eq!(text, format!("session=/seen/there,{short}"));
    let include = (0..100).map(|number| format!("com.acme.Class{number}")).collect::<Vec<_>>();
    let long = parse(&format!("root=a.B::c,include={}", include.join(";")));
    let text = long.hand_over(&directory, &directory).unwrap();
    assert!(text.starts_with("session=/") && text.ends_with("a%20b,more"), "{text}");
    let received = AgentOptions::receive(&text).unwrap();
    assert_eq!(received.session.as_ref(), Some(&directory));
    assert_eq!(AgentOptions { session: None, ..received }, long);
    assert_eq!(session_of(&text), Some(directory));
    assert!(
        AgentOptions::receive("root=a.B,more").unwrap_err().to_string().contains("none is named")
    );
    assert!(
        AgentOptions::receive("session=/no/such,more")
            .unwrap_err()
            .to_string()
            .contains("/no/such/options")
    );
}
