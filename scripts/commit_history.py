"""Keep the history readable: check the subjects of the newest commits.

Usage: python scripts/commit_history.py                   the commits that are not in origin/main yet
       python scripts/commit_history.py --message FILE    one message, as the commit-msg hook of git passes it

A subject is a capitalised verb in the imperative with what it does, of at most 72 characters, without a full
stop; no subject occurs more than twice. Merges, reverts and fixups are exempt.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
UPSTREAM: Final = "origin/main"
RULE_BEGAN: Final = "e4212e1"
"""The last commit before this rule; the check begins after it where there is no upstream."""
LIMIT: Final = 72
REPEATS: Final = 2
SHOWN: Final = 8
"""How many characters of a commit's name are printed."""

NO_VERB: Final = re.compile(
    r"""an?|and|all|as|at|for|from|how|if|in|its?|no|not|of|on|one|only|our|some|that|the|their|there|these|this
    |those|three|to|two|what|when|where|which|who|why|with""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that begin a title or a question, never an order."""
INFLECTED: Final = re.compile(r"\w*(?:[^s]s|ed|ing)")
"""What looks like Adds, Added or Adding; Address and Pass do not."""
VERBS: Final = re.compile(
    r"""bias|canvas|focus|bleed|breed|embed|exceed|feed|heed|need|seed|shed|speed|weed
    |bring|cling|fling|ping|ring|sing|sling|spring|string|swing""",
    re.VERBOSE,
)
"""Verbs that only look inflected."""
FOLDED: Final = ("fixup! ", "squash! ", "amend! ")
SCISSORS: Final = "# ------------------------ >8 ------------------------"
ADVICE: Final = (
    "Write the subject as an order, such as `Fix the tie-break of the Nest`; the reason goes into the body.\n"
    "The newest commit: git commit --amend. Older ones: git rebase --interactive {base}, then `reword`."
)


class NoHistory(Exception):
    """There is no history to check; the sentence says why, and what to do."""


def faults_of(subject: str) -> Iterator[str]:
    """What is wrong with one subject.

    >>> list(faults_of("Draw the sloop before the pirates"))
    []
    >>> list(faults_of("Fixed the draw."))
    ["begins with 'Fixed', which is no imperative", 'ends with a full stop']
    """
    if not subject.strip():
        yield "is empty"
        return
    if len(subject) > LIMIT:
        yield f"has {len(subject)} characters; {LIMIT} is the limit"
    yield from _faults_of_verb(subject.split(maxsplit=1)[0])
    if re.search(r"[^.]\.$", subject):
        yield "ends with a full stop"


def _faults_of_verb(word: str) -> Iterator[str]:
    if not word[0].isupper():
        yield f"begins with {word!r}, which is not capitalised"
    elif not is_imperative(word):
        yield f"begins with {word!r}, which is no imperative"


def is_imperative(word: str) -> bool:
    """Whether a capitalised word can be an order; in doubt it can.

    >>> [is_imperative(word) for word in ("Add", "Adds", "Added", "Adding", "Address", "Rules:")]
    [True, False, False, False, True, False]
    """
    # Re-use is judged as use, Double-check as check.
    verb = word.rpartition("-")[2].lower()
    if NO_VERB.fullmatch(word) or not verb.isalpha():
        return False
    return VERBS.fullmatch(verb) is not None or INFLECTED.fullmatch(verb) is None


def repeated(subjects: Iterable[str]) -> Iterator[str]:
    """The subjects that occur too often."""
    for subject, times in Counter(subjects).items():
        if times > REPEATS:
            yield f"{subject!r} stands {times} times; {REPEATS} is the limit"


def is_exempt(subject: str) -> bool:
    """Whether git wrote the subject for itself."""
    return subject.startswith((*FOLDED, "Merge ", 'Revert "', 'Reapply "'))


def subject_in(message: str) -> str:
    """The subject in the file that git passes to its hook, without comments and the diff of `--verbose`."""
    lines = message.partition(SCISSORS)[0].splitlines()
    return next((line.strip() for line in lines if line.strip() and not line.startswith("#")), "")


def base_of(folder: Path) -> str:
    """The commit after which the check begins; raises NoHistory."""
    for name in (UPSTREAM, RULE_BEGAN):
        if _git(folder, "rev-parse", "--quiet", "--verify", f"{name}^{{commit}}") is not None:
            return name
    if _git(folder, "rev-parse", "--git-dir") is None:
        raise NoHistory("this is no clone of the repository, so there are no commits to check")
    if _git(folder, "rev-parse", "--is-shallow-repository") == "true":
        raise NoHistory("the clone is shallow: git fetch --unshallow origin main")
    raise NoHistory(f"neither {UPSTREAM} nor {RULE_BEGAN} is here: git fetch origin main")


def commits_since(folder: Path, base: str) -> list[tuple[str, str]]:
    """Name and subject of each commit since `base`, newest first, merges left out."""
    listed = _git(folder, "log", "--no-merges", "--format=%H %s", f"{base}..HEAD")
    if listed is None:
        raise NoHistory(f"git cannot list the commits since {base}")
    return [(line[:40], line[41:]) for line in listed.splitlines()]


def _git(folder: Path, *arguments: str) -> str | None:
    """What git prints, or None if it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", *arguments],  # noqa: S607 - the git that the developer uses
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def check_commits(folder: Path) -> int:
    """Print what is wrong with the commits of a clone; 1 if anything is."""
    base = base_of(folder)
    commits = [(name, subject) for name, subject in commits_since(folder, base) if not is_exempt(subject)]
    wrong = [
        f"{name[:SHOWN]} {subject}\n  {fault}" for name, subject in commits for fault in faults_of(subject)
    ]
    wrong += repeated(subject for _, subject in commits)
    if wrong:
        print(*wrong, ADVICE.format(base=base), sep="\n")
    else:
        print(f"Commits since {base}: {len(commits)}, and every subject reads well")
    return int(bool(wrong))


def check_message(file: Path) -> int:
    """Print what is wrong with one message; 1 if anything is."""
    subject = subject_in(file.read_text(encoding="utf-8"))
    faults = [] if is_exempt(subject) else list(faults_of(subject))
    for fault in faults:
        print(f"The subject {fault}: {subject}")
    return int(bool(faults))


def main(words: list[str] | None = None) -> int:
    """Check the commits of this clone, or one message; 1 if a subject is wrong."""
    parser = argparse.ArgumentParser(description="Check the subjects of the newest commits.")
    parser.add_argument("--message", type=Path, metavar="FILE", help="check this message instead")
    asked = parser.parse_args(words)
    if asked.message is not None:
        return check_message(asked.message)
    try:
        return check_commits(ROOT)
    except NoHistory as reason:
        print(f"NOT RUN  history: {reason}")
        return 0


if __name__ == "__main__":
    sys.exit(main())
