//! Who may ask.
//!
//! A page of another site can make the browser send requests to loopback. It knows no token, its
//! `Origin` is another one, and a name of its own that it lets point to 127.0.0.1 (DNS rebinding)
//! shows in `Host`.

use crate::{
    answer::{Answer, Status},
    request::Request,
    token::Token,
};

/// What is needed to be let in.
#[derive(Debug)]
pub(crate) struct Gate {
    token: Token,
    port: u16,
}

impl Gate {
    pub(crate) fn new(token: Token, port: u16) -> Self {
        Self { token, port }
    }

    /// The address that lets in.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token.digits())
    }

    /// The answer to a request that is not let in; none lets it in.
    pub(crate) fn turn_away(&self, request: &Request) -> Option<Answer> {
        let Some(host) = request.host.as_deref().filter(|host| self.is_own(host)) else {
            return Some(Answer::forbidden("this server is asked by another name than its own"));
        };
        let own_origin = |origin: &str| {
            let of_origin = origin.strip_prefix("http://");
            of_origin.is_some_and(|of_origin| of_origin.eq_ignore_ascii_case(host))
        };
        if !request.origin.as_deref().is_none_or(own_origin) {
            return Some(Answer::forbidden("another page asks"));
        }
        if request.method != "GET" {
            let refused = Answer::of_text(Status(405, "Method Not Allowed"), "only GET");
            return Some(refused.with("Allow", "GET".to_owned()));
        }
        match parameter(&request.query, '&', "token") {
            Some(token) if request.path == "/" && self.token.is(token) => {
                Some(Answer::redirect("/", self.cookie()))
            }
            Some(_) => Some(no_token()),
            None => {
                let cookies = request.cookie.as_deref().unwrap_or_default();
                let token = parameter(cookies, ';', &self.cookie_name());
                let is_right = token.is_some_and(|token| self.token.is(token));
                (!is_right).then(no_token)
            }
        }
    }

    fn cookie(&self) -> String {
        let (name, token) = (self.cookie_name(), self.token.digits());
        format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict")
    }

    /// Browsers send cookies to all ports of a host: each server has a name of its own.
    fn cookie_name(&self) -> String {
        format!("jfathom_{}", self.port)
    }

    fn is_own(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| {
            // Browsers leave out the port of the scheme.
            let is_short = self.port == 80 && host.eq_ignore_ascii_case(name);
            is_short || host.eq_ignore_ascii_case(&format!("{name}:{}", self.port))
        })
    }
}

fn no_token() -> Answer {
    Answer::forbidden("open the address that jfathom serve printed, or reload this page")
}

/// The value of the first `name=value` among others.
fn parameter<'a>(all: &'a str, separator: char, name: &str) -> Option<&'a str> {
    let mut pairs = all.split(separator).filter_map(|pair| pair.trim_matches(' ').split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}
