"""Card games as environments of PettingZoo, for programs that learn to play.

    from referee.gym import euchre_v0

    env = euchre_v0.env(bots={"player_1": MyBot, "player_3": MyBot}, hands=1)

===============  =================================================================
`euchre_v0`      the environment of euchre
`whist_v0`       the environment of whist
`environment`    what they have in common: PettingZoo's AEC interface
`table`          a match in this process, with bots of the SDK in some of the seats
===============  =================================================================

The observations and the numbers of the actions are those of ``upcard.encoding``, which a bot needs
in play and which is therefore in the SDK. `docs/research.md` explains their use.
"""
