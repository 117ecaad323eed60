//! Web servers: Tomcat and Jetty as Debian packages them, with small applications, and one with a
//! virtual thread for each request; and a client for them.

use crate::{
    jdk::Jdk,
    live::Desk,
    run::{Done, HANG},
    samples, tool,
};
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A running server.
#[derive(Debug)]
pub struct Server {
    desk: Desk,
    port: u16,
    _base: TempDir,
}

/// Where the packages `tomcat10-common`, `libtomcat10-java` and `libeclipse-jdt-core-java` are
/// unpacked: `JFATHOM_TOMCAT` names the folder, else they are installed. Without them says that
/// `test` is skipped.
pub fn tomcat(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("JFATHOM_TOMCAT")
        .filter(|name| !name.is_empty())
        .map_or("/".into(), PathBuf::from);
    let found = folder.join("usr/share/tomcat10/bin/bootstrap.jar").is_file()
        && folder.join("usr/share/java/eclipse-jdt-core.jar").is_file();
    if !found {
        eprintln!(
            "{test}: skipped, there is no Tomcat here (Debian: libtomcat10-java, tomcat10-common, libeclipse-jdt-core-java; or set JFATHOM_TOMCAT)"
        );
    }
    found.then_some(folder)
}

impl Server {
    /// Starts it on a port of its own, without a request yet.
    #[track_caller]
    pub fn start(tomcat: &Path, jdk: &Jdk) -> Self {
        let base = samples::temp_dir();
        let place = |name: &str| base.path().join(name);
        let sources = samples::sources().join("server");
        for folder in ["conf", "temp", "work", "logs", "webapps/ROOT/WEB-INF"] {
            fs::create_dir_all(place(folder)).expect("a folder can be made");
        }
        let copy = |from: &str, to: &str| {
            fs::copy(sources.join(from), place(to)).expect("the sample is there")
        };
        copy("conf/server.xml", "conf/server.xml");
        copy("pages/list.jsp", "webapps/ROOT/list.jsp");
        copy("pages/WEB-INF/web.xml", "webapps/ROOT/WEB-INF/web.xml");
        let share = tomcat.join("usr/share");
        let loader = format!(
            "common.loader={0}/tomcat10/lib/*.jar,{0}/java/eclipse-jdt-core.jar\n",
            share.display()
        );
        fs::write(place("conf/catalina.properties"), loader).expect("the folder is there");
        let servlet = ["tomcat10/lib/servlet-api.jar", "java/tomcat10-servlet-api.jar"]
            .map(|name| share.join(name));
        let servlet =
            servlet.iter().find(|jar| jar.is_file()).expect("Tomcat comes with the servlet API");
        samples::javac_for(
            17,
            &["-cp", &servlet.display().to_string()],
            &sources.join("app"),
            &place("webapps/ROOT/WEB-INF/classes"),
        );
        samples::javac_for(17, &[], &sources.join("host"), &place("host"));
        let bin = share.join("tomcat10/bin");
        let mut command = tool::java(jdk);
        command
            .arg(format!("-Dcatalina.home={}", share.join("tomcat10").display()))
            .arg(format!("-Dcatalina.base={}", base.path().display()))
            .arg(format!("-Djava.io.tmpdir={}", place("temp").display()))
            .arg("-cp")
            .arg(format!(
                "{}:{}:{}",
                bin.join("bootstrap.jar").display(),
                bin.join("tomcat-juli.jar").display(),
                place("host").display()
            ))
            .arg("host.Host")
            .arg(place("port"));
        Self::of(command, base)
    }

    /// Jetty with one servlet, on a port of its own. `jetty` is where the packages `libjetty9-java`
    /// and `libservlet-api-java` are unpacked.
    #[track_caller]
    pub fn jetty(jetty: &Path, jdk: &Jdk) -> Self {
        let base = samples::temp_dir();
        let names = ["server", "servlet", "http", "io", "security", "util"]
            .map(|part| jetty.join(format!("usr/share/java/jetty9-{part}.jar")));
        let mut path: Vec<String> = names.iter().map(|jar| jar.display().to_string()).collect();
        path.push(jetty.join("usr/share/java/servlet-api.jar").display().to_string());
        assert!(names[0].is_file(), "there is no {}", names[0].display());
        let classes = base.path().join("classes");
        samples::javac_for(
            17,
            &["-cp", &path.join(":")],
            &samples::sources().join("server/jetty"),
            &classes,
        );
        path.push(classes.display().to_string());
        let mut command = tool::java(jdk);
        command.args(["-cp", &path.join(":"), "jetty.Shelf"]).arg(base.path().join("port"));
        Self::of(command, base)
    }

    /// A server with a virtual thread for each request, on a port of its own; on 21 or later.
    #[track_caller]
    pub fn fibres(jdk: &Jdk) -> Self {
        let base = samples::temp_dir();
        let classes = base.path().join("classes");
        samples::javac(&[], &samples::sources().join("fibres"), &classes);
        let mut command = tool::java(jdk);
        command.arg("-cp").arg(classes).arg("fibres.Web").arg(base.path().join("port"));
        Self::of(command, base)
    }

    /// Waits for the port that the command writes into the folder.
    #[track_caller]
    fn of(command: Command, base: TempDir) -> Self {
        let desk = Desk::of(command);
        let start = Instant::now();
        let port = loop {
            let text = fs::read_to_string(base.path().join("port")).ok();
            if let Some(port) = text.and_then(|text| text.parse().ok()) {
                break port;
            }
            assert!(start.elapsed() < HANG, "the server does not start");
            thread::sleep(Duration::from_millis(20));
        };
        Self { desk, port, _base: base }
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.desk.pid
    }

    /// One request; gives the status and the body, or what went wrong.
    ///
    /// # Errors
    /// Of the connection.
    pub fn get(&self, path: &str) -> std::io::Result<(u32, String)> {
        get(self.port, path)
    }

    /// A client that can be handed to another thread.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends it.
    #[track_caller]
    pub fn finish(self) -> Done {
        self.desk.finish()
    }
}

/// One request over a connection of its own.
///
/// # Errors
/// Of the connection; an answer that is none of HTTP.
pub fn get(port: u16, path: &str) -> std::io::Result<(u32, String)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(HANG))?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    let (Some(status), Some((_, body))) = (status, text.split_once("\r\n\r\n")) else {
        return Err(std::io::Error::other(format!("no answer of HTTP: {text:?}")));
    };
    Ok((status, body.trim().to_owned()))
}
