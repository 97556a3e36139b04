"""Draw all figures into a folder."""

import sys
from pathlib import Path

from . import write

write(Path(sys.argv[1]))
