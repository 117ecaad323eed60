//! What formats say of a frame.

use jfathom_plan::printable;
use jfathom_profile::{Frame, MethodInfo, SampledName};
use jfathom_views::{Shown, sampled_name};

/// Names and location of a frame. All texts are printable.
#[derive(Clone, Debug)]
pub(crate) struct FrameFacts {
    /// As reports write it: `com.acme.Engine::run`.
    pub name: String,
    /// The class in its internal form, `com/acme/Engine`; of tasks `jfathom/Task`.
    pub class: String,
    /// The method's name; of a task, what it is.
    pub method: String,
    /// The descriptor; `()V` if it is unknown, and nothing of frames without recorded calls.
    pub descriptor: String,
    /// The source file with the package's folders: `com/acme/Engine.java`.
    pub file: Option<String>,
    /// First line of the method; 0 if it is unknown.
    pub line: u32,
}

impl FrameFacts {
    pub fn of(shown: &Shown, frame: Frame) -> Self {
        let name = shown.frame_name(frame);
        let Frame::Method(method) = frame else {
            return Self {
                class: "jfathom/Task".to_owned(),
                method: name.clone(),
                descriptor: "()V".to_owned(),
                name,
                file: None,
                line: 0,
            };
        };
        Self::of_method(name, &shown.profile.method(method).info)
    }

    /// Those of a method with this name in reports.
    pub fn of_method(name: String, info: &MethodInfo) -> Self {
        let or = |text: &str, other: &str| match text {
            "" => other.to_owned(),
            text => printable(text).into_owned(),
        };
        let file = info.source.as_ref().map(|source| {
            let package = info.key.class.rsplit_once('/').map(|(package, _)| package);
            let path =
                package.map_or_else(|| source.clone(), |folder| format!("{folder}/{source}"));
            printable(&path).into_owned()
        });
        Self {
            name,
            class: or(&info.key.class, "unknown"),
            method: or(&info.key.name, "unknown"),
            descriptor: or(&info.key.descriptor, "()V"),
            file,
            line: info.line.unwrap_or(0),
        }
    }

    /// Those of a frame without recorded calls, of which neither descriptor nor file are known.
    pub fn of_sampled(name: &SampledName) -> Self {
        Self {
            name: sampled_name(name),
            class: printable(&name.class).into_owned(),
            method: printable(&name.name).into_owned(),
            descriptor: String::new(),
            file: None,
            line: 0,
        }
    }

    /// Class, name and descriptor: `com/acme/Engine.run(I)V`.
    pub fn system_name(&self) -> String {
        format!("{}.{}{}", self.class, self.method, self.descriptor)
    }
}
