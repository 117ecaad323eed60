//! Services that the program's containers declare.

use crate::Notice;
use crate::program::Program;
use jfathom_reachability::{module_provides, provider_file};

/// Services and providers of all containers, in their order, from `META-INF/services` and module
/// descriptors. Both count, whether the container is on a class path or a module path.
pub(crate) fn of_program(
    program: &Program<'_>,
    release: u16,
    notices: &mut Vec<Notice>,
) -> Vec<(String, String)> {
    let mut services = Vec::new();
    for (container, &input) in program.containers.iter().zip(&program.input_of) {
        let Some(input) = program.inputs.get(input) else { continue };
        for (position, entry) in container.entries.iter().enumerate() {
            let Some(inner) = entry.strip_prefix(&container.prefix) else { continue };
            let is_file = inner.starts_with("META-INF/services/") && !inner.ends_with('/');
            let is_module = inner.strip_suffix("module-info.class").is_some_and(|folder| {
                let version = folder
                    .strip_prefix("META-INF/versions/")
                    .and_then(|rest| rest.strip_suffix('/'));
                folder.is_empty()
                    || container.multi_release
                        && version
                            .and_then(|version| version.parse().ok())
                            .is_some_and(|version: u16| (9..=release).contains(&version))
            });
            if !is_file && !is_module {
                continue;
            }
            let read = input.read_nth(position).map_err(|error| error.kind().to_string());
            let found = read.and_then(|bytes| {
                let bytes = bytes.unwrap_or_default();
                if is_file {
                    return Ok(provider_file(inner, &bytes));
                }
                module_provides(&bytes).map_err(|error| error.to_string())
            });
            match found {
                Ok(found) => services.extend(found),
                Err(problem) => {
                    notices.push(Notice::Services {
                        location: format!("{}!{entry}", container.label),
                        problem,
                    });
                }
            }
        }
    }
    services
}
