SELECT names.name, sum(throws) AS throws, sum(timed) AS timed, count(DISTINCT nodes.run) AS runs
FROM nodes
JOIN names ON names.method = nodes.method
WHERE kind = 'method'
GROUP BY nodes.method, names.name
HAVING sum(throws) > 0
ORDER BY throws DESC, name
LIMIT {limit}
