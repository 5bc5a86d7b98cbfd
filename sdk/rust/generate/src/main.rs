//! Makes the Rust code of the protocol from a descriptor set, so that nobody needs `protoc` to build.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use prost::Message;
use prost_types::FileDescriptorSet;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let [descriptor_set, out_dir] = words.as_slice() else {
        eprintln!("usage: generate DESCRIPTOR_SET OUT_DIR");
        return ExitCode::from(2);
    };
    match generate(descriptor_set, out_dir) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("generate: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes `upcard.v1.rs`; the set must hold the comments too (`protoc --include_source_info`).
fn generate(descriptor_set: &str, out_dir: &str) -> Result<(), Box<dyn Error>> {
    let files = FileDescriptorSet::decode(fs::read(descriptor_set)?.as_slice())?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .emit_rerun_if_changed(false)
        .out_dir(out_dir)
        .compile_fds(files)?;
    format(&Path::new(out_dir).join("upcard.v1.rs"))
}

fn format(code: &Path) -> Result<(), Box<dyn Error>> {
    let formatted = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .arg(code)
        .status()?;
    if formatted.success() {
        Ok(())
    } else {
        Err("rustfmt failed".into())
    }
}
