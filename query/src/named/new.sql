SELECT names.name, sum(calls) AS calls, sum(self_ns) / 1e9 AS self_s
FROM totals
JOIN names ON names.method = totals.method
WHERE totals.method NOT IN (
    SELECT method FROM totals
    WHERE run IN (SELECT run FROM runs WHERE started < (SELECT max(started) FROM runs))
)
GROUP BY totals.method, names.name
ORDER BY self_s DESC NULLS LAST, calls DESC, name
LIMIT {limit}
