WITH called AS (
    SELECT method, count(DISTINCT run) AS runs, sum(calls) AS calls, sum(timed) AS timed,
           sum(self_ns) AS self_ns
    FROM totals
    GROUP BY method
    ORDER BY calls DESC, method
    LIMIT {limit}
)
SELECT max(methods.name) AS name, called.runs, called.calls, called.timed, self_ns / 1e9 AS self_s
FROM called
JOIN methods ON methods.method = called.method
GROUP BY called.method, called.runs, called.calls, called.timed, self_ns
ORDER BY calls DESC, name
