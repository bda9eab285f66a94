"""Stands in for a language model: answers what stands on its standard input: `stand_in.py WAY`."""

import sys


def legal_actions(question: str) -> list[str]:
    """The actions that a question lists."""
    _, _, listed = question.partition("You may:\n")
    return listed.partition("\n\n")[0].splitlines()


def answer(way: str, question: str) -> str:
    """What is answered: `last` is always legal, `learner` only after it was refused once, `parrot` never.

    What `noise` answers is no UTF-8: its bytes are escaped here.
    """
    if way == "last" or (way == "learner" and "is refused" in question):
        return f"I would rather go far.\n\n**{legal_actions(question)[-1]}**\n"
    if way == "crash":
        raise SystemExit("the model is not there")
    if way == "noise":
        return "\udcff\n"
    # No turn begins with its end.
    return "end_turn\n"


if __name__ == "__main__":
    answered = answer(sys.argv[1], sys.stdin.read())
    sys.stdout.buffer.write(answered.encode(errors="surrogateescape"))
