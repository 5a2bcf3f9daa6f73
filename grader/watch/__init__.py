"""`grade watch`: again at every save, on an engine that stays warm."""
