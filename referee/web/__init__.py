"""Web pages for spectators, and the same data as JSON for programs.

Theory of operation. A page has one address, which ends in ``.html``, and links to others by
relative addresses, so the same bytes can be served or written to a directory and opened from
there. Pages are rendered from a `LeagueCache`, which keeps the table of each league and reads it
again when the store has changed. Nothing here writes to the store, and nothing of a duel is shown
before all of its rooms are over.

    serving         the web server: its socket, host names and shutdown
    connections     how many connections there may be, and how long each may say nothing
    app             the application: routes, middleware, error pages
    api             the JSON API, with the reports of the command line
    openapi         the OpenAPI description, from the docstrings of the reports
    live            server-sent events, by which the page of an open league is updated
    monitoring      /healthz and /metrics
    middleware      headers of every answer, counts of answers, HEAD for the API

    pages           renders each page from its template
    crosstable      the cells of the crosstable
    duel_page       calls, tricks and the data of the replay on the page of a duel
    charts          intervals and histories of ratings as SVG
    card_text       cards as text
    formatting      names, numbers and times as text
    addresses       the address of each page, and relative links

    league_cache    what pages are rendered from, read once for all readers
    kept            keeps what takes long to make
    site            writes the pages of a league to a directory

``templates/`` has the Jinja templates, ``static/`` the style sheets, the scripts and the cards.
"""
