SELECT callers.name AS caller, sum(edges.calls) AS calls, sum(edges.total_ns) AS total_ns
FROM edges
JOIN names AS callees ON callees.method = edges.callee
LEFT JOIN names AS callers ON callers.method = edges.caller
WHERE callees.name = '{method}' AND NOT edges.to_task
GROUP BY callers.name
ORDER BY calls DESC, caller
LIMIT 20
