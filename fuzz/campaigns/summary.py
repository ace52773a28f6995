"""DIR/summary.json: the data of a campaign for programs. docs/campaigns.md describes the fields."""

import json
import os
import re
from dataclasses import asdict

SCHEMA = "ggufgate.campaign/1"
GROWTH = ("seconds", "executions", "edges", "features", "corpus")
MOST_POINTS = 1000  # per run



def thin(points, most=MOST_POINTS):
    """At most this many of them, including the first and the last."""
    if len(points) <= most:
        return points
    step = (len(points) - 1) / (most - 1)
    return [points[round(i * step)] for i in range(most)]


def make(setup, records, corpora, triage, exit_code):
    options = setup.options
    return {
        "schema": SCHEMA,
        "began": setup.began_at,
        "seconds": round(setup.elapsed(), 1),
        "interrupted": setup.interrupted(),
        "exit_code": exit_code,
        "source": setup.source,
        "options": {"target": options.target, "engines": list(options.engines),
                    "minutes": options.minutes, "jobs": options.jobs,
                    "sanitizer": options.sanitizer, "seed": options.seed,
                    "cmplog": options.cmplog},
        "new_findings": triage.new_count(),
        "runs": [_run(record, triage) for record in _in_order(records)],
        "corpora": corpora,
        "findings": [_finding(finding) for finding in triage.findings.values()],
    }


def _in_order(records):
    return sorted(records, key=lambda r: (r.target, r.engine != "libfuzzer", r.worker))


def _run(record, triage):
    return {
        "target": record.target, "engine": record.engine, "worker": record.worker,
        "state": record.state, "note": record.note, "seconds": round(record.seconds, 1),
        "executions": record.runs,
        "executions_per_second": round(record.rate()),
        "edges": record.edges, "features": record.features, "restarts": record.restarts,
        "findings": [finding.id for finding in triage.findings.values()
                     if record.target in finding.targets and record.engine in finding.engines],
        "growth": {name: [_short(getattr(point, name)) for point in
                          thin(record.growth)] for name in GROWTH},
    }


def _short(value):
    return round(value, 2) if isinstance(value, float) else value


def _finding(finding):
    fields = asdict(finding)
    fields["frames"], fields["mutations"] = list(finding.frames), list(finding.mutations)
    return fields


def write(summary, path):
    """The file gets its name when it is complete."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        # Lists of numbers are on one line. A string cannot look like that: it has no line ends.
        file.write(re.sub(r"\[\n[\d.,\snul]+\]", lambda found: "".join(found[0].split()),
                          json.dumps(summary, indent=1)) + "\n")
    os.replace(path + ".part", path)
