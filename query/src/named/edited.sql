SELECT names.name, count(DISTINCT code) AS versions, count(DISTINCT methods.run) AS runs
FROM methods
JOIN names ON names.method = methods.method
GROUP BY methods.method, names.name
HAVING count(DISTINCT code) > 1
ORDER BY versions DESC, name
LIMIT {limit}
