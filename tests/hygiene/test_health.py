"""The private part of the report is read only by the formulations and their algebra."""

import re

from kinetree.kernel.tables import report as records

from .sources import MODULES, PACKAGE

PRIVATE = {name for name, *_ in records._PRIVATE}
OWNERS = (
    "engine/formulations",
    "engine/kkt",
    "engine/equations",
    "engine/sparsity",
    "engine/beams",
    "kernel/tables",
)


def test_only_formulations_and_their_algebra_use_their_private_state():
    read = re.compile(rf"report(?:\[0\])?(?:\.|\[\")({'|'.join(sorted(PRIVATE))})\b")
    found = [
        (path.name, name)
        for path in MODULES
        if not path.relative_to(PACKAGE).as_posix().startswith(OWNERS)
        for name in read.findall(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_health_and_private_state_share_no_name():
    health = [name for name, *_ in records.HEALTH]
    assert len(set(health)) == len(health) and not PRIVATE & set(health)
    assert set(records.REPORT.names) == PRIVATE | set(health)
