"""The points of a game that is over."""


def points(winner: int, seats: int) -> list[float]:
    """One point for the winner, which the others pay for in equal shares.

    >>> points(1, seats=3)
    [-0.5, 1.0, -0.5]
    """
    return [1.0 if seat == winner else -1 / (seats - 1) for seat in range(seats)]
