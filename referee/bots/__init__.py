"""Bots as their authors submit them: a directory, its manifest, and its digest.

What a bot is:

- `manifest` reads `bot.toml`; `program` checks that the sandbox can run the program it names.
- `digest` computes the digest that identifies a bundle; `copying` makes the copy that is kept.
- `examples` finds a bot by its directory or by the name of an example; `package_data` finds what
  comes with the package: SDKs, examples, documentation.
- `packing` makes one file of what an author hands in; `archives` unpacks such files of strangers;
  `tar_headers` looks at the headers of tar files before the library reads them.

How a bot is built:

- `sdks` reads what each SDK needs for its builds; `template` copies what a new bot begins with.
- `build_environment` prepares, once for each SDK, the packages that builds need without a network.
- `build_space` mounts a file system of a fixed size for a build, where that is possible.
- `build_sandbox` runs commands in a sandbox that can write; `building` builds a bot in one, and
  keeps the result in the `cache`.

How a bot is started: `seating` starts the bots of a session, each seat in a sandbox of its own.
"""
