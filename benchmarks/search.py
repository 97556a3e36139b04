"""The loosest setting that is good enough: it and the next tighter ones reach the error wanted, so
that luck does not count.
"""

from collections.abc import Callable
from math import inf

FAR = 30.0  # times the error wanted, from which on ...
STRIDE = 4  # ... so many settings at once are passed over, fewer than must pass


class Search:
    """Settings start, start * factor, start * factor^2, ..., each run once whatever is asked for;
    whole numbers stay so.
    """

    def __init__(
        self,
        error_at: Callable[[float], float],
        start: float,
        factor: float,
        end: float,
        tighter: int = 8,
    ) -> None:
        self._error_at, self._start, self._factor, self._end, self._tighter = (
            error_at,
            start,
            factor,
            end,
            tighter,
        )
        self._known: dict[float, float] = {}

    def setting(self, k: int) -> float:
        value = self._start * self._factor**k
        return round(value) if isinstance(self._start, int) else value

    def error(self, k: int) -> float:
        setting = self.setting(k)
        if setting not in self._known:
            self._known[setting] = self._error_at(setting)
        return self._known[setting]

    def loosest(self, wanted: float) -> tuple[float | None, float]:
        """The setting, and the largest error of it and those that had to pass, too; None if there
        is none up to the end.
        """
        k = passed = 0
        while self._ahead(self.setting(k)):
            error = self.error(k)
            passed = passed + 1 if error <= wanted else 0
            if passed > self._tighter:
                first = k - self._tighter
                return self.setting(first), max(self.error(j) for j in range(first, k + 1))
            k += STRIDE if error > FAR * wanted else 1
        return None, inf

    def _ahead(self, setting: float) -> bool:
        return setting <= self._end if self._factor > 1.0 else setting >= self._end
