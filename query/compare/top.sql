WITH hottest AS (
    SELECT method, count(DISTINCT run) AS runs, sum(calls) AS calls, sum(self_ns) AS self_ns
    FROM totals
    GROUP BY method
    ORDER BY self_ns DESC NULLS LAST, calls DESC, method
    LIMIT 10
)
SELECT max(methods.name) AS name, hottest.runs, hottest.calls, self_ns
FROM hottest
JOIN methods ON methods.method = hottest.method
GROUP BY hottest.method, hottest.runs, hottest.calls, self_ns
ORDER BY self_ns DESC NULLS LAST, calls DESC, name
