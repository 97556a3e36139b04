"""Models that a user has derived: what they change of one method does not break another."""

import kinetree as kt


def test_a_model_with_its_own_way_to_add_bodies_still_adds_beams():
    class NameDict(kt.Model):
        def body(self, name, *arguments, **options):
            return super().body(f"my {name}", *arguments, **options)

    m = NameDict("mine")
    m.body("block", kt.sphere(mass=1.0, radius=0.1))
    beam = m.beam(
        "blade", [(0, 0, 0), (1, 0, 0)], kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    )
    assert list(m.bodies) == ["my block", "blade"] and m.bodies["blade"] is beam
