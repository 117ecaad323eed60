//! `⋯` of trees: it stands for counted calls, and is no method.

use jfathom_compare::{
    CallLimit, ContextFrame, Likeness, Limits, MethodSet, SelectedMethods, diff, gate, growth,
    hot_methods, into_series, likeness, merge,
};
use jfathom_plan::Selector;
use jfathom_profile::Method;
use jfathom_testkit::{between, tree_text::assert_tree};

#[test]
fn a_series_has_it_once_below_each_method() {
    let runs = vec![between::profile(2), between::profile(4)];
    let series = into_series(runs).unwrap();
    series.check().unwrap();
    assert_tree(
        &series,
        "
         main 2 0 20000000
           run 2 8000000 20000000
             byName +6 0 0
             byId +4 0 0
             <between> 0 0 12000000
               query 4 12000000 12000000
               check +10 0 0",
    );
    assert_eq!((series.method_count(), series.methods.len()), (5, 6));
}

#[test]
fn merged_profiles_have_one_sign_in_their_method_table() {
    let merged = merge(vec![between::profile(2), between::profile(4)]).unwrap();
    merged.check().unwrap();
    assert_eq!((merged.method_count(), merged.methods.len()), (5, 6));
    let sign = merged.methods.iter().find(|method| method.info.is_between()).unwrap();
    assert_eq!((sign.calls(), sign.entries, sign.counted), (0, 0, 0));
    let paths = merged.latencies.paths.iter().map(|of| (of.path.len(), of.calls.count()));
    assert_eq!(paths.collect::<Vec<_>>(), [(1, 2), (3, 4)]);
}

#[test]
fn a_difference_has_its_paths_and_no_method_of_it() {
    let [base, new] = [2, 4].map(between::profile);
    let found = diff(&base, &new);
    assert_eq!(found.matching.pairs.len(), 5);
    assert!(found.matching.only_base.is_empty() && found.matching.only_new.is_empty());
    assert_eq!((found.method_count(), found.methods.len()), (5, 6));
    let sign = found.methods.iter().position(|method| method.is_sign).unwrap();
    let of_sign = &found.methods[sign];
    assert!(of_sign.base.is_some() && of_sign.new.is_some() && !of_sign.is_changed());
    assert!(of_sign.calls.base.is_none() && of_sign.total_time.base.is_none());
    let contexts: Vec<_> =
        found.contexts.iter().filter(|of| of.frame == ContextFrame::Method(sign)).collect();
    let [context] = &contexts[..] else { panic!("{contexts:?}") };
    let total = [context.total_time.base, context.total_time.new];
    assert_eq!(total, [Some(5e6), Some(7e6)]);
    assert_eq!((context.self_time.base, context.self_time.new), (Some(0.0), Some(0.0)));
    // One that is on one side only is not edited.
    let mut direct = base.clone();
    direct.tree = direct.tree.retain(|_| None).0;
    direct.methods.retain(|method: &Method| !method.info.is_between());
    let found = diff(&base, &direct);
    assert!(found.methods.iter().all(|method| !method.is_edited()));
    assert!(found.matching.only_base.is_empty());
}

#[test]
fn a_gate_does_not_select_it() {
    let [base, new] = [2, 2].map(between::profile);
    let found = diff(&base, &new);
    let limits = Limits { calls: Some(CallLimit::Share(0.0)), ..Limits::default() };
    let all: Selector = "**".parse().unwrap();
    let selected =
        SelectedMethods::new(&base.methods, &new.methods, std::slice::from_ref(&all)).unwrap();
    let gated = gate(&base, &new, &found, &limits, |method| selected.contains(method)).unwrap();
    assert_eq!((gated.calls_within, gated.edited.len()), (5, 0));
    let selector: Selector = "jfathom::*".parse().unwrap();
    assert!(MethodSet::new(&base.methods, &[selector]).is_err());
    assert_eq!(MethodSet::new(&base.methods, &[all]).unwrap().methods().count(), 5);
    assert_eq!(hot_methods(&base, |_| true).len(), 5);
}

/// Two programs that have nothing but the sign in common.
#[test]
fn it_makes_no_two_programs_alike() {
    let shop = between::profile(2);
    let mut other = between::profile(2);
    for method in other.methods.iter_mut().filter(|method| !method.info.is_between()) {
        method.info.key.class = "com/acme/Other".to_owned();
        method.info.digest = Default::default();
    }
    assert_eq!(likeness(&shop.methods, &other.methods), Likeness::Unrelated);
    let found = diff(&shop, &other);
    assert!(gate(&shop, &other, &found, &Limits::default(), |_| true).is_err());
    let mut sized = [shop.clone(), shop, other];
    for (profile, size) in sized.iter_mut().zip(1..) {
        profile.meta.size = std::num::NonZeroU64::new(size);
    }
    let of = |last: usize| growth(&[&sized[0], &sized[1], &sized[last]]);
    assert!(of(2).unwrap_err().to_string().contains("no method in common"));
    let mut last = sized[1].clone();
    last.meta.size = std::num::NonZeroU64::new(9);
    let found = growth(&[&sized[0], &sized[1], &last]).unwrap();
    assert_eq!(found.methods.len(), 5);
}
