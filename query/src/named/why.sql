SELECT coalesce(names.name, '(outside of recorded calls)') AS name, kind, class,
       sum(count) AS count, sum(time_ns) / 1e9 AS time_s, count(DISTINCT events.run) AS runs
FROM events
LEFT JOIN names ON names.method = events.method
GROUP BY events.method, names.name, kind, class
ORDER BY time_s DESC NULLS LAST, count DESC, name
LIMIT {limit}
