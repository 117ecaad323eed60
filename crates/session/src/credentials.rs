//! The rights of another process, and how this process takes them.

use crate::proc_files::{ProcessStatus, read};
use rustix::{
    process::{Gid, Pid, Uid},
    thread::{
        CapabilitySet, CapabilitySets, LinkNameSpaceType, capabilities,
        clear_ambient_capability_set, move_into_link_name_space, set_capabilities,
        set_keep_capabilities, set_no_new_privs, set_thread_groups, set_thread_res_gid,
        set_thread_res_uid,
    },
};
use std::{
    fs, io,
    os::{fd::AsFd as _, unix::fs::MetadataExt},
};

/// The user, groups, capabilities and user namespace of a process.
#[derive(Debug)]
pub struct Credentials {
    pid: u32,
    uid: Uid,
    gid: Gid,
    groups: Vec<Gid>,
    /// The permitted ones.
    capabilities: CapabilitySet,
    /// Its user namespace, if that is not this process's.
    user_namespace: Option<fs::File>,
}

/// Why the rights of a process were not taken.
#[derive(Debug, thiserror::Error)]
#[error("cannot record process {pid} as its user: cannot {action}: {cause}")]
pub struct CredentialsError {
    /// The process.
    pub pid: u32,
    /// The failed action: `take its groups`.
    pub action: &'static str,
    /// Why it failed.
    pub cause: io::Error,
}

impl Credentials {
    /// The rights of a process. Reading them needs none.
    ///
    /// # Errors
    /// Fails if there is no such process, or if the system does not show its user namespace.
    pub fn of(pid: u32) -> Result<Self, CredentialsError> {
        let failed = |action| move |cause| CredentialsError { pid, action, cause };
        let status = read(pid, "status").unwrap_or_default();
        let ids = Ids::parse(&String::from_utf8_lossy(&status))
            .ok_or_else(|| failed("read its user")(io::ErrorKind::NotFound.into()))?;
        let id = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let sets =
            capabilities(id).map_err(|error| failed("read its capabilities")(error.into()))?;
        let user_namespace = other_user_namespace(pid).map_err(failed("see its user namespace"))?;
        Ok(Self {
            pid,
            uid: ids.uid,
            gid: ids.gid,
            groups: ids.groups,
            capabilities: sets.permitted,
            user_namespace,
        })
    }

    /// Takes them for good: this process, of root, has no other rights afterwards.
    ///
    /// A process that has fewer capabilities than another one, or another user namespace, does not
    /// see that one's files (ptrace(2), "access mode checking"), so these are taken, too.
    ///
    /// # Errors
    /// Fails if this process has several threads, each of which has rights of its own, or if the
    /// system refuses. Some rights may then be taken: the process is to end.
    pub fn assume(self) -> Result<(), CredentialsError> {
        let pid = self.pid;
        let failed = |action| move |cause: io::Error| CredentialsError { pid, action, cause };
        let threads = fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
        if threads != 1 {
            return Err(failed("leave rights to other threads")(io::ErrorKind::Other.into()));
        }
        let done = |action, result: rustix::io::Result<()>| {
            result.map_err(|error| failed(action)(error.into()))
        };
        // These while this process is root of its own namespace; ids are told in that one.
        done("take its groups", set_thread_groups(&self.groups))?;
        done("take its group", set_thread_res_gid(self.gid, self.gid, self.gid))?;
        done("keep capabilities", set_keep_capabilities(true))?;
        let mut uid = self.uid;
        if let Some(namespace) = &self.user_namespace {
            let kind = Some(LinkNameSpaceType::User);
            done("enter its user namespace", move_into_link_name_space(namespace.as_fd(), kind))?;
            // Told by the ids of the namespace that the reader is in.
            uid = ProcessStatus::read(pid)
                .map(|status| Uid::from_raw(status.uid))
                .ok_or_else(|| failed("read its user")(io::ErrorKind::NotFound.into()))?;
        }
        done("take its user", set_thread_res_uid(uid, uid, uid))?;
        let own = capabilities(None).map_err(|error| failed("read own rights")(error.into()))?;
        let kept = own.permitted & self.capabilities;
        let (effective, inheritable) = (kept, CapabilitySet::empty());
        // Emptied with the inheritable ones on newer versions of Linux; older ones have none.
        let _older = clear_ambient_capability_set();
        let sets = CapabilitySets { effective, permitted: kept, inheritable };
        done("give up capabilities", set_capabilities(None, sets))?;
        done("give up new rights", set_no_new_privs(true))
    }
}

/// The user namespace of a process, if it is not this process's.
fn other_user_namespace(pid: u32) -> io::Result<Option<fs::File>> {
    let namespace = match fs::File::open(format!("/proc/{pid}/ns/user")) {
        // Root without CAP_SYS_PTRACE, as in a container, does not see it, and could not enter it.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
        opened => opened?,
    };
    let place = |meta: fs::Metadata| (meta.dev(), meta.ino());
    let theirs = place(namespace.metadata()?);
    let is_own = fs::metadata("/proc/self/ns/user").is_ok_and(|meta| place(meta) == theirs);
    Ok((!is_own).then_some(namespace))
}

/// The effective ids of a process.
#[derive(Debug, PartialEq, Eq)]
struct Ids {
    uid: Uid,
    gid: Gid,
    groups: Vec<Gid>,
}

impl Ids {
    /// Reads them from `/proc/PID/status`.
    fn parse(status: &str) -> Option<Self> {
        let numbers = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<u32>>>()
        };
        Some(Self {
            uid: Uid::from_raw(*numbers("Uid:")?.get(1)?),
            gid: Gid::from_raw(*numbers("Gid:")?.get(1)?),
            groups: numbers("Groups:")?.into_iter().map(Gid::from_raw).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_the_effective_ones() {
        let ids = Ids::parse("Uid:\t1\t1000\t1\t1\nGid:\t2\t1001\t2\t2\nGroups:\t4 24 \n");
        let groups = [4, 24].map(Gid::from_raw).to_vec();
        let (uid, gid) = (Uid::from_raw(1000), Gid::from_raw(1001));
        assert_eq!(ids, Some(Ids { uid, gid, groups }));
        for broken in ["", "Uid:\t1\nGid:\t1 1\nGroups:\n", "Uid:\t1 x\nGid:\t1 1\nGroups:\n"] {
            assert_eq!(Ids::parse(broken), None, "{broken}");
        }
    }

    #[test]
    fn rights_are_not_taken_on_one_thread_of_several() {
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || ended.recv());
        let error = Credentials::of(std::process::id()).unwrap().assume().unwrap_err();
        assert_eq!(error.action, "leave rights to other threads");
        assert!(Credentials::of(u32::MAX).is_err());
        drop(end);
        assert!(other.join().unwrap().is_err());
    }
}
