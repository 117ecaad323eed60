SELECT names.name, count(DISTINCT totals.run) AS runs, sum(calls) AS calls, sum(timed) AS timed,
       sum(self_ns) / 1e9 AS self_s
FROM totals
JOIN names ON names.method = totals.method
GROUP BY totals.method, names.name
ORDER BY calls DESC, name
LIMIT {limit}
