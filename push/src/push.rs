//! The command: what waits is sent first, then the profiles; what cannot be sent waits.

use crate::{
    args::{Args, Usage},
    delivery::{Outcome, Sender},
    packet::{Account, Packet},
    patience::Patience,
    pyroscope::is_of_a_name,
    receiver::Receiver,
    secret::Secret,
    spool::Spool,
};
use anyhow::{Context, Result, anyhow};
use jfathom_profile::{Label, Labels, Meta, Profile};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::BufReader,
    path::Path,
};

/// Sends what the arguments say, and `say`s what became of it. Whether all was taken. `token` is
/// that of the environment.
///
/// # Errors
/// A wrong argument, or a spool that was named and cannot be used.
pub fn run(args: &Args, token: Option<OsString>, say: &mut dyn FnMut(&str)) -> Result<bool> {
    let receiver = args.receiver()?;
    let secret = Secret::find(args.token_file.as_deref(), token, args.user.as_deref())?;
    if secret.is_some() && receiver.is_open() {
        return Err(Usage("a token is sent by https only, or to this machine".to_owned()).into());
    }
    if let Some(tenant) = &args.tenant
        && !tenant.bytes().all(|byte| byte.is_ascii_graphic())
    {
        return Err(Usage("--tenant: it has letters, digits and signs only".to_owned()).into());
    }
    let sender = Sender::new(&receiver, args.ca_file.as_deref(), secret)?;
    let spool = spool(args, say)?;
    let mut push = Push {
        receiver,
        sender,
        account: Account {
            tenant: args.tenant.clone().unwrap_or_default(),
            user: args.user.clone().unwrap_or_default(),
        },
        patience: Patience::new(args.patience()),
        is_unreachable: None,
        is_whole: true,
        say,
    };
    if let Some(spool) = &spool {
        let sent = push.send_spooled(spool, args.spooled);
        push.note(sent);
    }
    for path in &args.profiles {
        let sent = push.send_profile(path, args, spool.as_ref());
        push.note(sent.with_context(|| path.display().to_string()));
    }
    Ok(push.is_whole)
}

/// Where profiles wait. That there is no usual place is no reason not to push.
fn spool(args: &Args, say: &mut dyn FnMut(&str)) -> Result<Option<Spool>> {
    if args.no_spool {
        return Ok(None);
    }
    if let Some(place) = &args.spool {
        return Spool::open(place, args.spool_bytes()).map(Some);
    }
    let opened = match Spool::usual_place() {
        Some(place) => Spool::open(&place, args.spool_bytes()),
        None => Err(anyhow!("neither XDG_STATE_HOME nor HOME is an absolute path")),
    };
    if args.spooled {
        return opened.map(Some);
    }
    if let Err(error) = &opened {
        say(&format!("what cannot be sent will not wait: {error:#} (--spool DIR)"));
    }
    Ok(opened.ok())
}

/// A command on its way.
struct Push<'a> {
    receiver: Receiver,
    sender: Sender,
    account: Account,
    patience: Patience,
    /// Why the server was given up.
    is_unreachable: Option<String>,
    /// Whether all was taken so far.
    is_whole: bool,
    say: &'a mut dyn FnMut(&str),
}

