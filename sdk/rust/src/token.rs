//! What is said when a text is no card, suit or action.

use std::error::Error;
use std::fmt;

/// A text that names no card, suit, rank or action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownToken {
    wanted: &'static str,
    token: String,
}

impl UnknownToken {
    pub(crate) fn new(wanted: &'static str, token: &str) -> Self {
        Self {
            wanted,
            token: token.to_owned(),
        }
    }
}

impl fmt::Display for UnknownToken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} is no {}", self.token, self.wanted)
    }
}

impl Error for UnknownToken {}
