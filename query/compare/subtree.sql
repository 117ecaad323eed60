SELECT n.method, sum(n.calls) AS calls, sum(n.self_ns) AS self_ns
FROM nodes AS n
WHERE n.run = {run} AND n.node BETWEEN {node} AND {last} AND n.kind = 'method'
GROUP BY n.method
ORDER BY calls DESC, n.method
LIMIT 20
