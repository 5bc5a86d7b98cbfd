"""What a comparison of two bots has come to."""

from typing_extensions import TypedDict

from referee.ratings.comparison import Answer, Comparison


class ComparisonReport(TypedDict):
    """Whether a new bot is better than an old one."""

    old: str
    new: str
    answer: Answer | None
    """Of the new one; None if it is not known."""
    difference: float
    """How many more duels the new one did better in than worse, of one."""
    low: float
    """Where the true difference begins, but for the error rate."""
    high: float
    """Where it ends."""
    matters: float
    """The least difference that was asked about."""
    error: float
    """The chance of a wrong answer, at most."""
    duels: int
    """How many the answer rests on; more may have been played meanwhile."""
    better: int
    level: int
    worse: int


def comparison_report(comparison: Comparison, old: str, new: str) -> ComparisonReport:
    """Return what a comparison of a new bot with an old one has come to."""
    tally, question = comparison.tally, comparison.question
    low, high = comparison.interval
    return {
        "old": old,
        "new": new,
        "answer": comparison.answer,
        "difference": tally.difference,
        "low": low,
        "high": high,
        "matters": question.difference,
        "error": question.error,
        "duels": tally.duels,
        "better": tally.better,
        "level": tally.level,
        "worse": tally.worse,
    }
