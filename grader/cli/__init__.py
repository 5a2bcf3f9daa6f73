"""The command line: `grade DAY`, and everything else as a subcommand. What a command needs is imported when it runs."""
