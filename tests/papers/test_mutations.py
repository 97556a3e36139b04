"""Every claim about the five papers can fail: a mutation of the model or of the method breaks it."""

import pytest

from kinetree.apps.papers.catalogue import PAPERS, paper_entry

from .mutations.catalogue import MUTATIONS
from .mutations.tools import forget
from .test_claims import claims

OUTSIDE = {"flyball"}  # a benchmark of another source; its own tests break it


def broken(mutation):
    """Texts of the claims that fail under the mutation."""
    forget()
    with pytest.MonkeyPatch.context() as patch:
        mutation.apply(patch)
        found = (mutation.check or paper_entry(mutation.system).check)()
    forget()
    return {claim.claim for claim in found if not claim.holds}


@pytest.mark.parametrize("system", [entry.name for entry in PAPERS if entry.name not in OUTSIDE])
def test_every_claim_fails_under_a_mutation_and_every_mutation_breaks_the_claims_it_names(system):
    left = {claim.claim for claim in claims(system)}
    assert left
    for mutation in (one for one in MUTATIONS if one.system == system):
        failed = broken(mutation)
        for part in mutation.fails:
            assert any(part in text for text in failed), f"{mutation.what}: {part!r} still holds"
        left -= failed
    assert left == set()
