"""For authors: whether every program of a lab's bank scores exactly as declared, and is named for what it is."""
