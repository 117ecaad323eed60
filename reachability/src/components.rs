//! Strongly connected components (R. Tarjan, SIAM J. Comput. 1972), without recursion and without a
//! copy of the graph: graphs of large programs have millions of edges.

const UNSEEN: u32 = 0;

/// A node whose edges are being followed.
struct Frame<I> {
    node: u32,
    next: I,
}

/// Calls `found` for each component of the nodes that `starts` reach. Node numbers are below
/// `count`, and `next` gives the nodes to which one leads.
pub(crate) fn components<I: Iterator<Item = u32>>(
    count: usize,
    starts: impl Iterator<Item = u32>,
    next: impl Fn(u32) -> I,
    mut found: impl FnMut(&[u32]),
) {
    // By node: when it was seen first, from 1; `u32::MAX` once its component is known.
    let mut seen = vec![UNSEEN; count];
    // By node: the earliest one on the stack to which it leads, as far as known.
    let mut low = vec![0u32; count];
    let (mut clock, mut open, mut path) = (0, Vec::new(), Vec::new());
    for start in starts {
        if seen[start as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(start);
        loop {
            if let Some(node) = enter.take() {
                clock += 1;
                seen[node as usize] = clock;
                low[node as usize] = clock;
                open.push(node);
                path.push(Frame { node, next: next(node) });
            }
            let Some(frame) = path.last_mut() else { break };
            let node = frame.node as usize;
            match frame.next.next() {
                Some(to) if seen[to as usize] == UNSEEN => enter = Some(to),
                Some(to) if seen[to as usize] != u32::MAX => {
                    low[node] = low[node].min(seen[to as usize]);
                }
                Some(_) => {}
                None => {
                    let low_of_node = low[node];
                    if low_of_node == seen[node] {
                        let first = open.iter().rposition(|&at| at as usize == node).unwrap_or(0);
                        found(&open[first..]);
                        for done in open.drain(first..) {
                            seen[done as usize] = u32::MAX;
                        }
                    }
                    path.pop();
                    if let Some(above) = path.last() {
                        let above = &mut low[above.node as usize];
                        *above = (*above).min(low_of_node);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::graph::DiGraph;

    /// Components of the graph with these edges, each sorted, sorted.
    fn ours(count: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let next = |from| edges.iter().filter(move |edge| edge.0 == from).map(|edge| edge.1);
        components(count as usize, 0..count, next, |component| {
            let mut component = component.to_vec();
            component.sort_unstable();
            all.push(component);
        });
        all.sort();
        all
    }

    fn petgraphs(count: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = (0..count).map(|_| graph.add_node(())).collect();
        for &(from, to) in edges {
            graph.add_edge(nodes[from as usize], nodes[to as usize], ());
        }
        let mut all: Vec<Vec<u32>> = petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .map(|component| component.into_iter().map(|node| node.index() as u32).collect())
            .collect();
        all.iter_mut().for_each(|component: &mut Vec<u32>| component.sort_unstable());
        all.sort();
        all
    }

    #[test]
    fn components_are_those_of_petgraph() {
        let mut state = 1u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32 % below
        };
        for round in 0..400 {
            let count = 1 + random(20);
            let edges: Vec<(u32, u32)> =
                (0..random(3 * count)).map(|_| (random(count), random(count))).collect();
            assert_eq!(ours(count, &edges), petgraphs(count, &edges), "{round}: {edges:?}");
        }
    }

    #[test]
    fn a_deep_graph_does_not_overflow_the_stack() {
        let count = 200_000;
        let mut sizes = Vec::new();
        let next = |from: u32| std::iter::once((from + 1) % count);
        components(count as usize, 0..count, next, |component| sizes.push(component.len()));
        assert_eq!(sizes, [count as usize]);
    }
}
