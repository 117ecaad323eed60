use super::*;
use std::collections::BTreeMap;

/// A tree of a thread with random calls of a few methods, and a node that is kept.
fn drawn(seed: u64, nodes: usize) -> (TreeBuilder, u32) {
    let mut state = seed * 2 + 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    };
    let mut tree = TreeBuilder::default();
    let root = tree.add(NONE, frame::pack(frame::THREAD, 0));
    let mut at = root;
    while tree.nodes.len() < nodes {
        if random() % 2 == 0 && tree.nodes[at as usize].parent != NONE {
            at = tree.nodes[at as usize].parent;
            continue;
        }
        let kind = if random() % 1000 == 0 { frame::TASK } else { frame::METHOD };
        at = tree.child(at, frame::pack(kind, (random() % 8) as u32));
        let node = &mut tree.nodes[at as usize];
        node.calls += 1 + random() % 3;
        node.self_ticks += 1 << (random() % 20);
        node.notable = node.notable.max(random() % 1000);
        if random() % 10 == 0 {
            tree.extra_mut(at)[Metric::Throws] += 1;
        }
    }
    (tree, at)
}

/// By frame: calls, self ticks, longest call and exceptions.
fn sums(tree: &TreeBuilder) -> BTreeMap<u32, (u64, u64, u64, u64)> {
    let mut sums = BTreeMap::new();
    for (at, node) in (0_u32..).zip(&tree.nodes).skip(1).filter(|(_, node)| node.frame != SUMMARY) {
        let sum: &mut (u64, u64, u64, u64) = sums.entry(node.frame).or_default();
        sum.0 += node.calls;
        sum.1 += node.self_ticks;
        sum.2 = sum.2.max(node.notable);
        sum.3 += tree.extra(at)[Metric::Throws];
    }
    sums
}

/// By frame: the calls that it made.
fn made(tree: &TreeBuilder) -> BTreeMap<u32, u64> {
    let mut made = BTreeMap::new();
    for (at, node) in (0_u32..).zip(&tree.nodes).skip(1) {
        let parent = tree.nodes[node.parent as usize].frame;
        if parent != SUMMARY {
            let calls = node.calls + tree.extra(at)[Metric::CallsBeside];
            *made.entry(parent).or_default() +=
                if node.frame == SUMMARY { calls } else { node.calls };
        } else {
            *made.entry(node.frame).or_default() += tree.extra(at)[Metric::CallsBeside];
        }
    }
    made.retain(|_, calls| *calls != 0);
    made
}

fn folded(tree: &TreeBuilder) -> u64 {
    tree.extras().map(|(_, extra)| extra[Metric::Folded]).sum()
}

/// Nodes that are none of a fold.
fn others(tree: &TreeBuilder) -> u64 {
    let is_other =
        |node: &&Node| node.frame != SUMMARY && tree.nodes[node.parent as usize].frame != SUMMARY;
    tree.nodes.iter().skip(1).filter(is_other).count() as u64
}

fn check_links(tree: &TreeBuilder) {
    let order = super::super::preorder(tree);
    assert_eq!(order.len(), tree.nodes.len() - 1);
    for (at, node) in (0_u32..).zip(&tree.nodes).skip(1) {
        assert!(node.parent < at, "a parent has the smaller number");
    }
    for parent in 0..tree.nodes.len() as u32 {
        let mut frames: Vec<u32> = super::super::children(&tree.nodes, parent)
            .map(|child| tree.nodes[child as usize].frame)
            .collect();
        let children = frames.len();
        frames.sort_unstable();
        frames.dedup();
        assert_eq!(frames.len(), children, "no two children of node {parent} have one frame");
    }
}

#[test]
fn a_fold_keeps_all_sums_by_method() {
    for seed in 0..60 {
        let (mut tree, mut at) = drawn(seed, 2000);
        for most in [1500, 900, 900, 200, 1] {
            let (before, calls) = (sums(&tree), made(&tree));
            let nodes = folded(&tree) + others(&tree);
            let path = tree.path(at);
            let moved = tree.fold(most, &[at]);
            check_links(&tree);
            assert_eq!(sums(&tree), before, "seed {seed}");
            assert_eq!(made(&tree), calls, "seed {seed}");
            assert_eq!(folded(&tree) + others(&tree), nodes, "seed {seed}");
            // The kept path, and those of tasks, are short beside that.
            if most >= 900 {
                assert!(tree.nodes.len() <= most, "seed {seed}: {} nodes", tree.nodes.len());
            }
            at = moved.map_or(at, |moved| moved.to(at));
            assert_eq!(tree.path(at), path);
            assert!(!path.contains(&SUMMARY));
        }
    }
}

#[test]
fn nodes_with_little_time_go_first() {
    let mut tree = TreeBuilder::default();
    let root = tree.add(NONE, frame::pack(frame::THREAD, 0));
    let top = tree.child(root, 1);
    let paths: Vec<u32> = (0..200)
        .map(|method| {
            let child = tree.child(top, 2 + method);
            let below = tree.child(child, 500);
            tree.nodes[below as usize].self_ticks = if method == 77 { 1 << 30 } else { 9 };
            tree.nodes[below as usize].calls = 1;
            below
        })
        .collect();
    let moved = tree.fold(300, &[]).unwrap();
    assert_eq!(tree.path(moved.to(paths[77])), [1, 79, 500]);
    assert_eq!(tree.path(moved.to(paths[78])), [1, SUMMARY, 500]);
}

#[test]
fn nodes_that_are_entered_stay_before_those_that_are_not() {
    let mut tree = TreeBuilder::default();
    let root = tree.add(NONE, frame::pack(frame::THREAD, 0));
    let top = tree.child(root, 1);
    let add = |tree: &mut TreeBuilder, method: u32| {
        let child = tree.child(top, method);
        for below in [1000, 1001, 1002, 1003] {
            let node = tree.child(child, below);
            tree.nodes[node as usize].self_ticks = 100;
            tree.nodes[node as usize].calls = 1;
        }
    };
    (2..200).for_each(|method| add(&mut tree, method));
    // All are new, but for a few that have time so little that they go.
    (200..230).for_each(|method| {
        let child = tree.child(top, method);
        tree.child(child, 1000);
    });
    assert!(tree.fold(tree.nodes.len() - 20, &[]).is_some());
    let entered: Vec<u32> =
        (2..200).step_by(3).filter_map(|method| tree.find(top_of(&tree), method)).collect();
    for node in &entered {
        let below: Vec<u32> = super::super::children(&tree.nodes, *node).collect();
        below.iter().for_each(|node| tree.nodes[*node as usize].calls += 1);
    }
    let count = entered.len();
    assert!(count > 50);
    let moved = tree.fold(count * 5 + 200, &[]).unwrap();
    let left = entered.iter().filter(|node| tree.nodes[moved.to(**node) as usize].parent != NONE);
    assert_eq!(left.filter(|node| tree.path(moved.to(**node)).len() == 2).count(), count);
}

/// The method below the thread.
fn top_of(tree: &TreeBuilder) -> u32 {
    super::super::children(&tree.nodes, 1).next().unwrap()
}
