SELECT coalesce(callers.name, '(bottom of the stack)') AS caller, callees.name AS callee,
       count(DISTINCT edges.run) AS runs, sum(calls) AS calls, sum(total_ns) / 1e9 AS total_s
FROM edges
JOIN names AS callees ON callees.method = edges.callee
LEFT JOIN names AS callers ON callers.method = edges.caller
WHERE (callees.name = $method OR starts_with(callees.name, $method || '(')) AND NOT to_task
GROUP BY callers.name, callees.name
ORDER BY calls DESC, caller, callee
LIMIT {limit}
