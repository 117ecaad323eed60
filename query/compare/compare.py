"""The same five queries in jfathom-query, DuckDB, Spark and Ballista over one directory of tables.

usage: compare.py JFATHOM-QUERY TABLES [--spark] [--ballista BIN] [--rounds N]

Prints the time of each in seconds, the least and the median of N rounds, and fails if rows differ.
DuckDB and Spark are the packages `duckdb` and `pyspark`. Spark is a local cluster of two worker
processes. Ballista's programs are in the folder BIN; it is a scheduler and two executors on this
machine. Each query of jfathom-query and of Ballista is a process of its own, and its time has that of
its start.
"""

import argparse
import atexit
import csv
import io
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

TABLES = ["runs", "methods", "totals", "nodes", "edges", "threads"]
NAMES = "SELECT method, max(name) AS name FROM methods GROUP BY method"
HERE = pathlib.Path(__file__).parent


def queries(connection):
    """The queries' texts, for the hottest method and for a large call path."""
    method = connection.execute(
        "SELECT m.name FROM totals t JOIN names m USING (method) GROUP BY m.name"
        " ORDER BY sum(t.self_ns) DESC LIMIT 1"
    ).fetchone()[0]
    run, node, last = connection.execute(
        "SELECT run, node, last FROM nodes WHERE kind = 'method'"
        " ORDER BY abs(last - node - 50000), run, node LIMIT 1"
    ).fetchone()
    for name in ["top", "history", "subtree", "callers", "throws"]:
        text = (HERE / f"{name}.sql").read_text()
        yield name, text.format(method=method.replace("'", "''"), run=run, node=node, last=last)


def same(rows):
    """Rows as texts: engines differ in types of whole numbers and in how they write nothing."""
    return [["" if cell is None else str(cell) for cell in row] for row in rows]


def duckdb_engine(tables):
    import duckdb

    connection = duckdb.connect()
    for table in TABLES:
        files = f"{tables}/{table}/**/*.parquet"
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM '{files}'")
    connection.execute(f"CREATE VIEW names AS {NAMES}")
    return connection, lambda sql: connection.execute(sql).fetchall()


def spark_engine(tables):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,2048]").appName("jfathom")
    builder = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "4")
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for table in TABLES:
        frame = session.read.option("recursiveFileLookup", "true").parquet(f"{tables}/{table}")
        frame.createOrReplaceTempView(table)
    session.sql(NAMES).createOrReplaceTempView("names")
    return lambda sql: [tuple(row) for row in session.sql(sql).collect()]


def free_ports(count):
    """Ports of this machine that nobody listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(port):
    """Waits until somebody listens there."""
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"nobody listens at port {port}")


def ballista_engine(programs, tables):
    programs = pathlib.Path(programs).resolve()
    logs = tempfile.TemporaryDirectory(prefix="ballista-")
    atexit.register(logs.cleanup)
    scheduler, *ports = free_ports(7)

    def start(name, *options):
        with open(f"{logs.name}/{name}-{len(options)}.log", "a", encoding="utf-8") as log:
            command = [programs / name, "--bind-host", "127.0.0.1", *map(str, options)]
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=logs.name)
        atexit.register(process.wait)
        atexit.register(process.terminate)

    start("ballista-scheduler", "--bind-port", scheduler)
    wait_for(scheduler)
    for data, grpc, health in [ports[:3], ports[3:]]:
        work = pathlib.Path(logs.name, f"work-{data}")
        work.mkdir()
        start(
            "ballista-executor",
            *("--scheduler-host", "127.0.0.1", "--scheduler-port", scheduler, "--bind-port", data),
            *("--bind-grpc-port", grpc, "--bind-health-port", health, "--work-dir", work),
            *("--external-host", "127.0.0.1", "--vcores", 1),
        )
        wait_for(data)
    known = "".join(
        f"CREATE EXTERNAL TABLE {table} STORED AS PARQUET LOCATION '{tables}/{table}/';\n"
        for table in TABLES
    )

    def asked(sql):
        # A view lives in the scheduler's session alone; executors are sent plans.
        sql = f"WITH names AS ({NAMES})\n{sql}"
        with tempfile.NamedTemporaryFile("w", suffix=".sql", dir=logs.name) as file:
            file.write(f"{known}{sql};\n")
            file.flush()
            command = [programs / "ballista-cli", "--host", "127.0.0.1", "--port", str(scheduler)]
            command += ["--quiet", "--format", "csv", "--file", file.name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or "rror" in done.stderr:
            sys.exit(done.stderr + done.stdout)
        return list(csv.reader(io.StringIO(done.stdout)))[1:]

    return asked


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("tables")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--ballista", metavar="BIN")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()

    def asked(sql):
        command = [args.program, "--format", "csv", sql, args.tables]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        return list(csv.reader(io.StringIO(done.stdout)))[1:]

    connection, duckdb = duckdb_engine(args.tables)
    engines = {"jfathom-query": asked, "DuckDB": duckdb}
    if args.spark:
        engines["Spark"] = spark_engine(args.tables)
    if args.ballista:
        engines["Ballista"] = ballista_engine(args.ballista, pathlib.Path(args.tables).resolve())
    print("| query | rows | " + " | ".join(engines) + " |")
    print("|---|---|" + "---|" * len(engines))
    differ = []
    for name, sql in queries(connection):
        found, times = {}, {engine: [] for engine in engines}
        for _ in range(args.rounds):
            for engine, ask in engines.items():
                start = time.perf_counter()
                found[engine] = same(ask(sql))
                times[engine].append(time.perf_counter() - start)
        cells = [f"{min(all):.2f}, {statistics.median(all):.2f}" for all in times.values()]
        print(f"| {name} | {len(found['DuckDB'])} | " + " | ".join(cells) + " |", flush=True)
        differ += [f"{name}: {engine}" for engine in engines if found[engine] != found["DuckDB"]]
    if differ:
        sys.exit("other rows than DuckDB's: " + ", ".join(differ))


if __name__ == "__main__":
    main()
