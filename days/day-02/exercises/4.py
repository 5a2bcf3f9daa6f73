
    def _fail(self, message: str) -> None:
        self._out.write(f"[error] {message}\n")

    def _finish(self) -> None:
        self._end_line()

