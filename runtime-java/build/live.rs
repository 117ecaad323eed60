//! Moves the live runtime into package `java.lang`, which every module and class loader can link.

use crate::class_names::{Class, renamed, supertypes};

const PACKAGE: &str = "jfathom/runtime/";
const PREFIX: &str = "java/lang/Jfathom";

/// The classes under their new names, each after its supertypes.
pub fn moved(classes: Vec<Class>) -> Result<Vec<Class>, String> {
    let mut open = Vec::new();
    for class in classes {
        let bytes = renamed(&class.bytes, PACKAGE, PREFIX)?;
        let supertypes = supertypes(&bytes)?;
        open.push((Class { name: class.name.replace(PACKAGE, PREFIX), bytes }, supertypes));
    }
    let mut done = Vec::new();
    while !open.is_empty() {
        let waiting: Vec<String> = open.iter().map(|(class, _)| class.name.clone()).collect();
        let ready = |supertypes: &[String]| !supertypes.iter().any(|name| waiting.contains(name));
        let (now, later): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(_, supertypes)| ready(supertypes));
        if now.is_empty() {
            return Err("the classes of the live runtime inherit in a circle".to_owned());
        }
        done.extend(now.into_iter().map(|(class, _)| class));
        open = later;
    }
    Ok(done)
}
