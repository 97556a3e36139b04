"""All mutations."""

from . import car, flexible, rigid, stiff

MUTATIONS = (*rigid.MUTATIONS, *stiff.MUTATIONS, *flexible.MUTATIONS, *car.MUTATIONS)
