SELECT nodes.method, sum(throws) AS throws, sum(timed) AS timed
FROM nodes
WHERE kind = 'method' AND throws > 0
GROUP BY nodes.method
ORDER BY throws DESC, nodes.method
LIMIT 20
