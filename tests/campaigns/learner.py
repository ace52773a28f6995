"""Lets campaigns import the modules of src/learn: their first import is this one."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/learn"))