impl Push<'_> {
    /// Says an error; the rest goes on.
    fn note(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.fail(&format!("{error:#}"));
        }
    }

    /// Says that something was not taken.
    fn fail(&mut self, why: &str) {
        self.is_whole = false;
        (self.say)(why);
    }

    /// Sends what waits for this server and account.
    fn send_spooled(&mut self, spool: &Spool, is_all: bool) -> Result<()> {
        let Some(_sending) = spool.try_sending()? else {
            self.is_whole &= !is_all;
            (self.say)(&format!("{}: another push sends what waits there", spool.path().display()));
            return Ok(());
        };
        let mut sent = 0_u64;
        for name in spool.names()? {
            if self.is_unreachable.is_some() {
                break;
            }
            match self.send_waiting(spool, &name) {
                Ok(is_sent) => sent += u64::from(is_sent),
                Err(error) => self.fail(&format!("{error:#}")),
            }
        }
        if sent > 0 {
            (self.say)(&format!("{sent} that waited: sent to {}", self.receiver.url));
        }
        Ok(())
    }

    /// Sends a packet of the spool, if it is for this server and account. Whether it was taken.
    fn send_waiting(&mut self, spool: &Spool, name: &OsStr) -> Result<bool> {
        let Some(packet) = spool.read(name).context("it stays there")? else { return Ok(false) };
        if packet.account != self.account || !packet.is_for(&self.receiver) {
            return Ok(false);
        }
        let at = spool.path().join(name);
        let (at, url) = (at.display(), self.receiver.url.clone());
        match self.sender.send(&packet, &mut self.patience) {
            Outcome::Taken => {
                spool.remove(name).context("it was sent, and will be again")?;
                return Ok(true);
            }
            Outcome::Refused(why) => {
                let place = spool.set_aside(name)?;
                self.fail(&format!("{at}: {url} refuses it: {why}; now {}", place.display()));
            }
            Outcome::Unreachable { why, is_connected } => {
                self.fail(&format!("{at}: not sent: {url}: {why}; it stays there"));
                self.is_unreachable = (!is_connected).then_some(why);
            }
        }
        Ok(false)
    }

    fn send_profile(&mut self, path: &Path, args: &Args, spool: Option<&Spool>) -> Result<()> {
        let file = File::open(path).context("cannot open")?;
        let mut profile = Profile::read_whole(&mut BufReader::new(file))?;
        profile.meta.labels = labels(&profile, args)?;
        let packet = self.receiver.packet(&profile)?;
        let packet = Packet { account: self.account.clone(), ..packet };
        let outcome = match &self.is_unreachable {
            // Its patience is over.
            Some(why) => Outcome::Unreachable { why: why.clone(), is_connected: false },
            None => self.sender.send(&packet, &mut self.patience),
        };
        let (named, url) = (path.display(), self.receiver.url.clone());
        match outcome {
            Outcome::Taken => {
                let kilobytes = packet.body.len().div_ceil(1_000);
                (self.say)(&format!("{named}: sent to {url} ({kilobytes} kB)"));
            }
            Outcome::Refused(why) => self.fail(&format!("{named}: {url} refuses it: {why}")),
            Outcome::Unreachable { why, is_connected } => {
                let waits = match spool.map(|spool| (spool.add(&packet), spool.path())) {
                    None => String::new(),
                    Some((Ok(()), place)) => format!(
                        "; it waits in {}, and the next push to this URL sends it",
                        place.display()
                    ),
                    Some((Err(error), _)) => format!("; it cannot wait: {error:#}"),
                };
                self.fail(&format!("{named}: not sent: {url}: {why}{waits}"));
                self.is_unreachable = (!is_connected).then_some(why);
            }
        }
        Ok(())
    }
}

impl Packet {
    /// Whether it waits for this server.
    fn is_for(&self, receiver: &Receiver) -> bool {
        let url = self.url.split('?').next().unwrap_or_default();
        receiver.url == *url
    }
}

/// The recording's labels, then those of the command line, and the name of the service.
fn labels(profile: &Profile, args: &Args) -> Result<Labels> {
    let label = |key: &str, value: &str| Label { key: key.to_owned(), value: value.to_owned() };
    let recorded = profile.meta.labels.iter().map(|(key, value)| label(key, value));
    let mut all: Vec<Label> = recorded.chain(args.labels.iter().cloned()).collect();
    let service = match &args.name {
        Some(name) => Some(name.clone()),
        None if all.iter().any(|label| label.key == SERVICE) => None,
        None => Some(service(&profile.meta)),
    };
    all.extend(service.map(|name| label(SERVICE, &name)));
    Ok(Labels::new(all)?)
}

/// OpenTelemetry's attribute with the name of a service.
const SERVICE: &str = "service.name";

/// The main class, or the jar's name without its end, if it is one for all JVMs; with `_` for what
/// a name cannot have on every server.
fn service(meta: &Meta) -> String {
    let mut programs =
        meta.jvms.iter().map(|jvm| jvm.command.split(' ').next().unwrap_or_default());
    let name = match programs.next() {
        Some(first) if programs.all(|other| other == first) => first,
        _ => "",
    };
    let name = name.rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(".jar").unwrap_or(name);
    let name = if name.is_empty() { "java" } else { name };
    name.replace(|one: char| !u8::try_from(one).is_ok_and(is_of_a_name), "_")
}
