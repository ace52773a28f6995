"""Curves as inline SVG. Colours and fonts come from the page's style."""

import math
from html import escape

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 10, 36
MOST_POINTS = 400  # of a curve; more cannot be seen


def nice_step(most, parts=4):
    """1, 2 or 5 times a power of ten, so that about so many of them reach `most`."""
    raw = max(most, 1e-9) / parts
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)


def label_of(number):
    """In full up to six digits, so that neighbours on an axis differ."""
    for size, letter in ((1e9, "G"), (1e6, "M")):
        if abs(number) >= size:
            return f"{number / size:.4g}{letter}"
    return f"{number:,.0f}" if number >= 10 else f"{number:.3g}"


def thin(points, most=MOST_POINTS):
    if len(points) <= most:
        return points
    step = (len(points) - 1) / (most - 1)
    return [points[round(i * step)] for i in range(most)]


def axis(low, high, step):
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def curves(series, label, from_zero=True):
    """An SVG of several curves, each a list of (seconds, value); `label` names the value. With
    from_zero=False the axis begins near the least value, so that slow growth can be seen."""
    series = [thin(points) for points in series if points]
    if not series:
        return '<p class="none">nothing was measured</p>'
    last = max(points[-1][0] for points in series) or 1.0
    values = [value for points in series for _, value in points]
    low = 0 if from_zero else min(values)
    high = max(max(values), low + 1)
    step = nice_step(max(high - low, 4))  # what is drawn are whole numbers
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(seconds):
        return LEFT + width * seconds / last

    def y(value):
        return TOP + height * (1 - (value - low) / (high - low))

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)} over '
             'seconds">']
    for value in axis(low, high, step):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" '
                     f'y2="{y(value):.1f}"/><text x="{LEFT - 6}" y="{y(value) + 4:.1f}" '
                     f'text-anchor="end">{label_of(value)}</text>')
    for seconds in axis(0, last, nice_step(last)):
        parts.append(f'<text x="{x(seconds):.1f}" y="{HEIGHT - BOTTOM + 15}" '
                     f'text-anchor="middle">{label_of(seconds)}</text>')
    parts.append(f'<text x="{LEFT + width / 2}" y="{HEIGHT - 4}" text-anchor="middle">seconds'
                 f'</text><text transform="translate(12 {TOP + height / 2}) rotate(-90)" '
                 f'text-anchor="middle">{escape(label)}</text>')
    for number, points in enumerate(series):
        path = " ".join(f"{x(seconds):.1f},{y(value):.1f}" for seconds, value in points)
        if len(points) == 1:
            parts.append(f'<circle class="curve c{number % 4}" cx="{x(points[0][0]):.1f}" '
                         f'cy="{y(points[0][1]):.1f}" r="2"/>')
        parts.append(f'<polyline class="curve c{number % 4}" points="{path}"/>')
    parts.append("</svg>")
    return "".join(parts)


def rates(points):
    """(seconds, total) -> (seconds, per second since the point before), over half a second at
    least, as engines report in bursts."""
    result, since = [], (0.0, 0)
    for seconds, total in points:
        if total < since[1]:
            since = (seconds, total)
        elif seconds - since[0] >= 0.5:
            result.append((seconds, (total - since[1]) / (seconds - since[0])))
            since = (seconds, total)
    return result
