//! The programs of `samples/live`.

use crate::samples::{self, javac_for};
use jfathom_testkit::process_dir;
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};
use tempfile::TempDir;

/// How many methods the class `live.Links` offers to first calls. `mN(int)` calls `nN(int)` twice.
pub const LINKS: usize = 60;

/// A directory with the classes of `samples/live`, for JVM 11 and later.
pub fn classes() -> &'static Path {
    static COMPILED: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, classes) = COMPILED.get_or_init(|| {
        let folder = process_dir();
        let (source, classes) = (folder.path().join("source"), folder.path().join("classes"));
        let sources = samples::sources().join("live");
        for path in samples::java_files(&sources) {
            let place = source.join(path.strip_prefix(&sources).expect("it lies below"));
            fs::create_dir_all(place.parent().expect("it lies below"))
                .expect("a folder can be made");
            fs::copy(&path, place).expect("sources can be copied");
        }
        fs::write(source.join("live/Links.java"), links()).expect("the folder is there");
        javac_for(11, &[], &source, &classes);
        let data = classes.join("data");
        fs::create_dir_all(&data).expect("a folder can be made");
        fs::rename(classes.join("live/Pattern.class"), data.join("Pattern.class"))
            .expect("it was compiled");
        let services = Path::new("META-INF/services");
        fs::create_dir_all(classes.join(services)).expect("a folder can be made");
        let name = services.join("java.util.function.IntSupplier");
        fs::copy(sources.join(&name), classes.join(&name)).expect("the sample has a service");
        (folder, classes)
    });
    classes
}

/// The source of `live.Links`.
pub fn links() -> String {
    let mut text = String::from(
        "package live;\nfinal class Links {\n    static long all(java.util.concurrent.CyclicBarrier barrier) throws Exception {\n        long sum = 0;\n",
    );
    for link in 0..LINKS {
        let _ = writeln!(text, "        barrier.await();\n        sum += m{link}({link});");
    }
    text.push_str("        return sum;\n    }\n");
    for link in 0..LINKS {
        // Every other pair has a loop, so that not all are trivial.
        let body = if link % 2 == 0 { "n + 1" } else { "Integer.toString(n).chars().sum()" };
        let _ = writeln!(
            text,
            "    static int m{link}(int n) {{ return n{link}(n) + n{link}(n + 1); }}\n    static int n{link}(int n) {{ return {body}; }}"
        );
    }
    text.push_str("}\n");
    text
}
