//! Whether something is done.

/// The value of an option that is otherwise decided by the circumstances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    /// What is asked for, else what the circumstances say.
    pub(crate) fn is_on(self, auto: impl FnOnce() -> bool) -> bool {
        match self {
            Self::Auto => auto(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}
