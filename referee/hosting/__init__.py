"""Hosts a competition: accounts, submissions, the queue that examines them, ladders and grades.

=================  ========================================================================
`choices`          reads one of a few words, as a person writes it; pure
`settings`         what the organiser chooses for a host
`organising`       what organisers write: reasons and announcements
`roles`            what accounts and tokens may be used for; pure
`passwords`        hashes of passwords, and which are too weak
`credentials`      secrets of sessions and tokens, and signed links
`signing_in`       signs people in, by passwords; how often somebody may try
`openid`           asks a provider of OpenID Connect who somebody is
`identities`       finds the account of an identity of OpenID Connect
`invitations`      invites people, one by one or by a roster
`own_data`         what is kept of somebody, to be downloaded or to be forgotten
`client`           speaks with a host, for an author

`quotas`           how much an author may hand in; pure
`receiving`        receives submissions: looks at them, keeps and queues them
`examinations`     examines what was received
`examining`        builds and checks one, in the process of a worker

`queue`            the process that does all that is queued, and plays
`queued`           does one kind of job, and notes those that failed
`shared_pool`      its workers, for ladders, examinations and challenges alike
`shares`           whose turn it is on those workers; pure

`ladders`          plays a ladder: epoch after epoch, round after round
`ladder_history`   what was played on a ladder so far, over all of its epochs
`ladder_rounds`    when a round is due, and who meets whom in it; pure
`finals`           the league in which the best of a ladder all meet
`challenges`       plays challenges

`assignments`      adds assignments to a course
`grades`           what each author has reached in an assignment
=================  ========================================================================
"""
