//! Which methods are small, by the names of methods that say it.

use crate::support::java;
use jfathom_plan::{ClassPlan, EntryAlone, MethodId, MethodPlan, ProbeKind};
use jfathom_rewriter::{Digests, Options, Rewriter, summarize};
use jfathom_testkit::{class_files, java_files};

#[test]
fn small_methods_have_an_entry_probe_alone() {
    let temp = tempfile::tempdir().expect("a folder");
    java::javac(17, &java_files(&java::sources("small")), temp.path());
    let mut seen = [0, 0];
    for (file, bytes) in class_files(temp.path()) {
        let class = summarize(&bytes, Digests::Omit).expect("a sound class");
        let ids = (0..).filter_map(MethodId::new);
        let rows = ids.zip(class.methods).map(|(id, method)| {
            let (name, descriptor) = (method.name, method.descriptor);
            MethodPlan { name, descriptor, id, kind: ProbeKind::Always }
        });
        let mut plan = ClassPlan {
            methods: rows.collect(),
            entry_alone: EntryAlone::Small,
            ..ClassPlan::default()
        };
        let mut rewriter = Rewriter::new(Options::default());
        let done = rewriter.rewrite(&bytes, &plan).expect("a sound class");
        assert_eq!(done.done.len(), plan.methods.len());
        for method in done.done {
            let name = &plan.methods[method.id.get() as usize].name;
            // The outer class makes an array.
            let is_small = match name.as_str() {
                "<init>" => file.contains("Point"),
                "<clinit>" => false,
                name => name.starts_with("small"),
            };
            assert_eq!(method.counted, is_small, "{file} {name}");
            seen[usize::from(is_small)] += 1;
        }
        // As a root, or with no method alone, none is.
        plan.methods.iter_mut().for_each(|row| row.kind = ProbeKind::Root);
        let roots = rewriter.rewrite(&bytes, &plan).expect("a sound class").done.to_vec();
        plan.entry_alone = EntryAlone::None;
        plan.methods.iter_mut().for_each(|row| row.kind = ProbeKind::Always);
        let whole = rewriter.rewrite(&bytes, &plan).expect("a sound class").done.to_vec();
        assert!(roots.iter().chain(&whole).all(|method| !method.counted), "{file}");
    }
    assert_eq!(seen, [19, 12]);
}
