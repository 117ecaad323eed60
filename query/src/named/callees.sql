SELECT callers.name AS caller,
       CASE WHEN to_task THEN 'task of ' || callees.name ELSE callees.name END AS callee,
       count(DISTINCT edges.run) AS runs, sum(calls) AS calls, sum(total_ns) / 1e9 AS total_s
FROM edges
JOIN names AS callers ON callers.method = edges.caller
JOIN names AS callees ON callees.method = edges.callee
WHERE callers.name = $method OR starts_with(callers.name, $method || '(')
GROUP BY callers.name, callees.name, to_task
ORDER BY total_s DESC NULLS LAST, calls DESC, caller, callee
LIMIT {limit}
