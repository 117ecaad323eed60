WITH points AS (
    SELECT totals.method, runs.started = newest.started AS is_new,
           totals.calls * 1.0 / repetitions AS calls, self_ns * 1.0 / repetitions AS self_ns,
           self_bar_ns * 1.0 / repetitions AS bar_ns
    FROM totals
    JOIN runs ON runs.run = totals.run
    CROSS JOIN (SELECT max(started) AS started FROM runs) AS newest
), sides AS (
    SELECT method,
           avg(CASE WHEN NOT is_new THEN calls END) AS calls_before,
           avg(CASE WHEN is_new THEN calls END) AS calls_now,
           avg(CASE WHEN NOT is_new THEN self_ns END) AS before,
           max(CASE WHEN NOT is_new THEN bar_ns END) AS bar_before,
           avg(CASE WHEN is_new THEN self_ns END) AS now,
           avg(CASE WHEN is_new THEN bar_ns END) AS bar_now
    FROM points
    GROUP BY method
)
SELECT names.name, calls_before, calls_now, before / 1e9 AS self_s_before, now / 1e9 AS self_s_now,
       (now - before) / 1e9 AS more_s,
       coalesce(now - bar_now > before + bar_before, false) AS beyond_bars
FROM sides
JOIN names ON names.method = sides.method
WHERE calls_before IS NOT NULL AND calls_now IS NOT NULL
  AND (calls_now > calls_before OR now - bar_now > before + bar_before)
ORDER BY beyond_bars DESC, more_s DESC NULLS LAST, calls_now - calls_before DESC, name
LIMIT {limit}
