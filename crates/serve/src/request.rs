//! The head of a request (RFC 9112): the request line and the headers that matter here.

/// A request without its body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    /// `GET`, as a rule.
    pub method: String,
    /// The path, which begins with `/`, as it was sent.
    pub path: String,
    /// What follows the first `?`; empty without one.
    pub query: String,
    /// Where it was sent to.
    pub host: Option<String>,
    /// The page that sends it, if a page of another origin may do so.
    pub origin: Option<String>,
    /// All cookies.
    pub cookie: Option<String>,
    /// The tag of the content that the browser has.
    pub known: Option<String>,
}

/// Why bytes are no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken(pub &'static str);

impl Request {
    /// Reads a head, which ends with its empty line.
    pub(crate) fn parse(head: &[u8]) -> Result<Self, Broken> {
        let head = std::str::from_utf8(head).map_err(|_| Broken("not UTF-8"))?;
        let head = head.strip_suffix("\r\n\r\n").ok_or(Broken("no end"))?;
        let mut lines = head.split("\r\n");
        let mut request = Self::of_line(lines.next().unwrap_or_default())?;
        for line in lines {
            request.add_header(line)?;
        }
        Ok(request)
    }

    fn of_line(line: &str) -> Result<Self, Broken> {
        let broken = Broken("no request line");
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(broken);
        };
        let is_method = !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase());
        let is_target = target.starts_with('/') && target.bytes().all(|b| b.is_ascii_graphic());
        if !is_method || !is_target || !["HTTP/1.1", "HTTP/1.0"].contains(&version) {
            return Err(broken);
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Ok(Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            ..Self::default()
        })
    }

    fn add_header(&mut self, line: &str) -> Result<(), Broken> {
        let (name, value) = line.split_once(':').ok_or(Broken("a header without a colon"))?;
        let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(Broken("a header without a name"));
        }
        if value.chars().any(|c| c.is_control() && c != '\t') {
            return Err(Broken("a header with a control character"));
        }
        let place = match &*name.to_ascii_lowercase() {
            "host" => &mut self.host,
            "origin" => &mut self.origin,
            "cookie" => &mut self.cookie,
            "if-none-match" => &mut self.known,
            _ => return Ok(()),
        };
        match place.replace(value.trim_matches([' ', '\t']).to_owned()) {
            Some(_) => Err(Broken("a header that is there twice")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let head =
            b"GET /a?b=c?d HTTP/1.1\r\nHOST:  x:1 \r\nAccept: */*\r\nCookie: a=b; c=d\r\n\r\n";
        let some = |text: &str| Some(text.to_owned());
        let expected = Request {
            method: "GET".to_owned(),
            path: "/a".to_owned(),
            query: "b=c?d".to_owned(),
            host: some("x:1"),
            cookie: some("a=b; c=d"),
            ..Request::default()
        };
        assert_eq!(Request::parse(head), Ok(expected));
    }

    #[test]
    fn what_is_no_head_is_refused() {
        for broken in [
            "",
            "\r\n\r\n",
            "GET / HTTP/1.1\r\n",
            "GET /\r\n\r\n",
            "GET  / HTTP/1.1\r\n\r\n",
            "get / HTTP/1.1\r\n\r\n",
            "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
            "GET a HTTP/1.1\r\n\r\n",
            "GET /\u{1b} HTTP/1.1\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / HTTP/1.1 x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost\r\n\r\n",
            "GET / HTTP/1.1\r\n: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\nb\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n",
        ] {
            assert!(Request::parse(broken.as_bytes()).is_err(), "{broken:?}");
        }
        assert_eq!(Request::parse(b"GET /\xff HTTP/1.1\r\n\r\n"), Err(Broken("not UTF-8")));
    }
}
