SELECT names.name, count(DISTINCT totals.run) AS runs, sum(calls) AS calls,
       sum(self_ns) / 1e9 AS self_s, sum(total_ns) / 1e9 AS total_s
FROM totals
JOIN names ON names.method = totals.method
GROUP BY totals.method, names.name
ORDER BY self_s DESC NULLS LAST, calls DESC, name
LIMIT {limit}
