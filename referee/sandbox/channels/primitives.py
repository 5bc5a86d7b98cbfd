"""Ways in which one sandbox may change what another can see: a sender and a receiver for each.

A sender sets a bit, and keeps it set until the next; a receiver returns a number that depends on
the bit if the channel works. An error of the system means that the channel is refused.

Where the number is a time, a sender does equally much for both bits, and in different places, so
that its work as such does not count as a signal.
"""

from typing import Final

from . import counters, names, processor, shared_files
from .system import Primitive

FILES: Final = "a file that both can read"
USER: Final = "one uid, for which the kernel has limits"
KERNEL: Final = "one kernel"
NUMBERS: Final = "one sequence of numbers for all pipes and sockets"
CORE: Final = "one core"
CACHES: Final = "one memory and its caches"
PRIMITIVES = {
    "page mapping": Primitive(shared_files.map_page, shared_files.page_is_mapped_twice, FILES),
    "page counts": Primitive(shared_files.map_page, shared_files.page_is_counted_as_shared, FILES),
    "futex": Primitive(shared_files.wait_for_word, shared_files.wake_waiters, FILES),
    "page cache": Primitive(
        shared_files.read_half, shared_files.which_half_is_in_memory, FILES, timed=True
    ),
    "name cache": Primitive(
        shared_files.look_for_names, shared_files.which_names_are_known, FILES, timed=True
    ),
    "file lock": Primitive(shared_files.lock_file, shared_files.file_is_locked, FILES),
    "record lock": Primitive(shared_files.lock_record, shared_files.record_is_locked, FILES),
    "lease": Primitive(shared_files.hold_open, shared_files.lease_is_refused, FILES),
    "write hint": Primitive(shared_files.set_hint, shared_files.hint, FILES),
    "time of reading": Primitive(shared_files.read_it, shared_files.was_read, FILES),
    "notice of reading": Primitive(shared_files.read_it, shared_files.read_is_notified, FILES),
    "time of a device": Primitive(
        shared_files.touch_device, shared_files.device_was_touched, FILES
    ),
    "files": Primitive(names.make_file, names.file_is_there, FILES),
    "abstract socket": Primitive(names.bind_name, names.name_is_bound, KERNEL),
    "shared memory": Primitive(
        names.make_object("shm", 4096), names.object_is_there("shm", 0), KERNEL
    ),
    "semaphore": Primitive(names.make_object("sem", 1), names.object_is_there("sem", 0), KERNEL),
    "queue": Primitive(names.make_object("msg"), names.object_is_there("msg"), KERNEL),
    "named queue": Primitive(names.make_queue, names.queue_is_there, KERNEL),
    "keyring": Primitive(names.add_key, names.key_is_there, KERNEL),
    "number of processes": Primitive(counters.fork_children, counters.process_count, KERNEL),
    "process numbers": Primitive(counters.fork_often, counters.process_numbers, KERNEL),
    "started processes": Primitive(counters.fork_often, counters.started_processes, KERNEL),
    "counters of /proc": Primitive(counters.fork_often, counters.sum_of_counters, KERNEL),
    "event numbers": Primitive(counters.hold_events, counters.event_numbers, KERNEL),
    "free inodes": Primitive(counters.make_files, counters.free_inodes, KERNEL),
    "free space": Primitive(counters.take_space, counters.free_space, KERNEL),
    "terminals": Primitive(counters.take_terminals, counters.terminal_numbers, KERNEL),
    "asynchronous I/O": Primitive(counters.take_events, counters.events_are_taken, KERNEL),
    "socket cookies": Primitive(counters.make_cookies, counters.cookies, KERNEL),
    "memory file numbers": Primitive(
        counters.make_memory_files, counters.memory_file_numbers, KERNEL
    ),
    "descriptors in flight": Primitive(
        counters.put_in_flight, counters.too_many_are_in_flight, USER
    ),
    "queued signals": Primitive(counters.queue_signals, counters.room_for_signals, USER),
    "room for pipes": Primitive(counters.take_pipes, counters.room_for_pipes, USER),
    "processor": Primitive(processor.compute, processor.share_of_the_processor, CORE, timed=True),
    "other processor": Primitive(
        processor.compute, processor.share_of_the_processor, CACHES, timed=True, other_core=True
    ),
    "memory bandwidth": Primitive(
        processor.copy_much, processor.seconds_of_copying, CACHES, timed=True, other_core=True
    ),
    "processor cache": Primitive(
        processor.fill_the_cache, processor.seconds_of_reading, CACHES, timed=True
    ),
    # Last, since it uses up what may be created in the life of a sandbox.
    "pipe numbers": Primitive(counters.make_pipes, counters.pipe_numbers, NUMBERS),
}
