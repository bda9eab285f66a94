"""The audit: known holes in our dependencies, and secrets that slipped into the sources.

`make audit` asks pip-audit about every Python package here, npm about every package of web/, and
detect-secrets about every file. The first two need services on the internet: if those cannot be reached, the
audit says so loudly and does not fail. The search for secrets always runs. Any finding fails the audit.

A finding that is not a secret (a test vector, an example) goes into .secrets.baseline, after a look:
`make audit AUDIT=--write`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
BASELINE: Final = ".secrets.baseline"
SECONDS: Final = 60
"""How long pip-audit or npm may take."""
UNREAD: Final = (
    r"(^|/)package-lock\.json$|\.(jsonl|svg|webp|png|woff2|po|mo|record|perft)$"
    r"|^\.secrets\.baseline$|^deploy/image/requirements\.txt$|^src/cartagena/bots/evaluation/weights/"
)
"""Pictures, catalogues, ledgers and records: long rows of numbers and letters that hold no secret."""
FOUND: Final = 1
"""The exit code of detect-secrets when it finds something new; 3 only means that lines have moved."""

# Any: whatever the JSON of another program holds.
Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one of them found; `unasked` says why it could not be asked."""

    name: str
    findings: tuple[str, ...] = ()
    unasked: str | None = None
    note: str = ""

    def __str__(self) -> str:
        if self.unasked is not None:
            return f"!!! {self.name}: THE ADVISORIES COULD NOT BE ASKED ({self.unasked}); nothing is known"
        if self.findings:
            return "\n".join((f"{self.name}: {len(self.findings)} found", *self.findings))
        return f"{self.name}: nothing found{self.note}"


def python_verdict(told: str) -> Verdict:
    """What pip-audit's JSON says."""
    name = "pip-audit"
    report = _json(told)
    if report is None:
        return Verdict(name=name, unasked="no answer")
    packages = report.get("dependencies", [])
    audited = [package for package in packages if "skip_reason" not in package]
    if not audited:
        return Verdict(name=name, unasked="not one package was found there")
    findings = tuple(
        f"  {package['name']} {package['version']}: {hole['id']}, mended in {_mended(hole)}"
        for package in audited
        for hole in package["vulns"]
    )
    skipped = len(packages) - len(audited)
    note = f" in {len(audited)} packages" + (f"; {skipped} are not known there" if skipped else "")
    return Verdict(name=name, findings=findings, note=note)


def _mended(hole: Json) -> str:
    return ", ".join(hole["fix_versions"]) or "no version yet"


def node_verdict(told: str) -> Verdict:
    """What npm's JSON says."""
    name = "npm audit"
    report = _json(told)
    if report is None or "vulnerabilities" not in report:
        return Verdict(name=name, unasked="no answer")
    findings = tuple(
        f"  {package}: {hole['severity']}, {hole['range']}"
        for package, hole in report["vulnerabilities"].items()
    )
    return Verdict(name=name, findings=findings)


def secrets_verdict(exit_code: int, told: str) -> Verdict:
    """What detect-secrets says; it must have run."""
    if exit_code not in {0, FOUND, 3}:
        return Verdict(name="secrets", findings=(f"  the search itself failed:\n{told}",))
    findings = tuple(line for line in told.splitlines() if line.startswith(("Location:", "Secret Type:")))
    return Verdict(name="secrets", findings=findings or ("  see above",) if exit_code == FOUND else ())


def _json(told: str) -> Json | None:
    try:
        report = json.loads(told)
    except ValueError:
        return None
    return report if isinstance(report, dict) else None


def _told(command: Sequence[str], folder: Path) -> str:
    """What a program prints on standard output; empty if it is missing or takes too long."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def python_packages() -> Verdict:
    """Ask pip-audit about this environment."""
    command = (sys.executable, "-m", "pip_audit", "--local", "--format", "json", "--timeout", "5")
    return python_verdict(_told((*command, "--progress-spinner", "off"), ROOT))


def node_packages() -> Verdict:
    """Ask npm about the packages of web/."""
    return node_verdict(_told((shutil.which("npm") or "npm", "audit", "--json"), ROOT / "web"))


def files_of(folder: Path) -> list[str]:
    """Every file in the repository, and every new one that the next commit could add."""
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if (folder / name).is_file()]


def secrets_in(folder: Path, baseline: Path) -> Verdict:
    """Search every file for secrets that the baseline does not know."""
    files, cores = files_of(folder), os.cpu_count() or 1
    shares = [share for place in range(cores) if (share := files[place::cores])]
    with ThreadPoolExecutor(cores) as pool:
        verdicts = list(pool.map(lambda share: _secrets_in_files(folder, baseline, share), shares))
    return Verdict(name="secrets", findings=tuple(line for one in verdicts for line in one.findings))


def _secrets_in_files(folder: Path, baseline: Path, files: Sequence[str]) -> Verdict:
    with tempfile.TemporaryDirectory() as scratch:
        # It updates the line numbers of known findings in the baseline, so it gets a copy.
        copy = shutil.copy(baseline, scratch)
        command = (sys.executable, "-m", "detect_secrets.pre_commit_hook", "--baseline", copy, *files)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return secrets_verdict(done.returncode, done.stdout + done.stderr)


def write_baseline() -> None:
    """Accept all current findings into the baseline, once a person has looked at them."""
    command = (sys.executable, "-m", "detect_secrets", "scan", "--exclude-files", UNREAD)
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (ROOT / BASELINE).write_text(found, encoding="utf-8")


def main() -> None:
    """Ask all three; exit code 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="take all that is found now for no secret")
    if parser.parse_args().write:
        write_baseline()
        return
    asked: tuple[Callable[[], Verdict], ...] = (
        lambda: secrets_in(ROOT, ROOT / BASELINE),
        python_packages,
        node_packages,
    )
    with ThreadPoolExecutor(len(asked)) as pool:
        verdicts = list(pool.map(lambda ask: ask(), asked))
    print(*verdicts, sep="\n")
    sys.exit(1 if any(verdict.findings for verdict in verdicts) else 0)


if __name__ == "__main__":
    main()
