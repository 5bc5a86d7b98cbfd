"""Examines bots: whether one may enter, what it did wrong, and whether it does it again.

=================  ========================================================================
`admission`        copies what an author submits and examines it before it is stored
`examine`          runs every check of the report card over one bot
`report_card`      a check's verdict, and the examiner that starts the bot for each
`hello_checks`     how a bot says hello
`protocol_checks`  how it is asked, rests and leaves
`play_checks`      how it plays: every kind of decision, and whole matches
`positions`        the positions it is asked about
`asking`           asks one bot in frames, as a session does
`examined_bot`     one bot outside of a session: its link, its clock, its verdict
`fault_bundle`     the file with which an author reproduces a fault
`fault_reading`    reads such a file, which may come from anybody
`rerun`            sends a bot the messages of a fault bundle again
`guarantees`       opens sandboxes, and refuses where these lack a guarantee
=================  ========================================================================
"""
