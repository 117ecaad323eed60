//! A frame of a thread dump, and whose code it runs.

/// One line `at CLASS.METHOD(SOURCE)`, in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame<'a> {
    /// With dots: `com.acme.Shop$Codec`.
    pub class: &'a str,
    pub method: &'a str,
    /// `Shop.java:12`; after a module: `java.base@17.0.15/Native Method`.
    pub source: &'a str,
}

/// Whose code a frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Jdk,
    /// A class without a class file, such as a lambda's or a proxy's.
    Generated,
    /// A library that calls the program: server, container, test runner.
    Framework,
    Program,
}

impl<'a> Frame<'a> {
    /// Reads the text after `at `; none if it has another form. A method's name may contain
    /// parentheses, so the last one begins the source.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (name, source) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let (class, method) = name.rsplit_once('.')?;
        let is_whole = !class.is_empty() && !method.is_empty();
        is_whole.then_some(Self { class, method, source })
    }

    /// Whether native code runs.
    pub(super) fn is_native(&self) -> bool {
        self.source.ends_with("Native Method")
    }

    pub(super) fn origin(&self) -> Origin {
        let begins =
            |prefixes: &[&str]| prefixes.iter().any(|prefix| self.class.starts_with(prefix));
        let module = self.source.split_once('/').map_or("", |(module, _)| module);
        let simple = self.class.rsplit('.').next().unwrap_or_default();
        if GENERATED.iter().any(|part| self.class.contains(part)) || simple.starts_with("$Proxy") {
            Origin::Generated
        } else if module.starts_with("java.") || module.starts_with("jdk.") || begins(JDK) {
            Origin::Jdk
        } else if begins(FRAMEWORKS) {
            Origin::Framework
        } else {
            Origin::Program
        }
    }
}

/// Packages of the JDK, for classes that a dump shows without a module.
const JDK: &[&str] = &["java.", "jdk.", "sun.", "com.sun.proxy."];

/// Parts of the names of generated classes. Hidden classes have a slash (JVMS 5.3).
const GENERATED: &[&str] =
    &["/", "$$Lambda", "$$EnhancerBy", "$$FastClass", "$$SpringCGLIB", "GeneratedMethodAccessor"];

/// Packages of libraries that call the program.
const FRAMEWORKS: &[&str] = &[
    "akka.",
    "groovy.lang.",
    "io.micronaut.",
    "io.netty.",
    "io.quarkus.",
    "io.undertow.",
    "io.vertx.",
    "jakarta.",
    "javax.",
    "junit.",
    "kotlin.",
    "kotlinx.coroutines.",
    "org.apache.catalina.",
    "org.apache.coyote.",
    "org.apache.maven.",
    "org.apache.tomcat.",
    "org.codehaus.groovy.",
    "org.eclipse.jetty.",
    "org.glassfish.",
    "org.gradle.",
    "org.jboss.",
    "org.junit.",
    "org.springframework.",
    "org.testng.",
    "reactor.",
    "scala.",
    "worker.org.gradle.",
];
