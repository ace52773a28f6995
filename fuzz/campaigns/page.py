"""DIR/index.html: the same as the summary, for people. One file, no script, nothing fetched."""

import os
from html import escape

from campaigns import plot
from campaigns.text import plain

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --faint: #687076; --paper: #fff; --line: #dfe3e6;
  --bad: #b3261e; --good: #1a7f37; --c0: #2563a8; --c1: #b35900; --c2: #2f7d4f; --c3: #8a3ea8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --faint: #98a0a6; --paper: #16191c; --line: #33393e; --bad: #ff8a80;
    --good: #7ee29a; --c0: #7db8f5; --c1: #f5b36b; --c2: #82d9a3; --c3: #d8a1f0; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: right; padding: .25rem .8rem; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; white-space: nowrap; }
th { color: var(--faint); font-weight: 500; } .left { text-align: left; }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); font-weight: 600; }
.faint, .none { color: var(--faint); }
pre { background: color-mix(in srgb, var(--line) 40%, transparent); padding: .7rem 1rem;
  overflow-x: auto; font-size: 13px; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
.plots > * { flex: 1 1 18rem; max-width: 30rem; }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: var(--faint); }
.grid { stroke: var(--line); } .curve { fill: none; stroke-width: 1.6; }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }
.c3 { stroke: var(--c3); }
"""
ENGINES = {"libfuzzer": "libFuzzer", "afl": "AFL++"}
MOST_STACK_LINES = 40


def safe(value):
    return escape(plain(value))


def number(value):
    return f"{value:,}"


def row(cells, kind="td", left=1):
    return "<tr>" + "".join(
        f'<{kind}{" class=left" if i < left else ""}>{cell}</{kind}>'
        for i, cell in enumerate(cells)) + "</tr>"


def make(summary, folder):
    options = summary["options"]
    new = summary["new_findings"]
    verdict = (f'<p class=bad>{new} new finding{"s" if new != 1 else ""}</p>' if new else
               "<p class=good>nothing new was found</p>")
    failed = [run for run in summary["runs"] if run["state"] in ("failed", "overrun")]
    verdict += "".join(
        f'<p class=bad>{safe(run["target"])}, {safe(run["engine"])}: {safe(run["state"])}: '
        f'{safe(run["note"])}</p>' for run in failed)
    if summary["interrupted"]:
        verdict += "<p class=bad>The campaign was interrupted.</p>"
    about = (f'{safe(summary["began"])} · {number(summary["seconds"])} s of '
             f'{number(round(options["minutes"] * 60, 1))} s · {options["jobs"]} at once · '
             f'{safe(options["sanitizer"])} · seed {options["seed"]} · '
             f'source {safe(summary["source"])}')
    parts = ['<!doctype html><html lang="en"><head><meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width, initial-scale=1">',
             f"<title>Campaign of {safe(summary['began'])}</title><style>{STYLE}</style></head>",
             f"<body><h1>Fuzzing campaign</h1><p class=faint>{about}</p>{verdict}",
             _findings(summary, folder), _runs(summary), _corpora(summary), _growth(summary),
             "</body></html>\n"]
    return "".join(parts)


def grouped(summary):
    """The runs of each target and engine."""
    groups = {}
    for run in summary["runs"]:
        groups.setdefault((run["target"], run["engine"]), []).append(run)
    return groups


def _runs(summary):
    rows = [row(["target", "engine", "seconds", "executions", "a second", "edges", "features",
                 "restarts", "findings"], "th", 2)]
    for (target, engine), runs in grouped(summary).items():
        measured = sum(run["growth"]["seconds"][-1] for run in runs if run["growth"]["seconds"])
        executions = sum(run["executions"] for run in runs)
        findings = {name for run in runs for name in run["findings"]}
        features = max(run["features"] for run in runs)
        rows.append(row([
            safe(target), ENGINES.get(engine, safe(engine)),
            number(round(sum(run["seconds"] for run in runs))), number(executions),
            number(round(executions / measured)) if measured else "–",
            number(max(run["edges"] for run in runs)), number(features) if features else "–",
            number(sum(run["restarts"] for run in runs)),
            f"<span class=bad>{len(findings)}</span>" if findings else "0"], left=2))
    return ("<h2>Runs</h2><table>" + "".join(rows) + "</table><p class=faint>Edges are those of "
            "each engine's own instrumentation: compare them over time, not between engines.</p>")


def _corpora(summary):
    rows = [row(["target", "files before", "after fuzzing", "minimised", "bytes"], "th")]
    for corpus in summary["corpora"]:
        rows.append(row([safe(corpus["target"]), number(corpus["files_before"]),
                         number(corpus["files_found"]),
                         number(corpus["files"]) if corpus["minimised"] else "not done",
                         number(corpus["bytes"])]))
    return "<h2>Corpora</h2><table>" + "".join(rows) + "</table>"


def _findings(summary, folder):
    parts = ["<h2>Findings</h2>"]
    if not summary["findings"]:
        parts.append("<p class=faint>None.</p>")
    for finding in summary["findings"]:
        marks = [word for word, holds in (("new", finding["new"]), ("known", not finding["new"]),
                                          ("flaky", finding["flaky"])) if holds]
        sizes = number(finding["input_bytes"]) + " bytes" + (
            f", minimised {number(finding['minimised_bytes'])}" if finding["minimised_bytes"]
            else "")
        parts.append(f"<h3>{safe(finding['id'])} <span class="
                     f"{'bad' if finding['new'] else 'faint'}>{', '.join(marks)}</span></h3>"
                     f"<p>{safe(finding['what'])}<br><span class=faint>"
                     f"{safe(', '.join(finding['targets']))} · "
                     f"{safe(', '.join(finding['engines']))} · {finding['inputs']} inputs · {sizes}</span></p>")
        for name, values in (("mutations", finding["mutations"]), ("frames", finding["frames"])):
            if values:
                parts.append(f"<p class=faint>{name}</p><pre>"
                             + "\n".join(map(safe, values)) + "</pre>")
        if finding["reproduce"]:
            parts.append(f"<pre>{safe(finding['reproduce'])}</pre>")
        parts.append(_stack(os.path.join(folder, finding["folder"], "stack.txt")))
    return "".join(parts)


def _stack(path):
    try:
        with open(path, encoding="utf-8", errors="backslashreplace") as file:
            lines = file.read(1 << 20).splitlines()
    except OSError:
        return ""
    # What libFuzzer says before the first execution tells nothing about the finding.
    lines = [line for line in lines if not line.startswith(("INFO:", "#"))][-200:]
    first = next((i for i, line in enumerate(lines)
                  if "ERROR" in line or "INVARIANT" in line or "runtime error" in line), 0)
    shown = lines[max(0, first - 2):][:MOST_STACK_LINES]
    return ("<details><summary>report</summary><pre>" + "\n".join(map(safe, shown))
            + "</pre></details>") if shown else ""


def _growth(summary):
    parts = ["<h2>Growth</h2>"]
    for (target, engine), runs in grouped(summary).items():
        def curves(name, label, from_zero, runs=runs):
            series = []
            for run in runs:
                points = zip(run["growth"]["seconds"], run["growth"][name])
                series.append([point for point in points if point[1] is not None])
            if name == "executions":
                series = [plot.rates(points) for points in series]
            return f"<div>{plot.curves(series, label, from_zero)}</div>"
        parts.append(f"<h3>{safe(target)} · {ENGINES.get(engine, safe(engine))}</h3>"
                     "<div class=plots>" + curves("edges", "edges", False)
                     + curves("corpus", "files in the corpus", False)
                     + curves("executions", "executions a second", True) + "</div>")
    return "".join(parts)


def write(summary, folder):
    path = os.path.join(folder, "index.html")
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(make(summary, folder))
    os.replace(path + ".part", path)
