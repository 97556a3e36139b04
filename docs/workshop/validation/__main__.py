"""Write the table and the plots into a folder."""

import sys
from pathlib import Path

from . import write

write(Path(sys.argv[1]))
