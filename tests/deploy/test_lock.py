"""What the image installs: every package that the service needs, each in one release and by its hash."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKED = re.compile(r"^([a-z0-9._-]+)==(\S+) \\\n    --hash=sha256:[0-9a-f]{64}", re.MULTILINE)


def locked() -> dict[str, str]:
    """The releases of the lock by their names."""
    text = (ROOT / "deploy" / "image" / "requirements.txt").read_text(encoding="utf-8")
    found = {str(canonicalize_name(name)): release for name, release in LOCKED.findall(text)}
    assert len(found) == text.count("=="), "every line has a hash"
    return found


def test_all_that_the_service_needs_is_locked_within_its_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    releases = locked()
    for requirement in map(Requirement, [*project["dependencies"], *extras["server"], *extras["client"]]):
        if requirement.name not in {"cartagena", "cartagena-web"}:
            assert requirement.specifier.contains(releases[canonicalize_name(requirement.name)]), requirement
