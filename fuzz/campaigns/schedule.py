"""Who fuzzes when: the time of all slots, in equal parts for all tasks."""

from dataclasses import dataclass

SHORTEST = 1.0  # seconds; less is not worth the start of a fuzzer


@dataclass(frozen=True)
class Piece:
    task: object
    worker: int  # of those that work for the task, at once or one after the other
    seconds: float


def plan(tasks, slots, seconds):
    """For each slot the pieces that it runs, one after the other, in `seconds` at most.

    With fewer tasks than slots, several workers share a task. Otherwise the tasks' times are laid
    end to end and cut into slots; a task over a cut is run at the end of one slot and at the
    beginning of the next, never by both at once, because its part is no longer than a slot
    (McNaughton's rule).
    """
    if not tasks or seconds <= 0:
        return []
    if len(tasks) < slots:
        return [[Piece(tasks[slot % len(tasks)], slot // len(tasks), seconds)]
                for slot in range(slots)]
    share = seconds * slots / len(tasks)
    lines, line, room = [], [], seconds
    for task in tasks:
        left, worker = share, 0
        while left > 1e-9:
            part = min(left, room)
            line.append(Piece(task, worker, part))
            left, room, worker = left - part, room - part, worker + 1
            if room <= 1e-9:
                lines.append(line)
                line, room = [], seconds
    if line:
        lines.append(line)
    return [_without_crumbs(line) for line in lines]


def _without_crumbs(line):
    """Too short pieces go, and what is left gets their time."""
    kept = [piece for piece in line if piece.seconds >= SHORTEST] or line[:1]
    spare = sum(piece.seconds for piece in line) - sum(piece.seconds for piece in kept)
    return [Piece(piece.task, piece.worker, piece.seconds + spare / len(kept)) for piece in kept]
