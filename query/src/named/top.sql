WITH hottest AS (
    SELECT method, count(DISTINCT run) AS runs, sum(calls) AS calls, sum(self_ns) AS self_ns,
           sum(total_ns) AS total_ns
    FROM totals
    GROUP BY method
    ORDER BY self_ns DESC NULLS LAST, calls DESC, method
    LIMIT {limit}
)
SELECT max(methods.name) AS name, hottest.runs, hottest.calls, self_ns / 1e9 AS self_s,
       total_ns / 1e9 AS total_s
FROM hottest
JOIN methods ON methods.method = hottest.method
GROUP BY hottest.method, hottest.runs, hottest.calls, self_ns, total_ns
ORDER BY self_s DESC NULLS LAST, calls DESC, name
