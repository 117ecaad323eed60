//! One class: its header, its fields and its methods.

use crate::attributes;
use crate::code;
use crate::constants;
use crate::contract::Contract;
use crate::finding::{Fault, Problem, Verdict};
use crate::method::Method;
use crate::read::{Body, Readable};
use cafebabe::{ClassFile, MethodInfo};
use std::collections::BTreeSet;

/// Takes the probes out of `output` and compares what is left with `original`.
///
/// Where the reader refuses the original, the class is not checked; where it reads the original and
/// refuses the output, that is a fault.
pub fn class(original: &[u8], output: &[u8], contract: &Contract<'_>) -> Verdict {
    let refused = |why: jfathom_plan::Problem| {
        Verdict::NotChecked(format!("the reader refuses the original: {why}"))
    };
    let old = match Readable::new(original) {
        Ok(old) => old,
        Err(why) => return refused(why),
    };
    let before = match old.read() {
        Ok(before) => before,
        Err(why) => return refused(why),
    };
    // Other widths of fields in Code (JVMS 4.7.3, before version 45.3).
    if before.major_version == 45 && before.minor_version < 3 {
        return Verdict::NotChecked("its version is older than the reader".to_owned());
    }
    let refused =
        |why| Verdict::Fault(Fault::new(format!("reads the original and not the output: {why}")));
    let new = match Readable::new(output) {
        Ok(new) => new,
        Err(why) => return refused(why),
    };
    let after = match new.read() {
        Ok(after) => after,
        Err(why) => return refused(why),
    };
    // The pool of the output begins with the original's: equal numbers are equal constants.
    if old.computed != new.computed {
        return Verdict::Fault(Fault::new(
            "a bootstrap method has other computed arguments".to_owned(),
        ));
    }
    // The pool's count (JVMS 4.1), which is one more than its last index.
    let count = output
        .get(8..10)
        .and_then(|count| count.try_into().ok())
        .map_or(u16::MAX, u16::from_be_bytes);
    let free_constants = usize::from(u16::MAX - count);
    match compare(&before, &after, contract, original != output, free_constants) {
        Ok(ids) => Verdict::Equal(ids),
        Err(Problem::Fault(fault)) => Verdict::Fault(fault),
        Err(Problem::NotChecked(why)) => Verdict::NotChecked(why),
    }
}

fn compare<'c>(
    before: &'c ClassFile<'c>,
    after: &'c ClassFile<'c>,
    contract: &Contract<'_>,
    is_changed: bool,
    free_constants: usize,
) -> Result<BTreeSet<u32>, Problem> {
    let version = |class: &ClassFile<'_>| (class.major_version, class.minor_version);
    differs(version(before) != version(after), "its version")?;
    differs(before.access_flags != after.access_flags, "its access flags")?;
    differs(before.this_class != after.this_class, "its name")?;
    differs(before.super_class != after.super_class, "its superclass")?;
    differs(before.interfaces != after.interfaces, "its interfaces")?;
    constants::compare(before, after, contract.runtime())?;
    attributes::compare(&before.attributes, &after.attributes)?;
    differs(before.fields.len() != after.fields.len(), "the number of its fields")?;
    for (old, new) in before.fields.iter().zip(&after.fields) {
        let same = (old.access_flags, &old.name, &old.descriptor)
            == (new.access_flags, &new.name, &new.descriptor);
        let named =
            |fault: Fault| Fault { what: format!("field {}: {}", old.name, fault.what), ..fault };
        differs(!same, &format!("field {}", old.name))?;
        attributes::compare(&old.attributes, &new.attributes).map_err(named)?;
    }
    differs(before.methods.len() != after.methods.len(), "the number of its methods")?;
    let mut ids = BTreeSet::new();
    let mut with_regions = None;
    for (old, new) in before.methods.iter().zip(&after.methods) {
        let method = Method { is_changed, free_constants, ..Method::new(before, old, contract) };
        if contract.has_regions(&method.class, &method.name, &method.descriptor) {
            header(old, new)?;
            with_regions.get_or_insert(format!("{}{}", method.name, method.descriptor));
            continue;
        }
        let of_method = methods(old, new, &method).map_err(|problem| match problem {
            Problem::Fault(fault) => Problem::Fault(Fault {
                method: Some(format!("{}{}", method.name, method.descriptor)),
                ..fault
            }),
            Problem::NotChecked(why) => {
                Problem::NotChecked(format!("method {}{}: {why}", method.name, method.descriptor))
            }
        })?;
        ids.extend(of_method.into_iter().flatten());
    }
    match with_regions {
        Some(method) => Err(Problem::NotChecked(format!("method {method} has regions"))),
        None => Ok(ids),
    }
}

fn methods(
    old: &MethodInfo<'_>,
    new: &MethodInfo<'_>,
    method: &Method<'_>,
) -> Result<[Option<u32>; 2], Problem> {
    header(old, new)?;
    match (Body::of(old), Body::of(new)) {
        (Some(old), Some(new)) => code::compare(old, new, method),
        _ => Ok([None; 2]),
    }
}

/// Compares all but the code.
fn header(old: &MethodInfo<'_>, new: &MethodInfo<'_>) -> Result<(), Problem> {
    let same = (old.access_flags, &old.name, &old.descriptor)
        == (new.access_flags, &new.name, &new.descriptor);
    differs(!same, "the method")?;
    attributes::compare(&old.attributes, &new.attributes)?;
    Ok(())
}

fn differs(is_so: bool, what: &str) -> Result<(), Fault> {
    if is_so { Err(Fault::new(format!("{what} is not what it was"))) } else { Ok(()) }
}
