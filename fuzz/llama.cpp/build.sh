# SPDX-License-Identifier: MIT
# For projects/llamacpp/build.sh of OSS-Fuzz: builds the targets of tests/fuzz into $OUT, with seeds,
# dictionary and options. Wants the ggufgate sources in $SRC/ggufgate (a clone in the Dockerfile) and
# llama.cpp in $SRC/llama.cpp; made for `source`.

cd "$SRC/llama.cpp"

# The mutator is no part of what is fuzzed: without sanitizers, and only where libFuzzer runs.
mutator=()
if [[ ${FUZZING_ENGINE:-libfuzzer} == libfuzzer && ${SANITIZER:-} != coverage ]]; then
  env -u CFLAGS -u CXXFLAGS cmake -S "$SRC/ggufgate" -B "$WORK/ggufgate" -DCMAKE_BUILD_TYPE=Release \
    -DGGUFGATE_CORE_ONLY=ON -DBUILD_TESTING=OFF -DGGUFGATE_WITH_HIGHWAY=OFF
  env -u CFLAGS -u CXXFLAGS cmake --build "$WORK/ggufgate" -j "$(nproc)" \
    --target ggufgate_libfuzzer_mutator
  mutator=(-DGGUF_MUTATOR="$WORK/ggufgate/libggufgate_libfuzzer_mutator.a")
fi

cmake -S . -B "$WORK/llama" -DBUILD_SHARED_LIBS=OFF -DLLAMA_CURL=OFF -DGGML_NATIVE=OFF \
  -DGGML_OPENMP=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_FUZZERS=ON \
  -DLIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" "${mutator[@]}"
targets=(fuzz_load_model fuzz_vocab fuzz_decode fuzz_lora)
cmake --build "$WORK/llama" -j "$(nproc)" --target "${targets[@]}"

for target in "${targets[@]}"; do
  find "$WORK/llama" -name "$target" -type f -exec cp {} "$OUT/" \;
  cp tests/fuzz/gguf.dict "$OUT/$target.dict"
  cp tests/fuzz/fuzz.options "$OUT/$target.options"
  (cd "tests/fuzz/seeds/$target" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
done
cp tests/fuzz/fuzz_lora_base.gguf "$OUT/"
