"""Starts a program whose pipes and sockets are created only with the referee's permission.

Run as a script before bubblewrap: it loads a filter that asks the holder of the descriptor of its
notifications, sends that descriptor to the referee, and becomes the program. Its arguments are the
descriptor of a socket to the referee, the filter's instructions in hexadecimal, and the program. It
is started for each bot, so it imports as little as possible.
"""

import ctypes
import os
import sys
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_STREAM, SOL_SOCKET, socket

SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_FILTER, _NEW_LISTENER = 1, 8
_SET_NO_NEW_PRIVILEGES = 38


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _main() -> None:
    _, descriptor, instructions, *program = sys.argv
    code = bytes.fromhex(instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    filter_ = ctypes.byref(_Program(len(code) // 8, code))
    listener = libc.syscall(SECCOMP[os.uname().machine], _SET_FILTER, _NEW_LISTENER, filter_)
    link = socket(AF_UNIX, SOCK_STREAM, 0, int(descriptor))
    if listener < 0:
        # Where a container is watched like this already, the kernel refuses a second one.
        link.sendmsg([b"x"])
    else:
        link.sendmsg([b"x"], [(SOL_SOCKET, SCM_RIGHTS, listener.to_bytes(4, sys.byteorder))])
        os.close(listener)
    link.close()
    os.environ.pop("LC_CTYPE", None)  # which Python sets, and the bot could read
    os.execv(program[0], program)  # noqa: S606 (there is no shell to be had)


if __name__ == "__main__":
    _main()
