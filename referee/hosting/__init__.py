"""Hosts a competition: accounts, submissions, the queue that examines them, ladders and grades.

=================  ========================================================================
`settings`         what the organiser chooses for a host
`roles`            what accounts and tokens may be used for; pure
`passwords`        hashes of passwords, and which are too weak
`credentials`      secrets of sessions and tokens, and signed links
`signing_in`       signs people in, by passwords; how often somebody may try
`invitations`      invites people, one by one or by a roster
=================  ========================================================================
"""
