"""The heart of `grade watch`: news from other threads, taken one after another in this one.

One thread looks for saves, and one grades. A save while it grades closes its engine, which ends all programs at once,
and the next grading has a new one.
"""

from __future__ import annotations

import select
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from queue import SimpleQueue

from ..course.collecting import Refused, collect
from ..engine import Engine, Stopped
from ..grading import Job, exercise_results, grade, new_seed
from ..harmless import harmless, trouble_in_words
from ..paper import paper
from ..progress import Progress
from ..results import CheckResult, Report
from .saves import saves
from .verdicts import Verdicts
from .views import view_on


class Watching:
    """`record` says whether the verdicts are the user's own progress."""

    def __init__(self, job: Job, *, record: bool) -> None:
        # Where it leads may be another directory of that name by the next save.
        self._job = replace(job, target=job.target.absolute())
        self._engine = Engine(job.lab)
        self._grading = threading.Thread()
        self._number = 0  # of the grading whose news count
        self._news: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._verdicts = Verdicts(job.checks)
        heading = f"{job.lab.id}  {harmless(str(job.target), 200)}".replace("\n", "\\n")
        self._view = view_on(paper(), self._verdicts, job.catalogue, heading)
        self._progress = Progress(job.catalogue, self._view.note) if record else None

    def run(self) -> None:
        """Never returns; Ctrl-C is what ends it. Nothing is left running."""
        signal.signal(signal.SIGWINCH, lambda *_: self._news.put(self._view.resized))
        with self._view:
            threading.Thread(target=self._look_for_saves, daemon=True).start()
            threading.Thread(target=self._look_for_the_reader, daemon=True).start()
            try:
                while True:
                    self._news.get()()
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is heard already
                self._engine.close()
                if self._grading.is_alive():
                    self._grading.join()  # it takes its files away

    def _look_for_saves(self) -> None:
        for _ in saves(self._job.lab, self._job.target):
            self._news.put(self._saved)

    def _look_for_the_reader(self) -> None:
        """When nobody reads the output any more, as behind `head`, this ends as after Ctrl-C, whether there is more to
        write or not."""
        output = select.poll()
        output.register(sys.stdout.fileno(), 0)  # what it tells unasked: nobody is at the other end
        output.poll()
        self._news.put(_leave)

    def _saved(self) -> None:
        self._stop()
        try:
            student = collect(self._job.lab, self._job.target)
        except Refused as refusal:
            self._view.note(refusal.in_words(self._job.catalogue.say))
        except OSError as trouble:
            self._note_trouble(trouble)
        else:
            self._verdicts.begin(exercise_results(self._job.lab, student, (), self._job.catalogue))
            self._view.begun()
            self._grading = threading.Thread(target=self._grade, args=(self._number, self._engine), daemon=True)
            self._grading.start()

    def _stop(self) -> None:
        """End what is graded now. What it had to say and has not been heard does not count."""
        self._number += 1
        if self._grading.is_alive():
            self._engine.close()
            self._engine = Engine(self._job.lab)  # gets ready while the other ends
            self._grading.join()

    def _grade(self, number: int, engine: Engine) -> None:
        def tell(news: Callable[[], None]) -> None:
            self._news.put(lambda: news() if number == self._number else None)

        def done(result: CheckResult) -> None:
            tell(partial(self._finished, result))

        try:
            report = grade(engine, self._job, new_seed(), done=done, named=False)  # a name has no room here
        except Stopped:
            return
        except Exception as trouble:
            tell(partial(self._note_trouble, trouble))
        else:
            tell(partial(self._over, report))

    def _finished(self, result: CheckResult) -> None:
        self._verdicts.finish(result)
        self._view.finished(result)

    def _over(self, report: Report) -> None:
        if self._progress:
            self._progress.record(report)  # first: who sees the last verdict may leave
        self._view.over()

    def _note_trouble(self, trouble: Exception) -> None:
        self._view.note(self._job.catalogue.say("grader-trouble", problem=trouble_in_words(trouble)))


def _leave() -> None:
    raise KeyboardInterrupt
