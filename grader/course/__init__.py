"""Finding labs, reading `lab.toml`, making starters, composing directories."""
