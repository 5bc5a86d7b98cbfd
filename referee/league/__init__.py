"""Runs leagues: hands out what is missing, stores what comes of it, and makes the table.

=================  ========================================================================
`running`          runs a league to its end, or until somebody stops it
`progress`         what is played of a league that runs: what is missing, what is stored
`pending`          the visits to come, from the plan and the results; pure
`epochs`           opening statements, and the deals that follow once nothing is awaited
`rounds`           what is played of a league that is paired round by round
`pace`             how long the rest takes, and how many duels a visit is to have; pure
`bots`             the bots of a league, read from the store
`engine`           what a run needs of its workers, wherever they are
`worker_pool`      the workers of this machine, each with a visit or free
`workers`          a worker's process, and what is left of one that was killed
`channel`          the socket on which workers send their outcomes
`visit`            plays one visit, in a worker's process
`stored_duels`     turns the outcome of a duel into what the store takes
`entries`          creates leagues, and enters bots into them
`table`            a league with its standings, and what its entrants are called
`forecast`         what a run would play, and how long that may take
`duel_names`       duels as people name them, ``1-2/17``
`head_to_head`     a league of two, in which `upcard duel` and `upcard try` play
`bot_logs`         writes what bots print to files, each line with its decision
`waiting`          the visits that wait to be handed out
`shards`           plays a part of a league, away from its store
`shard_files`      files of what was played of one
`importing`        imports such files
`reported_duels`   checks a duel that another machine reports
`outcome_forms`    outcomes as JSON, and read back strictly
=================  ========================================================================
"""
