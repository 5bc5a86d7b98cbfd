"""Runs each bot in a sandbox of its own, under limits, and reports how it ended.

A bot is hostile until proven otherwise, and its partner is the one it most wants to reach. So every
bot runs under bubblewrap with its own namespaces, root directory, uid and control group, and shares
with others only the machine itself. `Sandboxes` opens what all
sandboxes have in common and starts each `Sandbox` from a `Launch`; `doctor` runs a probe through
the same code, because a guarantee is believed only after it was tried.

Starting (`launcher`, `command`, `spawn`). Nothing runs between the referee and bubblewrap. The
referee starts `bwrap --args FD` with the read end of an empty pipe, so bubblewrap waits; meanwhile
its resource limits, priority, core and control group are set from outside. Only then are the
arguments written, and everything that bubblewrap starts inherits them. The arguments never appear
on a command line, which the bot could read. What has to happen inside happens there: dropping the
last capabilities for the seat's own uid (`setpriv`), and the limit of processes, which the kernel
counts per uid and namespace (`prlimit`).

What is mounted (`runtimes`, `interpreters`, `mounts`), what stands for a procfs (`proc_files`) and
what is refused (`seccomp`). `private_files` copies all that is mounted for each bot, with the
`libraries` it needs, so that no two bots have a file in common.

Modes (`modes`, `slots`). As root, bubblewrap makes the mounts and the bot drops to a uid of its
own (`root`). With subordinate uids a user does the same inside a user namespace (`subuid`).
Otherwise the bot runs as the user's own uid, mapped to another (`userns`): the namespaces and the
filter still hold, but the kernel does not distinguish the bot from its neighbours by uid.

Monitoring (`sandbox`, `output`, `cgroups`, `group`, `statistics`, `cpu_time`, `waited_time`). The
kernel enforces most limits by itself, best where there is a control group. One task polls the rest
for all sandboxes: floods of output, the CPU time of all processes together and, where there is no
group, their number and memory.

Ending (`ending`). bubblewrap writes the exit code of the bot to a pipe. Such a record means that
the bot ended by itself or by a limit, and is responsible; no record means that the sandbox was
killed or never started, and no bot is responsible. The descriptor of the process (`pidfd`) becomes
readable when it ends, so an ending is known at once and without a thread.

Stopping. Killing the sandbox's first process makes the kernel kill all others in its namespace,
whatever signals they ignore. If the referee itself is killed, its sandboxes end too: bubblewrap
dies with the thread that started it, which is why all of this runs in the main thread, and the
`reaper` kills those that were still being set up.

Creations (`creations`, `notified_start`). The kernel asks the referee about each pipe and socket
that a bot creates, and the referee bounds their number: they would be a channel.

Channels (`measurement`, `channels`). What one sandbox can tell another is measured: a sender and a
receiver in two sandboxes, one for each known way, and the bits that arrived.

`unsafe` has the same interface for a plain process, for bots of one's own.
"""
