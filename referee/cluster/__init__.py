"""Plays the visits of a league on the machines of a cluster; Dask connects them.

A machine runs `upcard worker`, which connects to a scheduler (`upcard scheduler`), tries its
sandbox, and waits for visits. The coordinator (`upcard league run --cluster`) connects to the same
scheduler, sends each machine the bots it lacks, and hands out visits: as many at a time as the
machine has workers. A machine plays them as it would a league of its own, and each duel is sent to
the coordinator as soon as it is over. The machines keep nothing but bots; the store is written by
the coordinator alone.

=============  ==============================================================================
`addresses`    addresses of schedulers, and the certificates of a cluster
`forms`        visits, and what a machine says of itself, as JSON
`archives`     bundles of bots as parts of one stream of bytes
`bundles`      the bundles that a machine has, in its user's cache, by their digests
`tasks`        what is run on a machine when the coordinator asks; small functions of a module
`desk`         passes what was asked on to the main thread of a machine, and its answers back
`machine`      a machine's main thread: plays visits, sends what comes of them
`settings`     how Dask is set up
`scheduler`    the scheduler, to which all others connect
`machines`     the machines as a run sees them, and which of them are set aside; pure
`connection`   the coordinator's connection to the scheduler, made again when it is lost
`engine`       the engine by which a run plays on a cluster
=============  ==============================================================================
"""
