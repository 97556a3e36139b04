"""Workers of Dask, on this computer or on a cluster.

A part whose worker is lost is computed again by another one; Dask retries it. The client stores the
parts, so that results are complete as far as the client got.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

from ...errors import ModelError, ResultError, short
from ..parts import Part
from .contract import Done, Job, Stopped, compute_packed, packed

RETRIES = 3
AHEAD = 4  # parts that are submitted per worker, before others are done
WAIT = 60  # seconds for the first worker


def library() -> Any:
    """Dask's distributed, or an error that says how to install it."""
    try:
        import distributed
    except ImportError:
        raise ModelError(
            "engine: a cluster needs Dask; install it with  pip install kinetree[cluster]."
        ) from None
    return distributed


@contextmanager
def client_of(engine: Any, workers: int):
    """A client: the given one, a new one for an address, or one of a local cluster."""
    distributed = library()
    if isinstance(engine, distributed.Client):
        yield engine
        return
    if engine == "dask":
        cluster = distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None
        )
        with cluster, distributed.Client(cluster) as client:
            yield client
        return
    try:
        client = distributed.Client(engine, timeout=WAIT)
    except (OSError, TimeoutError, ValueError) as error:
        raise ModelError(
            f"engine: no Dask scheduler answers at {engine!r} ({type(error).__name__}). Start one "
            "with  dask scheduler, or give engine='dask' for a cluster on this computer."
        ) from None
    with client:
        yield client


def cluster(
    engine: Any, job: Job, parts: list[Part], done: Done, stopped: Stopped, workers: int
) -> None:
    """Compute the parts on the workers of Dask."""
    distributed = library()
    with client_of(engine, workers) as client:
        client.wait_for_workers(1, timeout=WAIT)
        data = packed(job)
        waiting = list(reversed(parts))
        futures = distributed.as_completed()
        ahead = AHEAD * max(1, len(client.scheduler_info().get("workers", {})))
        pending: set[Any] = set()

        def submit() -> None:
            while waiting and len(pending) < ahead:
                part = waiting.pop()
                future = client.submit(
                    compute_packed, job.key, data, part, pure=False, retries=RETRIES
                )
                pending.add(future)
                futures.add(future)

        submit()
        try:
            while pending:
                try:
                    future = next(futures) if not stopped() else None
                except StopIteration:
                    break
                if future is None:
                    break
                pending.discard(future)
                if future.status != "finished":
                    raise ResultError(f"a part failed on the cluster: {short(future.exception())}")
                done(future.result())
                future.release()
                submit()
        finally:
            client.cancel(list(pending))
