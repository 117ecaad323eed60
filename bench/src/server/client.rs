//! Clients of a web server: requests at a fixed rate, and as fast as they are answered.

use anyhow::{Result, bail, ensure};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Connections. A server that stands still for a second is met by more requests than that: their
/// latency counts from when they were due.
const CONNECTIONS: usize = 8;

/// How long requests took, in ms.
pub struct Latencies(Vec<f64>);

impl Latencies {
    /// So large a share of the requests took no longer.
    pub fn quantile(&self, share: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let at = (share * self.0.len() as f64).ceil() as usize;
        self.0.get(at.saturating_sub(1).min(last)).copied().unwrap_or(0.0)
    }
}

/// Every so many requests ask for a large page.
const LARGE_EVERY: u64 = 50;
const LARGE: &str = "/listing?n=4000";
const SMALL: &str = "/listing?n=40";

fn page(number: u64) -> &'static str {
    if number % LARGE_EVERY == 7 { LARGE } else { SMALL }
}

/// Requests as fast as they are answered: answers per second.
pub fn closed(port: u16, time: Duration) -> Result<f64> {
    let begun = Instant::now();
    let answered = AtomicU64::new(0);
    thread::scope(|scope| -> Result<()> {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let mut connection = Connection::new(port)?;
                    while begun.elapsed() < time {
                        connection.get(page(answered.fetch_add(1, Ordering::Relaxed)))?;
                    }
                    Ok(())
                })
            })
            .collect();
        clients.into_iter().try_for_each(|client| client.join().expect("it does not panic"))
    })?;
    Ok(answered.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64())
}

/// Requests at a fixed rate, whether or not earlier ones are answered. A latency counts from when
/// the request was due.
pub fn open(port: u16, rate: f64, time: Duration) -> Result<Latencies> {
    let begun = Instant::now() + Duration::from_millis(20);
    let next = AtomicU64::new(0);
    let all = (time.as_secs_f64() * rate) as u64;
    let parts = thread::scope(|scope| -> Result<Vec<Vec<f64>>> {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                scope.spawn(|| -> Result<Vec<f64>> {
                    let mut connection = Connection::new(port)?;
                    let mut latencies = Vec::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= all {
                            return Ok(latencies);
                        }
                        let due = begun + Duration::from_secs_f64(number as f64 / rate);
                        thread::sleep(due.saturating_duration_since(Instant::now()));
                        connection.get(page(number))?;
                        latencies.push(due.elapsed().as_secs_f64() * 1e3);
                    }
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("it does not panic")).collect()
    })?;
    let mut all: Vec<f64> = parts.into_iter().flatten().collect();
    all.sort_by(f64::total_cmp);
    Ok(Latencies(all))
}

/// A connection that is kept.
struct Connection {
    port: u16,
    stream: BufReader<TcpStream>,
    requests: u32,
}

/// Tomcat closes a connection after a hundred requests.
const MOST_REQUESTS: u32 = 90;

impl Connection {
    fn new(port: u16) -> Result<Self> {
        Ok(Self { port, stream: connect(port)?, requests: 0 })
    }

    /// One request; the whole answer is read.
    fn get(&mut self, path: &str) -> Result<()> {
        if self.requests >= MOST_REQUESTS {
            *self = Self::new(self.port)?;
        }
        self.requests += 1;
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self.line()?;
        if !status.contains(" 200") {
            bail!(status);
        }
        let mut length = None;
        loop {
            let line = self.line()?;
            match line.split_once(": ") {
                None => break,
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = Some(value.parse::<u64>()?);
                }
                Some(_) => {}
            }
        }
        match length {
            Some(length) => self.skip(length),
            None => self.chunks(),
        }
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the server has closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }

    fn skip(&mut self, bytes: u64) -> Result<()> {
        let skipped = std::io::copy(&mut self.stream.by_ref().take(bytes), &mut std::io::sink())?;
        ensure!(skipped == bytes, "the answer is cut off");
        Ok(())
    }

    fn chunks(&mut self) -> Result<()> {
        loop {
            let line = self.line()?;
            let bytes = u64::from_str_radix(&line, 16)?;
            self.skip(bytes + 2)?;
            if bytes == 0 {
                return Ok(());
            }
        }
    }
}

fn connect(port: u16) -> Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    Ok(BufReader::new(stream))
}
