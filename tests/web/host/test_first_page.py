"""The first page of a host leads to its ladders, and to where bots are handed in."""

import re

from tests.web.host.scene import Site


def test_the_first_page_leads_to_the_ladders_and_to_sign_in(site: Site) -> None:
    main = re.search("<main.*</main>", site.browser().get("/").text, re.DOTALL)
    assert main
    assert 'href="/ladders/"' in main[0]
    assert 'href="/account/"' in main[0]
    assert "upcard submit my-bot --wait" in main[0]
    assert "Send its directory to the organiser" not in main[0]
