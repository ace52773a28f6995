#!/bin/bash -eu
# Copyright 2026 The ggufgate authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
################################################################################

# Builds all fuzz targets of ggufgate, with dictionaries, options and seeds, into $OUT. Which targets
# there are, and what belongs to each, is said in fuzz/targets.cmake.

prefix=$WORK/prefix
jobs=$(nproc)

# dependency FOLDER OPTION... compiles a library of $SRC with the flags of the environment, as static
# archives, into $prefix.
dependency() {
  local folder=$1
  shift
  cmake -S "$SRC/$folder" -B "$WORK/$folder" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF \
    -DBUILD_TESTING=OFF -DCMAKE_CXX_STANDARD=20 -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@"
  cmake --build "$WORK/$folder" -j "$jobs"
  cmake --install "$WORK/$folder" > "$WORK/$folder.log"
}

# libcrypto compiles that part of OpenSSL, of which one hash is used, in $WORK/openssl. Its hash tables
# call functions through pointers of another type (lhash.c of 3.0).
libcrypto() {
  cp -a "$SRC/openssl" "$WORK/openssl"
  (
    cd "$WORK/openssl"
    ./config no-asm no-shared no-tests no-module no-legacy no-engine no-ec no-dh no-dsa no-cms \
      no-ct no-ocsp no-ts no-srp no-cmp -fno-sanitize=function
    make -s -j "$jobs" build_generated
    make -s -j "$jobs" libcrypto.a
  )
}

options=(-DBUILD_TESTING=OFF -DGGUFGATE_FUZZ_ENGINE="${LIB_FUZZING_ENGINE// /;}")
if [[ $SANITIZER == memory ]]; then
  # The core rooms need no library; what they use of SIMD is written in intrinsics, which
  # MemorySanitizer sees into by halves.
  options+=(-DGGUFGATE_CORE_ONLY=ON -DGGUFGATE_WITH_HIGHWAY=OFF)
else
  dependency highway -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF
  dependency json -DJSON_BuildTests=OFF
  libcrypto
  options+=(-DCMAKE_PREFIX_PATH="$prefix" -DGGUFGATE_ABSEIL_SOURCE="$SRC/abseil-cpp"
    -DOPENSSL_INCLUDE_DIR="$WORK/openssl/include"
    -DOPENSSL_CRYPTO_LIBRARY="$WORK/openssl/libcrypto.a"
    -DGGUFGATE_PROGRAM=OFF -DGGUFGATE_CONFINEMENT=OFF)
fi

cmake -S "$SRC/ggufgate" -B "$WORK/build" -G Ninja -DCMAKE_BUILD_TYPE=None "${options[@]}"
cmake --build "$WORK/build" -j "$jobs" --target fuzz-bundle
cmake --install "$WORK/build" --prefix "$OUT" --component fuzz
