//! Why a bot stops before the goodbye.

use std::fmt;

use crate::message::Unknown;

/// Why a bot stops before the goodbye, with the words for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The referee does not receive it.
    Refused(String),
    /// The stream broke.
    Gone(String),
    /// It was asked what it cannot know.
    Lost(String),
    /// It returned what it may not.
    Failed(String),
}

impl Ended {
    /// Who is left alone has done nothing wrong.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Gone(_) => 0,
            _ => 1,
        }
    }
}

impl From<Unknown> for Ended {
    fn from(unknown: Unknown) -> Self {
        Self::Lost(unknown.to_string())
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(out, "the referee does not receive this bot: {why}"),
            Self::Gone(why) => write!(out, "the referee is gone: {why}"),
            Self::Lost(why) | Self::Failed(why) => out.write_str(why),
        }
    }
}
