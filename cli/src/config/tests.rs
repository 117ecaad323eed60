use super::*;

/// A file with all keys.
const ALL: &str = "\
[record]
root = ['com.acme.Engine::run', '@Timed']
include = ['com.acme.**', '!com.acme.Generated']
budget = '0.2'

[gate]
include = ['com.acme.**', '!com.acme.Generated']
max = ['calls=+0%', 'time=+5%', 'alloc=+1%', 'cpu=+7%', 'growth=1.2',
    'com.acme.Dao::find(Ljava/lang/String;)V/com.acme.Handler::handle=1']
strict = true
sources = ['app/src/main/java']
";

/// The command line `words` with the options of a file.
fn configured(file: &str, words: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    std::fs::write(&path, file).unwrap();
    let words = format!("jfathom {words}").split(' ').map(OsString::from).collect();
    let found = add_options(crate::args::parser(), words, Some(path));
    let found = found.map_err(|error| error.to_string())?;
    let text: Vec<_> = found.words.iter().map(|word| word.to_string_lossy()).collect();
    let text = text.join(" ");
    // What is added is a command line of the command.
    crate::args::parse(found.words).map_err(|error| error.to_string())?;
    Ok(text)
}

#[test]
fn the_file_gives_what_the_command_line_does_not() {
    let gate = |words| configured(ALL, words).unwrap();
    assert_eq!(
        gate("gate a b"),
        "jfathom gate --include=com.acme.** --include=!com.acme.Generated --max=calls=+0% \
         --max=time=+5% --max=alloc=+1% --max=cpu=+7% --max=com.acme.Dao::find(Ljava/lang/String;)V/com.acme.Handler::handle=1 \
         --strict --sources=app/src/main/java a b"
    );
    assert_eq!(
        gate("gate a b --max calls=+3 --include a.A --include !a.B --max a.A/a.B=1 --sources s"),
        "jfathom gate --max=time=+5% --max=alloc=+1% --max=cpu=+7% --strict a b --max calls=+3 --include a.A --include !a.B \
         --max a.A/a.B=1 --sources s"
    );
    let one = gate("gate a");
    assert!(!one.contains("calls=") && one.contains("--max=com.acme.Dao::find"), "{one}");
    let growth = "jfathom gate --include=com.acme.** --include=!com.acme.Generated --max=growth=1.2 \
                  --strict --sources=app/src/main/java a b c";
    assert_eq!(gate("gate a b c"), growth);
    assert!(!gate("gate a b --max growth=2").contains("--max="));
    let record = "--root=com.acme.Engine::run --root=@Timed --include=com.acme.** \
                  --include=!com.acme.Generated --budget=0.2";
    assert_eq!(
        gate("record -- java -jar a.jar --root x"),
        format!("jfathom record {record} -- java -jar a.jar --root x")
    );
    assert_eq!(
        gate("record --root a.A::b --budget=none java"),
        "jfathom record --include=com.acme.** --include=!com.acme.Generated --root a.A::b --budget=none java"
    );
    assert_eq!(
        gate("record --rewritten out -- java"),
        "jfathom record --budget=0.2 --rewritten out -- java"
    );
    assert!(gate("record -p 17").starts_with("jfathom record --root=com.acme.Engine::run "));
    assert_eq!(configured("", "gate a b --max time=5%").unwrap(), "jfathom gate a b --max time=5%");
}

#[test]
fn errors_name_their_place() {
    for (file, words) in [
        ("[gate]\nmaxi = ['1']\n", &["toml:2:1: unknown field `maxi`", "`max`"][..]),
        ("[gate]\nmax = ['cals=1']\n", &["toml:2:7: ‘cals’ has no limit", "calls=+5%"]),
        ("[gates]\n", &["toml:1:2: unknown field `gates`"]),
        ("[gate]\nmax = ['calls=x']\n", &["toml:2:7: ‘x’ is no limit"]),
        ("[gate]\nstrict = true\nmax = ['time=5']\n", &["toml:3:7: ‘5’ is no limit"]),
        ("[record]\nroot = ['a.A',\n 'a b c']\n", &["toml:2:8: ‘a b c’ is no selector"]),
        ("[gate]\nmax = ['!a.A/a.B=1']\n", &["toml:2:7: ", "excludes"]),
        ("[gate]\nstrict = \n", &["toml:2:"]),
    ] {
        let error = configured(file, "gate a b").unwrap_err();
        for word in words {
            assert!(error.contains(word), "‘{word}’ is missing in {error}");
        }
    }
    let words = ["jfathom", "gate", "a", "b"].map(OsString::from);
    let none = Some("/none/at.toml".into());
    let error = add_options(crate::args::parser(), words.to_vec(), none).unwrap_err();
    assert!(error.to_string().starts_with("/none/at.toml: cannot read"), "{error}");
}
