"""Contacts and pairs of a step, in the order in which they are found."""

from ...kernel.algebra.vec3 import store3
from ...kernel.decorators import inline
from .records import CONTACTS, PAIRS


@inline
def add_contact(run, point, normal, gap):
    """Add a contact; if there is no room, only count it."""
    heap = run.heap[0]
    k = heap.contacts
    heap.contacts = k + 1
    if k >= run.heap_contacts.shape[0]:
        heap.wanted[CONTACTS] = k + 1
        return
    c = run.heap_contacts[k]
    store3(c.p, point)
    store3(c.n, normal)
    c.gap = gap


@inline
def close_pair(run, a, b, before):
    """Add the pair of shapes a and b if contacts were found since `before`."""
    heap = run.heap[0]
    if heap.contacts == before:
        return
    k = heap.pairs
    heap.pairs = k + 1
    if k + 1 >= run.heap_pairs.shape[0]:
        heap.wanted[PAIRS] = k + 2
        return
    pair = run.heap_pairs[k]
    pair.a, pair.b, pair.first = a, b, before
    pair.body_a, pair.body_b = run.heap_shapes[a].body, run.heap_shapes[b].body
