WITH newest AS (
    SELECT max(started) AS started FROM runs
), older AS (
    SELECT run, repetitions FROM runs, newest
    WHERE runs.started < newest.started AND clean AND NOT roots_only
), sums AS (
    SELECT totals.method, sum(totals.calls * 1.0 / repetitions) AS calls,
           avg(self_ns * 1.0 / repetitions) AS self_ns,
           max(self_bar_ns * 1.0 / repetitions) AS bar_ns
    FROM totals JOIN older ON older.run = totals.run
    GROUP BY totals.method
), before AS (
    SELECT method, calls / (SELECT count(*) FROM older) AS calls, self_ns, bar_ns FROM sums
), now AS (
    SELECT totals.method, avg(totals.calls * 1.0 / repetitions) AS calls,
           avg(self_ns * 1.0 / repetitions) AS self_ns,
           avg(self_bar_ns * 1.0 / repetitions) AS bar_ns
    FROM totals JOIN runs ON runs.run = totals.run JOIN newest ON newest.started = runs.started
    GROUP BY totals.method
)
SELECT names.name, before.calls AS calls_before, now.calls AS calls_now,
       before.self_ns / 1e9 AS self_s_before, now.self_ns / 1e9 AS self_s_now,
       (now.self_ns - before.self_ns) / 1e9 AS more_s,
       coalesce(now.self_ns - now.bar_ns > before.self_ns + before.bar_ns, false) AS beyond_bars
FROM before
JOIN now ON now.method = before.method
JOIN names ON names.method = before.method
WHERE now.calls > before.calls * (1 + 1e-9)
   OR now.self_ns - now.bar_ns > before.self_ns + before.bar_ns
ORDER BY beyond_bars DESC, more_s DESC NULLS LAST, now.calls - before.calls DESC, name
LIMIT {limit}
