SELECT run, node, depth, names.name, calls, self_ns / 1e9 AS self_s, self_bar_ns / 1e9 AS bar_s
FROM nodes
JOIN names ON names.method = nodes.method
WHERE kind = 'method'
ORDER BY self_ns DESC NULLS LAST, run, node
LIMIT {limit}
