"""The pages and the API of a host: what people and programs do there, beside what spectators read.

Theory of operation. Every route stands in one table (`routes`) that says who may use it; what is
not in it does not exist, and there is no rule that allows by default. Who asks is found by the
cookie of her browser or the token of her program, before anything else is read. A form comes back
with what its page was given, so that no other site can send it; each body is counted as it
arrives. Handlers are plain functions, run in a thread, of a host and what was asked.

    hosting         a host: what handlers work with, and how it joins the application
    routes          the table of routes, and who may use each
    asking          who asks, by cookie or token; what came with it
    forms           forms: what they may hold, and that they come from our own pages
    uploads         files that are handed in, counted as they arrive
    pages           renders the pages, from ``templates/host``
    ladder_tables   the tables of ladders, made once for all readers

    signing         pages to sign in and out, to register, and to use an invitation
    provider        signing in by a provider of OpenID Connect
    account         an author's own page: submissions, tokens, password, her data
    submissions     what became of a submission, and what its author may do with it
    ladders         the tables of ladders, and the bots on them
    challenges      unrated duels
    desk            the organiser's pages
    course          assignments, and what each author has reached
    programs        the same for programs, as JSON
    sdk             packages of SDKs
"""
