#!/bin/bash -eu
# The same build as on OSS-Fuzz.
. "$SRC/ggufgate/fuzz/oss-fuzz/build.sh"
