"""The command line: one file per command. Heavy imports wait inside the commands, so that --help
answers at once.

They make hardly any garbage, and looking for it would take a tenth of a short command: it is looked
for less often.
"""

import gc

gc.set_threshold(400_000)
