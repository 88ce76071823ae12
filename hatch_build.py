"""What the package index is told when a release is built: addresses, and a README whose links and pictures work there.

The address of the repository is said by who builds (``make dist REPOSITORY=https://…``), because a copy of the project has its own. Without
one the README stays as it is, and there are no project URLs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE, BRANCH = "CPSOLVE_REPOSITORY", "main"


def absolute(text: str, repository: str) -> str:
    """A Markdown text whose relative links lead into the repository, and whose pictures come from there.

    >>> absolute("![a](docs/a.svg) [b](docs/b.md) [c](#here) [d](https://d.example)", "https://r.example")
    '![a](https://r.example/raw/main/docs/a.svg) [b](https://r.example/blob/main/docs/b.md) [c](#here) [d](https://d.example)'
    """

    def lead(found: re.Match[str]) -> str:
        kind = "raw" if found["picture"] else "blob"
        return f"{found['picture']}[{found['words']}]({repository}/{kind}/{BRANCH}/{found['path']})"

    return re.sub(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?P<path>(?!#|[a-z]+:)[^)\s]+)\)", lead, text)


class Addresses(MetadataHookInterface):
    """Fills in ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with what pyproject.toml says."""
        repository = os.environ.get(VARIABLE, "").rstrip("/")
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, repository) if repository else text}
        metadata["urls"] = {
            "Homepage": repository,
            "Documentation": f"{repository}/tree/{BRANCH}/docs",
            "Changelog": f"{repository}/blob/{BRANCH}/CHANGELOG.md",
            "Issues": f"{repository}/issues",
        } if repository else {}  # fmt: skip
