use super::*;
use std::fs;

fn parse(line: &str) -> JavaCommand {
    let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    JavaCommand::parse(&words, Some(OsStr::new("from/env")))
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
    assert!(java.native_access && !java.aot_cache);
    assert!(parse("--enable-native-access=m Main").native_access);
    assert!(parse("-XX:AOTCache=app.aot Main").aot_cache);
    assert!(parse("-XX:SharedArchiveFile=app.jsa Main").cds_archive);
    assert!(!parse("Main -XX:AOTCache=app.aot").aot_cache);
}

#[test]
fn argument_files_are_read_as_the_launcher_does() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("args");
    fs::write(&file, "# comment -cp no\n-cp \"a b.jar:\\\n   c\\\\d\"\n-Dx='#' -p m# end\nMain")
        .unwrap();
    let argument = OsString::from(format!("@{}", file.display()));
    let java = JavaCommand::parse(&[argument], None);
    assert_eq!(paths(&java.class_path), ["a b.jar", "c\\d"]);
    assert_eq!(paths(&java.module_path), ["m#"]);
    assert_eq!(
        JavaCommand::parse(&["@/no/such/file".into(), "Main".into()], None),
        JavaCommand::default()
    );
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
