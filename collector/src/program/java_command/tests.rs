use super::*;
use std::fs;

fn parse(line: &str) -> JavaCommand {
    let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let class_path = Some("from/env".into());
    JavaCommand::parse(&words, &JavaEnvironment { class_path, ..JavaEnvironment::default() })
}

fn paths(list: &[PathBuf]) -> Vec<&str> {
    list.iter().map(|p| p.to_str().unwrap()).collect()
}

#[test]
fn only_the_launcher_is_java() {
    for (command, expected) in
        [("java", true), ("/usr/bin/java", true), ("javac", false), ("./java.sh", false)]
    {
        assert_eq!(JavaCommand::is_java(OsStr::new(command)), expected, "{command}");
    }
}

#[test]
fn class_paths_and_module_paths() {
    assert_eq!(paths(&parse("Main").class_path), ["from/env"]);
    assert_eq!(paths(&parse("-Xmx1g -cp a.jar:b Main -cp no").class_path), ["a.jar", "b"]);
    assert_eq!(paths(&parse("-classpath a --class-path=b Main").class_path), ["b"]);
    let jar = parse("-cp ignored -ea -jar app.jar -cp no");
    assert_eq!((paths(&jar.class_path), jar.jar), (vec!["app.jar"], true));
    let module = parse("-p mods:more --add-modules x -m app/app.Main -p no");
    assert_eq!(paths(&module.module_path), ["mods", "more"]);
    assert_eq!(paths(&parse("--module-path=m -m x").module_path), ["m"]);
    assert_eq!(
        parse("-p"),
        JavaCommand { class_path: vec!["from/env".into()], ..JavaCommand::default() }
    );
    assert_eq!(paths(&parse("-jar").class_path), ["from/env"]);
}

#[test]
fn arguments_of_options_are_no_main_class() {
    let java =
        parse("--add-reads a=b --enable-native-access ALL-UNNAMED --add-opens x=y -cp c Main");
    assert_eq!(paths(&java.class_path), ["c"]);
    assert!(java.native_access && parse("--enable-native-access=m Main").native_access);
}

#[test]
fn last_flags_stand_before_what_is_run() {
    for (line, expected) in [
        ("-Xa -cp x Main -y", "-Xa -cp x -Z Main -y"),
        ("-Xa -jar x.jar -y", "-Xa -Z -jar x.jar -y"),
        ("-m a/b y", "-Z -m a/b y"),
        ("--module=a/b y", "-Z --module=a/b y"),
    ] {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let all = JavaCommand::with_last_flags(&words, &["-Z".to_owned()]);
        assert_eq!(all.join(OsStr::new(" ")), expected);
    }
}

#[test]
fn argument_files_are_read_as_the_launcher_does() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("args");
    fs::write(&file, "# comment -cp no\n-cp \"a b.jar:\\\n   c\\\\d\"\n-Dx='#' -p m# end\nMain")
        .unwrap();
    let argument = OsString::from(format!("@{}", file.display()));
    let java = JavaCommand::parse(&[argument], &JavaEnvironment::default());
    assert_eq!(paths(&java.class_path), ["a b.jar", "c\\d"]);
    assert_eq!(paths(&java.module_path), ["m#"]);
    let unread = ["@/no/such/file".into(), "Main".into()];
    let unread = JavaCommand::parse(&unread, &JavaEnvironment::default());
    assert!(unread.adds_classes && unread.module_path.is_empty());
}

#[test]
fn paths_are_moved_where_classes_come_from() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("args");
    fs::write(&file, "-cp out/a.jar:b -Dx=@y\n@z").unwrap();
    let other =
        |path: &Path| path.strip_prefix("out").ok().map(|below| Path::new("to").join(below));
    let moved = |line: &str| {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let moved = JavaCommand::moved(&words, &other);
        moved.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    for (line, expected) in [
        ("-cp out/a.jar:lib/*:out/* Main out/a.jar", "-cp to/a.jar:lib/*:to/* Main out/a.jar"),
        ("--class-path=out/a.jar::x -ea Main", "--class-path=to/a.jar::x -ea Main"),
        ("-p out/m -m app/app.Main -p out/m", "-p to/m -m app/app.Main -p out/m"),
        (
            "--module-path=out/m --module=app/app.Main -p out/m",
            "--module-path=to/m --module=app/app.Main -p out/m",
        ),
        ("-Dx=out/a.jar -jar out/a.jar -cp out/b.jar", "-Dx=out/a.jar -jar to/a.jar -cp out/b.jar"),
        (
            "--patch-module java.base=out/java.base:x --patch-module=m=out/m Main",
            "--patch-module java.base=to/java.base:x --patch-module=m=to/m Main",
        ),
        ("--add-modules out/x @@at Main @@at", "--add-modules out/x @@at Main @@at"),
        ("-cp", "-cp"),
        ("--patch-module out/x Main", "--patch-module to/x Main"),
    ] {
        assert_eq!(moved(line), expected, "{line}");
    }
    let all = format!("-ea @{} Main @{}", file.display(), file.display());
    assert_eq!(moved(&all), format!("-ea -cp to/a.jar:b -Dx=@y @@z Main @{}", file.display()));
}

