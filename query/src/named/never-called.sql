SELECT names.name, count(DISTINCT totals.run) AS runs_that_call, sum(calls) AS calls
FROM totals
JOIN names ON names.method = totals.method
WHERE totals.method NOT IN (
    SELECT method FROM totals
    WHERE run IN (SELECT run FROM runs WHERE started = (SELECT max(started) FROM runs))
)
GROUP BY totals.method, names.name
ORDER BY calls DESC, name
LIMIT {limit}
