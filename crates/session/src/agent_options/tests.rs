use super::{CalibrationPhases, LiveScheme, Options};
use jfathom_reachability::Scheme;
use std::path::PathBuf;

fn problem(text: &str) -> String {
    Options::parse(text).unwrap_err().to_string()
}

#[test]
fn all_keys_are_read() {
    let text = "root=com.acme.Engine::run(ILjava/lang/String%3B)V;com.acme.*,scheme=eager,jdk-methods,\
                include=com.acme.**;!com.acme.Generated,exclude=@Untimed,pin=true,clock=nano,ring=64K,calibrate=end,\
                out=/tmp/a%2Cb%25.jfp,force,verbose=false,jfathom=/bin/jfathom";
    let options = Options::parse(text).unwrap();
    let roots: Vec<String> = options.roots.iter().map(ToString::to_string).collect();
    assert_eq!(roots, ["com.acme.Engine::run(ILjava/lang/String;)V", "com.acme.*"]);
    assert_eq!(options.scheme, LiveScheme::Expand(Scheme::Eager));
    assert_eq!((options.include.len(), options.exclude.len()), (2, 1));
    assert_eq!(
        (options.jdk_methods, options.pin, options.force, options.verbose),
        (true, true, true, false)
    );
    assert_eq!((options.clock.as_deref(), options.ring), (Some("nano"), Some(65_536)));
    assert_eq!(options.calibrate, CalibrationPhases { start: false, end: true });
    assert_eq!(options.out, Some(PathBuf::from("/tmp/a,b%.jfp")));
    assert_eq!(options.jfathom, Some(PathBuf::from("/bin/jfathom")));
}

#[test]
fn little_is_enough() {
    let options = Options::parse("root=a.B::c").unwrap();
    assert_eq!(options.scheme.name(), "lazy");
    assert_eq!(options.calibrate, CalibrationPhases { start: true, end: true });
    assert_eq!(Options::parse(" root = a.B::c , root=d.E ,").unwrap().roots.len(), 2);
    assert_eq!(
        Options::parse("root=a.B,calibrate=none").unwrap().calibrate,
        CalibrationPhases { start: false, end: false }
    );
    assert_eq!(Options::parse("root=a.B,scheme=total").unwrap().scheme, LiveScheme::Total);
    // What follows the first `=` belongs to the value.
    assert_eq!(
        Options::parse("root=a.B,session=/tmp/x=y").unwrap().session,
        Some(PathBuf::from("/tmp/x=y"))
    );
}

#[test]
fn errors_say_what_to_do() {
    assert!(
        problem("root=a.B,rooot=c")
            .contains("no option ‘rooot’; there are root, scheme, jdk-methods, include")
    );
    assert!(problem("").contains("no root is given"));
    assert!(problem("root=!a.B").contains("no root is given"));
    assert!(problem("root=").contains("root has no value"));
    assert!(problem("root=a..B").contains("is no selector"));
    assert!(
        problem("root=a.B,scheme=slow").contains("scheme=slow: lazy, eager or total is wanted")
    );
    assert!(problem("root=a.B,ring=3K").contains("a power of two"));
    assert!(problem("root=a.B,clock=sundial").contains("auto, tsc or nano"));
    assert!(problem("root=a.B,calibrate=start;none").contains("calibrate=start;none"));
    assert!(problem("root=a.B,out=a%2").contains("%2C, %3B or %25"));
    assert!(problem("root=a.B,out=a%+1").contains("%2C, %3B or %25"));
    assert!(problem("root=a%ff").contains("%2C, %3B or %25"));
    assert!(problem("root=a.B,out=a%00").contains("%2C, %3B or %25"));
    assert!(problem("root=a.B,out=x,out=y").contains("out is given twice"));
    assert!(problem("root=a.B,out=x,session=y").contains("exclude each other"));
    assert!(problem("root=a.B,pin=maybe").contains("true or false"));
}
