#!/usr/bin/env python3
"""Real reports of sanitizers and targets, and the facts extracted from them."""

import unittest

import stage  # noqa: F401  (finds the modules)
from campaigns.stacks import Signature, read_report

ASAN = """INFO: Seed: 1
==12811==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x502000000059 at pc 0x56 bp 0x7f
WRITE of size 1 at 0x502000000059 thread T0
    #0 0x562 in __asan_memcpy (/tmp/x+0x4e3b6) (BuildId: e7f5)
    #1 0x563 in void std::__copy<ggufgate::A*>(ggufgate::A*) /usr/lib/gcc/12/../include/c++/12/a.h:4:1
    #2 0x564 in ggufgate::(anonymous namespace)::Read<unsigned int, A<B> >(char*) /w/build/fuzz/../../src/parse/a.cc:8:78
    #3 0x565 in ggufgate::Set::operator()(int) const ../../src/check/b.cc:8
    #4 0x566 in ggufgate::Parse(int) /w/src/x/src/parse/c.cc:8:78
    #5 0x567 in LLVMFuzzerTestOneInput /w/fuzz/targets/parse.cc:8:78
allocated by thread T0 here:
    #0 0x560 in malloc (/tmp/x+0xa62de) (BuildId: 7ee5)
    #1 0x561 in ggufgate::Elsewhere() /w/src/parse/d.cc:8:63
"""


class Reports(unittest.TestCase):
    def test_address(self):
        signature = read_report(ASAN, 77)
        self.assertEqual(signature.kind, "heap-buffer-overflow")
        self.assertEqual(signature.frames, (
            "ggufgate::anonymous::Read src/parse/a.cc",
            "ggufgate::Set::operator-call src/check/b.cc",
            "ggufgate::Parse src/parse/c.cc"))

    def test_addresses_and_lines_make_no_difference_but_functions_do(self):
        one = read_report(ASAN).id("parse")
        moved = ASAN.replace("0x502000000059", "0x60200000001f").replace("a.cc:8:78", "a.cc:9:1")
        self.assertEqual(read_report(moved).id("parse"), one)
        self.assertNotEqual(read_report(ASAN.replace("Parse(int)", "Other(int)")).id("parse"), one)
        self.assertNotEqual(read_report(ASAN.replace("heap-", "stack-")).id("parse"), one)

    def test_undefined_behaviour(self):
        text = ("/w/src/parse/a.cc:7:3: runtime error: signed integer overflow: {} + 1 cannot be\n"
                "    #0 0x55 in ggufgate::Add(int) /w/src/parse/a.cc:7:3\n")
        one, other = (read_report(text.format(n)) for n in ("2147483647", "-2147483600"))
        self.assertEqual(one.kind, "undefined-behaviour")
        self.assertEqual(one.what, "signed integer overflow: N + N cannot be")
        self.assertEqual(one.id("parse"), other.id("parse"))

    def test_invariants_differ_by_sentence_lie_and_frames(self):
        def told(lie="text-key-nul", sentence="a lie is rejected"):
            return read_report(f" metadata-add {lie}; expected key-nul|magic; found magic\n"
                               f"INVARIANT VIOLATED: {sentence}\n"
                               "==1== ERROR: libFuzzer: deadly signal\n"
                               "    #7 0x5 in ggufgate::fuzz::Require(bool) /w/fuzz/support/r.h:1\n"
                               "    #8 0x5 in LLVMFuzzerTestOneInput /w/fuzz/targets/one_lie.cc:1\n")
        self.assertEqual(told(), Signature(
            "invariant", "a lie is rejected",
            ("LLVMFuzzerTestOneInput fuzz/targets/one_lie.cc",), ("text-key-nul",)))
        self.assertNotEqual(told().id("parse"), told(lie="text-key-control").id("parse"))
        self.assertNotEqual(told().id("parse"), told(sentence="another").id("parse"))

    def test_of_what_is_sound_the_rules_found_count_and_not_the_edits(self):
        report = " {}; expected nothing; found magic; found alignment-type\nINVARIANT VIOLATED: x\n"
        one = read_report(report.format("metadata-add"))
        self.assertEqual(one.mutations, ("alignment-type", "magic"))
        other = read_report(report.format("text-path text-long"))
        self.assertEqual(one.id("parse"), other.id("parse"))

    def test_engine(self):
        for text, kind in (("timeout after 11 seconds", "timeout"),
                           ("out-of-memory (malloc(629145600))", "out-of-memory"),
                           ("deadly signal", "deadly-signal")):
            self.assertEqual(read_report(f"==9== ERROR: libFuzzer: {text}\n").kind, kind)

    def test_a_hang_has_no_frames_as_they_would_differ_each_time(self):
        text = ("==1== ERROR: libFuzzer: timeout after 10 seconds\n"
                "    #1 0x5 in ggufgate::Parse(int) /w/src/parse/c.cc:8:78\n")
        self.assertEqual(read_report(text).frames, ())
        self.assertNotEqual(read_report(text).id("parse"), read_report(text).id("check"))
        self.assertEqual(read_report(ASAN).id("parse"), read_report(ASAN).id("check"))

    def test_others(self):
        for text, kind in (
                ("==1==ERROR: LeakSanitizer: detected memory leaks\n", "leak"),
                ("==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n",
                 "use-of-uninitialized-value"),
                ("==1==ERROR: AddressSanitizer: attempting double-free on 0x60 in thread T0:\n",
                 "attempting-double-free"),
                ("a.h:9: int A::b(): Assertion 'i < n' failed.\n", "assertion")):
            self.assertEqual(read_report(text, 1).kind, kind)

    def test_silent_deaths(self):
        self.assertEqual(read_report("", -11).what, "ended by signal 11")
        self.assertEqual(read_report("", 3).kind, "exit")
        self.assertEqual(read_report("", None, True).kind, "timeout")
        self.assertIsNone(read_report("all is well", 0))

    def test_an_id_is_a_plain_name(self):
        name = Signature("Kind/../of\x1b <b>", "what", ("a\udcff",)).id("parse")
        self.assertRegex(name, r"^[a-z0-9-]+$")


if __name__ == "__main__":
    unittest.main()
