//! The SDK's own tests; `testdata` has facts that the SDKs of all languages share.

mod answering;
mod card_set;
mod pieces;
mod random;
mod recycle;
mod referee;
mod rules;
mod session;
mod situations;
mod testdata;
mod tokens;
mod views;
