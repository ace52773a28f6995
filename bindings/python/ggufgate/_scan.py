"""Many files: one verdict each."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import stat
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Set, Tuple

from . import _library
from ._check import Policy, Wanted, check, policy_for, refuse_unknown
from ._errors import require
from ._cache import Cache
from ._http import FetchError, Web, is_strong
from ._library import lib
from ._places import Opened, is_local, open_place, printable
from ._processes import in_processes
from ._reader import ReaderPlace
from ._report import Report, Verdict

_LONGEST_WAIT = 60.0  # seconds between two attempts
_IN_FLIGHT = 4  # sources per thread that are taken from the list at once


@dataclass(frozen=True)
class Result:
    """The verdict on one source of a list."""

    index: int  # in the list, from 0
    source: str  # as in the list
    verdict: Verdict
    problem: str = ""  # the reason for UNDECIDED
    size: int = 0  # of the file, in bytes
    etag: Optional[str] = None  # the version from the server
    report: Dict[str, Any] = field(default_factory=dict)  # on the file, as in JSON: docs/formats.md
    requests: int = 0  # in all attempts
    bytes: int = 0  # received
    attempts: int = 1
    seconds: float = 0.0
    cached: bool = False  # from the cache: same bytes, same rules

    @property
    def accepted(self) -> bool:
        """Whether the file may be loaded."""
        return self.verdict is Verdict.ACCEPT

    def to_dict(self) -> Dict[str, Any]:
        """The fields of a line of results."""
        told: Dict[str, Any] = {"index": self.index, "source": self.source, "verdict": self.verdict.value}
        if self.problem:
            told["problem"] = self.problem
        told["size"] = self.size
        if self.etag is not None:
            told["etag"] = self.etag
        for key in ("sha256", "findings", "totals", "summary", "data"):
            if key in self.report:
                told[key] = self.report[key]
        if self.cached:
            told["cached"] = True
        told.update(requests=self.requests, bytes=self.bytes, attempts=self.attempts,
                    seconds=round(self.seconds, 6))
        return told

    def to_json(self) -> str:
        """A line of results, without its end. Characters that are not ASCII are escaped."""
        return json.dumps(self.to_dict(), separators=(",", ":"))


class Settings:
    """The settings for checking a list; can be sent to other processes."""

    def __init__(self, *, retries: int = 3, backoff: float = 0.5, timeout: float = 30.0, deadline: float = 600.0,
                 headers: Optional[Mapping[str, str]] = None, allow_http: bool = False, allow_private: bool = False,
                 storage_options: Optional[Mapping[str, Dict[str, Any]]] = None, policy: Optional[Policy] = None,
                 profile: Optional[str] = None, data: Optional[str] = None, fail_on: Any = None,
                 sha256: bool = False, cache: Any = None, cache_entries: int = 1_000_000) -> None:
        if retries < 0 or backoff < 0 or timeout <= 0 or deadline <= 0:
            raise ValueError("retries, backoff, timeout and deadline must not be negative")
        self.retries = retries
        self.backoff = backoff
        self.web = Web(headers=headers, timeout=timeout, deadline=deadline, allow_http=allow_http,
                       allow_private=allow_private)
        self.storage_options = dict(storage_options or {})
        self.options = {"policy": policy_for(policy, profile), "data": data,
                        "fail_on": fail_on, "sha256": sha256}
        Wanted(**self.options)  # raises errors before the first file
        self._cache_of = None if cache is None else (os.fspath(cache), cache_entries)
        self._cache: Optional[Cache] = None
        if self._cache_of is not None:
            self._cache = Cache(self._cache_of[0], self.judged_by(), self._cache_of[1])

    @property
    def cache(self) -> Optional[Cache]:
        return self._cache if self._cache is not None and self._cache.usable else None

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_cache": None}  # another machine can have another library

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._cache_of is not None:
            self._cache = Cache(self._cache_of[0], self.judged_by(), self._cache_of[1])

    def judged_by(self) -> str:
        """A text that identifies everything except the file that a verdict depends on."""
        policy, fail_on = self.options["policy"], self.options["fail_on"]
        told = {"ggufgate": lib.version().decode(), "policy_sha256": None, "profile": None,
                "data": self.options["data"], "fail_on": getattr(fail_on, "word", fail_on),
                "sha256": self.options["sha256"]}
        if policy is not None:
            toml, told["profile"], _ = policy._made_of
            told["policy_sha256"] = hashlib.sha256(toml.encode("utf-8")).hexdigest()
        return json.dumps(told, sort_keys=True)


SETTINGS = tuple(Settings.__init__.__kwdefaults__)


def escaped(text: str) -> str:
    """Escapes third-party text for a terminal or a log."""
    data = text.encode("utf-8", "backslashreplace")
    made = _library.c.c_void_p()
    require(lib.escape(data, len(data), made))
    return _library.take_text(made)


def _checked(opened: Opened, name: str, settings: Settings) -> Tuple[Report, Optional[Exception]]:
    """The report, and the error of a failed range."""
    place = ReaderPlace(opened.target) if not isinstance(opened.target, str) else None
    report = check(opened.target if place is None else place, name=name, **settings.options)
    return report, place.error if place is not None else None


def judge(index: int, source: Any, settings: Settings) -> Result:
    """The verdict on one source. Every error becomes a verdict; only interrupts are raised."""
    begin = time.monotonic()
    until = begin + settings.web.deadline
    try:
        name, shown = printable(source)
    except TypeError as error:
        return Result(index=index, source=ascii(source), verdict=Verdict.UNDECIDED, problem=escaped(_said(error)))
    requests = bytes_read = 0
    for attempt in itertools.count(1):
        opened: Optional[Opened] = None
        result = Result(index=index, source=shown, verdict=Verdict.UNDECIDED)
        failure: Optional[Exception] = None
        try:
            before = _before(name, settings)
            opened = open_place(name, settings.web, settings.storage_options,
                                None if before is None else before.get("etag"), until)
            if before is not None and (opened.unchanged or "etag" not in before):
                result = Result(index=index, source=shown, verdict=Verdict(before["verdict"]), size=before["size"],
                                etag=before.get("etag"), report=before["report"], cached=True)
            else:
                report, failure = _checked(opened, name, settings)
                result = Result(index=index, source=shown, verdict=report.verdict, problem=report.problem,
                                size=report.size, etag=opened.etag, report=report.to_dict())
                if failure is None:
                    _keep(name, result, settings)
        except Exception as error:  # noqa: BLE001: an error makes one file undecided
            failure = error
        if opened is not None:
            requests, bytes_read = requests + opened.requests, bytes_read + opened.bytes
            _close(opened)
        told = {**result.__dict__, "requests": requests, "bytes": bytes_read, "attempts": attempt}
        if failure is not None:
            told.update(verdict=Verdict.UNDECIDED, problem=escaped(_said(failure)))
        asked = getattr(failure, "wait", None)
        pause = settings.backoff * 2 ** (attempt - 1) * (0.5 + random.random())
        pause = min(_LONGEST_WAIT, pause if asked is None else max(asked, pause))
        late = time.monotonic() + pause >= until
        if failure is None or not _again(failure) or attempt > settings.retries or late:
            return Result(**{**told, "seconds": time.monotonic() - begin})
        time.sleep(pause)
    raise AssertionError("unreachable")


def _before(name: str, settings: Settings) -> Optional[Dict[str, Any]]:
    """The cached entry of a source. For a remote source, its ETag may be outdated."""
    if settings.cache is None:
        return None
    if not is_local(name, settings.storage_options):
        return settings.cache.find("address", name)
    # A local file is identified by its digest, which needs all bytes: only if the digest is requested.
    if not settings.options["sha256"]:
        return None
    try:
        return settings.cache.find("sha256", _digest(open_place(name, settings.web, settings.storage_options).target))
    except OSError:
        return None  # the check reports the read error


def _keep(name: str, result: Result, settings: Settings) -> None:
    if settings.cache is None:
        return
    told = {"verdict": result.verdict.value, "size": result.size, "report": result.report}
    if is_local(name, settings.storage_options):
        if result.report.get("sha256"):
            told["report"] = {**result.report, "path": "", "identity": {}}
            settings.cache.keep("sha256", result.report["sha256"], told)
    elif is_strong(result.etag):
        settings.cache.keep("address", name, {**told, "etag": result.etag})


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # does not wait for a pipe
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _close(opened: Opened) -> None:
    try:
        opened.close()
    except Exception:  # noqa: BLE001: closing errors do not matter
        pass


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, FetchError) else f"{type(error).__name__}: {error}"


def _again(error: Exception) -> bool:
    """Whether another attempt may succeed: every error of fsspec except those about the name."""
    if isinstance(error, FetchError):
        return error.again
    known = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, NotImplementedError)
    return isinstance(error, (OSError, TimeoutError, EOFError)) and not isinstance(error, known)


def _with_threads(listed: Iterator[Tuple[int, Any]], threads: int, settings: Settings) -> Iterator[Result]:
    pool = ThreadPoolExecutor(threads, thread_name_prefix="ggufgate")
    pending: Set[Future] = set()
    try:
        while True:
            for index, source in itertools.islice(listed, _IN_FLIGHT * threads - len(pending)):
                pending.add(pool.submit(judge, index, source, settings))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def judge_all(listed: Iterable[Tuple[int, Any]], threads: int, settings: Settings) -> List[Result]:
    """The verdicts on some sources, in order."""
    return sorted(_with_threads(iter(listed), threads, settings), key=lambda result: result.index)


def scan(sources: Iterable[Any], *, threads: int = 8, processes: int = 0, **settings: Any) -> Iterator[Result]:
    """Checks many files: yields one Result per source when it is finished.

    `sources` are paths, addresses (https://…), or locations that fsspec opens (s3://…). Remote files are read by
    ranges: the header, and little more. If a file cannot be read, it is undecided. Each source gets exactly one
    verdict.

      threads           number of files that are checked at the same time
      processes         0: check in this process; otherwise the number of processes, with `threads` each. A file that
                        crashes a process is undecided
      retries, backoff  attempts after the first, and seconds before the second, doubled each time. If the server
                        names a time for the next attempt, that time is used, up to a minute
      timeout           limit in seconds for an answer of a server; `deadline` is the limit for a whole file
      headers           for web servers, such as an authorization. Not sent to the targets of redirects
      allow_http        also allow http://, which others on the network can change
      allow_private     also allow servers at private addresses
      storage_options   for fsspec, by scheme: {"s3": {"anon": True}}; with options for "https", fsspec reads these too
      cache             a folder of earlier verdicts, at most `cache_entries` (a million): of remote files by their
                        ETag, of local files by their SHA-256, if `sha256` is requested
      policy, profile, data, fail_on, sha256    as in ggufgate.check
    """
    if threads < 1 or processes < 0:
        raise ValueError("threads must be at least 1, processes at least 0")
    refuse_unknown("scan", settings, SETTINGS)
    wanted = Settings(**settings)
    listed = enumerate(sources)
    if processes == 0:
        return _with_threads(listed, threads, wanted)
    return in_processes(listed, processes, threads, wanted, judge_all, ended)


def ended(index: int, source: Any, _settings: Settings) -> Result:
    """The result of a source that crashed a process."""
    return Result(index=index, source=printable(source)[1], verdict=Verdict.UNDECIDED,
                  problem="the process that judged it ended")
