//! Writes the runtime's classes into a directory, to try the runtime by hand: `export OUT`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let out = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "runtime".into()));
    for (name, bytes) in
        jfathom_runtime_java::CLASSES.iter().chain(jfathom_runtime_java::TOOL_CLASSES)
    {
        let path = out.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
