SELECT name, count(*) AS threads, count(DISTINCT run) AS runs, sum(total_ns) / 1e9 AS total_s,
       sum(ran_ns) / 1e9 AS ran_s, sum(queued_ns) / 1e9 AS queued_s
FROM threads
GROUP BY name
ORDER BY total_s DESC NULLS LAST, name
LIMIT {limit}
