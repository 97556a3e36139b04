"""The command line: one file per command. Heavy imports wait inside the commands, so that --help answers at once."""
