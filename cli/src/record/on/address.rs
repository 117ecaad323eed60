//! The address of another machine: a URL of the scheme `ssh`.

use jfathom_plan::Problem;
use std::{fmt, str::FromStr};

/// Expected form of an address.
const FORM: &str = "expected ssh://[user@]host[:port]";
/// Bytes of a name.
const NAME_MAX: usize = 255;

/// Another machine. Neither part can be read as an option of `ssh`, or by a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    user: Option<String>,
    /// A name or a number, without brackets.
    host: String,
    port: Option<u16>,
}

impl Address {
    /// The words by which `ssh` finds it.
    pub(super) fn words(&self) -> Vec<String> {
        let port = self.port.map(|port| ["-p".to_owned(), port.to_string()]);
        let user = self.user.clone().map(|user| ["-l".to_owned(), user]);
        // Behind `--` nothing is an option, whatever this file lets pass.
        let host = ["--".to_owned(), self.host.clone()];
        port.into_iter().chain(user).chain([host]).flatten().collect()
    }

    /// The machine, for people.
    pub(super) fn host(&self) -> &str {
        &self.host
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ssh://")?;
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        match self.host.contains(':') {
            true => write!(f, "[{}]", self.host)?,
            false => f.write_str(&self.host)?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl FromStr for Address {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let rest = text.strip_prefix("ssh://").ok_or(FORM)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (user, place) = match rest.rsplit_once('@') {
            Some((user, place)) => (Some(checked(user, "user", "._-+@")?), place),
            None => (None, rest),
        };
        let (host, port) = match place.strip_prefix('[') {
            Some(number) => {
                let (number, rest) = number.split_once(']').ok_or(FORM)?;
                let port = (!rest.is_empty()).then(|| rest.strip_prefix(':').ok_or(FORM));
                (checked(number, "host", ".:_-%")?, port.transpose()?)
            }
            None => match place.split_once(':') {
                Some((host, port)) => (checked(host, "host", "._-")?, Some(port)),
                None => (checked(place, "host", "._-")?, None),
            },
        };
        Ok(Self { user, host, port: port.map(parse_port).transpose()? })
    }
}

fn parse_port(text: &str) -> Result<u16, Problem> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let port = text.parse().ok().filter(|port| is_number && *port > 0);
    port.ok_or_else(|| "a port is a number from 1 to 65535".into())
}

/// A name that has letters, digits and `others` only, and is no option.
fn checked(name: &str, what: &str, others: &str) -> Result<String, Problem> {
    if name.starts_with('-') {
        return Err(format!("a {what} that begins with - could be an option of ssh").into());
    }
    if what == "user" && name.contains(':') {
        return Err("a password does not belong here: ssh asks for it, or takes a key".into());
    }
    if name.is_empty() || name.len() > NAME_MAX {
        return Err(FORM.into());
    }
    match name.chars().find(|c| !c.is_ascii_alphanumeric() && !others.contains(*c)) {
        Some(other) => Err(format!("a {what} has no ‘{other}’; {FORM}").into()),
        None => Ok(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        text.parse::<Address>().unwrap_or_else(|error| panic!("{text}: {error}")).words().join(" ")
    }

    #[test]
    fn addresses_become_words_of_ssh() {
        for (text, expected) in [
            ("ssh://build-7", "-- build-7"),
            ("ssh://build_7.acme.com/", "-- build_7.acme.com"),
            ("ssh://me@build:2222", "-p 2222 -l me -- build"),
            ("ssh://me@acme.com@build", "-l me@acme.com -- build"),
            ("ssh://10.0.0.7:22", "-p 22 -- 10.0.0.7"),
            ("ssh://[::1]", "-- ::1"),
            ("ssh://me@[fe80::1%eth0]:65535", "-p 65535 -l me -- fe80::1%eth0"),
        ] {
            assert_eq!(words(text), expected);
        }
    }

    #[test]
    fn an_address_is_shown_as_it_was_written() {
        for text in ["ssh://build", "ssh://me@build:2222", "ssh://me@[::1]:22", "ssh://[::1]"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_a_shell_or_ssh_could_read_otherwise_is_refused() {
        let long = format!("ssh://{}", "a".repeat(NAME_MAX + 1));
        for (text, says) in [
            ("", FORM),
            ("build", FORM),
            ("http://build", FORM),
            ("ssh://", FORM),
            ("ssh:///", FORM),
            ("ssh://me@", FORM),
            ("ssh://@build", FORM),
            ("ssh://[::1", FORM),
            ("ssh://[::1]22", FORM),
            (&*long, FORM),
            ("ssh://-oProxyCommand=x", "option of ssh"),
            ("ssh://me@-oProxyCommand=x", "option of ssh"),
            ("ssh://-me@build", "option of ssh"),
            ("ssh://[-v]", "option of ssh"),
            ("ssh://me:secret@build", "password"),
            ("ssh://build/tmp", "no ‘/’"),
            ("ssh://build//", "no ‘/’"),
            ("ssh://a b", "no ‘ ’"),
            ("ssh://a;b", "no ‘;’"),
            ("ssh://$(a)", "no ‘$’"),
            ("ssh://a\nb", "host"),
            ("ssh://büro", "no ‘ü’"),
            ("ssh://me'@build", "user has no ‘'’"),
            ("ssh://build:", "65535"),
            ("ssh://build:0", "65535"),
            ("ssh://build:+22", "65535"),
            ("ssh://build:65536", "65535"),
            ("ssh://build:22:23", "65535"),
            ("ssh://::1", FORM),
        ] {
            let error = text.parse::<Address>().expect_err(text);
            assert!(error.to_string().contains(says), "{text}: {error}");
        }
    }
}