#[test]
fn what_the_program_begins_with() {
    for (line, main) in [
        ("-cp a com.acme.Main x", Some(JavaMain::Class("com.acme.Main".to_owned()))),
        ("com/acme/Main", Some(JavaMain::Class("com.acme.Main".to_owned()))),
        ("-jar app.jar", Some(JavaMain::Jar)),
        ("-p m -m app/com.acme.Main", Some(JavaMain::Module("app/com.acme.Main".to_owned()))),
        ("-p m --module=app", Some(JavaMain::Module("app".to_owned()))),
        ("src/Main.java", Some(JavaMain::Source)),
        ("--source 21 Main", Some(JavaMain::Source)),
        ("-version", None),
    ] {
        assert_eq!(parse(line).main, main, "{line}");
    }
    let none = JavaEnvironment::default();
    assert_eq!(paths(&JavaCommand::parse(&["Main".into()], &none).used_class_path()), ["."]);
}

#[test]
fn the_environment_adds_options() {
    let options = Some("-cp \"a b.jar\":c -p 'm'".into());
    let environment = JavaEnvironment { options, ..JavaEnvironment::default() };
    let java = JavaCommand::parse(&["Main".into()], &environment);
    assert_eq!(paths(&java.class_path), ["a b.jar", "c"]);
    assert_eq!(paths(&java.module_path), ["m"]);
    assert!(!java.adds_classes);
    let java = JavaCommand::parse(&["-cp".into(), "d".into(), "Main".into()], &environment);
    assert_eq!(paths(&java.class_path), ["d"]);
    for options in ["-javaagent:x.jar", "-Xmx1g -Xbootclasspath/a:x.jar", "@file"] {
        let jvm_options = vec![options.into()];
        let environment = JavaEnvironment { jvm_options, ..JavaEnvironment::default() };
        assert!(JavaCommand::parse(&["Main".into()], &environment).adds_classes, "{options}");
    }
    for line in
        ["-agentpath:x Main", "--patch-module a=b Main", "-Djava.system.class.loader=X Main"]
    {
        assert!(parse(line).adds_classes, "{line}");
    }
    assert!(!parse("-Xmx1g -ea -Dx=-javaagent Main -javaagent:x").adds_classes);
}

#[test]
fn the_last_flag_for_jfr_holds_wherever_the_launcher_reads_it() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("args");
    fs::write(&file, "-ea\n-XX:-FlightRecorder").unwrap();
    let file = file.display();
    for (arguments, options, is_off) in [
        ("-XX:-FlightRecorder -jar a.jar".to_owned(), "", true),
        ("-XX:-FlightRecorder -XX:+FlightRecorder -jar a.jar".to_owned(), "", false),
        (format!("@{file} -jar a.jar"), "", true),
        (format!("-XX:VMOptionsFile={file} -jar a.jar"), "", true),
        ("-jar a.jar".to_owned(), "-ea '-XX:-FlightRecorder'", true),
        ("-XX:+FlightRecorder Main".to_owned(), "-XX:-FlightRecorder", false),
        ("-cp -XX:-FlightRecorder Main".to_owned(), "", false),
        ("Main -XX:-FlightRecorder".to_owned(), "", false),
    ] {
        let words: Vec<OsString> = arguments.split_whitespace().map(OsString::from).collect();
        let found = JavaCommand::turns_jfr_off(&words, Some(OsStr::new(options)));
        assert_eq!(found, is_off, "{arguments} {options}");
    }
}
