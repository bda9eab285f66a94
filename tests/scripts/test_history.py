"""The check of the history finds the subjects that read badly, in real repositories, and crashes nowhere."""

import subprocess
from pathlib import Path

import pytest

from scripts import commit_history

GOOD = (
    "Address the review of the sloop",
    "Bring the captain home",
    "Bypass the cache of views",
    "Compress old logs",
    "Draw the sloop before the pirates",
    "Embed the fonts",
    "Focus the first card",
    "Process the queue twice...",
    "Re-read the log after a restart",
    "Speed up the search",
)
BAD = (
    ("Added a page", "begins with 'Added', which is no imperative"),
    ("Adding a page", "begins with 'Adding', which is no imperative"),
    ("Adds a page", "begins with 'Adds', which is no imperative"),
    ("The page of the league", "begins with 'The', which is no imperative"),
    ("League: add a page", "begins with 'League:', which is no imperative"),
    ("add a page", "begins with 'add', which is not capitalised"),
    ("Add a page.", "ends with a full stop"),
    ("Add " + "x" * 69, "has 73 characters; 72 is the limit"),
    ("  ", "is empty"),
)
IDENTITY = ("-c", "user.name=Anne", "-c", "user.email=anne@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str) -> str:
    command = ("git", *IDENTITY, *arguments)
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout.strip()


def commit(folder: Path, *subjects: str) -> None:
    for subject in subjects:
        git(folder, "commit", "--quiet", "--allow-empty", "--message", subject)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a repository whose only commit came before the rule."""
    origin = tmp_path / "origin"
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(origin))
    commit(origin, "what was written before the rule.")
    git(tmp_path, "clone", "--quiet", str(origin), "clone")
    return tmp_path / "clone"


@pytest.mark.parametrize("subject", GOOD)
def test_a_good_subject_passes(subject: str) -> None:
    assert list(commit_history.faults_of(subject)) == []


@pytest.mark.parametrize(("subject", "fault"), BAD)
def test_a_bad_subject_is_told_what_is_wrong(subject: str, fault: str) -> None:
    assert list(commit_history.faults_of(subject)) == [fault]


def test_only_commits_that_upstream_lacks_are_checked(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(clone, "Add a page")
    assert commit_history.check_commits(clone) == 0
    assert "Commits since origin/main: 1," in capsys.readouterr().out
    commit(clone, "Fixed it")
    assert commit_history.check_commits(clone) == 1
    told = capsys.readouterr().out
    assert "Fixed it\n  begins with 'Fixed'" in told
    assert "git rebase --interactive origin/main" in told


def test_a_subject_may_stand_twice_and_not_three_times(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(clone, "Add games", "Add games")
    assert commit_history.check_commits(clone) == 0
    commit(clone, "Add games")
    assert commit_history.check_commits(clone) == 1
    assert "'Add games' stands 3 times" in capsys.readouterr().out


def test_what_git_wrote_itself_is_exempt(clone: Path) -> None:
    git(clone, "checkout", "--quiet", "-b", "branch")
    commit(clone, "Add a page", 'Revert "' + "x" * 80 + '"', "fixup! Add a page")
    git(clone, "checkout", "--quiet", "main")
    git(clone, "merge", "--quiet", "--no-ff", "--message", "merged by hand.", "branch")
    assert commit_history.check_commits(clone) == 0


def test_without_upstream_the_check_begins_with_the_rule(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_history, "RULE_BEGAN", git(clone, "rev-parse", "HEAD"))
    git(clone, "remote", "remove", "origin")
    commit(clone, "Add a page")
    assert commit_history.check_commits(clone) == 0
    commit(clone, "adding")
    assert commit_history.check_commits(clone) == 1


def test_a_clone_that_lacks_the_beginning_is_told_how_to_get_it(clone: Path, tmp_path: Path) -> None:
    git(clone, "remote", "remove", "origin")
    with pytest.raises(commit_history.NoHistory, match="neither origin/main nor e4212e1 is here: git fetch"):
        commit_history.base_of(clone)
    commit(clone, "Add a page")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{clone}", "shallow")
    git(tmp_path / "shallow", "remote", "remove", "origin")
    with pytest.raises(commit_history.NoHistory, match="shallow: git fetch --unshallow"):
        commit_history.base_of(tmp_path / "shallow")


def test_a_folder_without_history_is_named_and_fails_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commit_history, "ROOT", tmp_path)
    assert commit_history.main([]) == 0
    assert "NOT RUN  history: this is no clone" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("Add a page\n\nBecause.\n# Please enter a message\n", 0),
        ("# comment\n\nAdded a page\n", 1),
        ("fixup! added a page\n", 0),
        (f"{commit_history.SCISSORS}\ndiff --git a/Add b/Add\n", 1),
    ],
)
def test_the_hook_reads_one_message(tmp_path: Path, message: str, code: int) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text(message, encoding="utf-8")
    assert commit_history.main(["--message", str(file)]) == code
