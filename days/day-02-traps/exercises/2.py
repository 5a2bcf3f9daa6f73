    def _within_limit(self, lines: list[bytes], limit: int) -> list[bytes]:
        """Those of these lines that stand before the one which makes its event too large: now all, however large."""
        return lines

