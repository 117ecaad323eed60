SELECT names.name, count(DISTINCT run) AS runs, sum(calls) AS calls, sum(self_ns) AS self_ns
FROM totals JOIN names ON names.method = totals.method
GROUP BY totals.method, names.name
ORDER BY self_ns DESC NULLS LAST, calls DESC, name
LIMIT 10
