# A fuzz target is one file below targets/ and one line here. Without an engine it is linked with a main function that
# replays files, and replays its corpus in every test run. With GGUFGATE_FUZZ_ENGINE (for instance -fsanitize=fuzzer,
# or the value of LIB_FUZZING_ENGINE from OSS-Fuzz) it is a fuzzer.

set(GGUFGATE_FUZZ_ENGINE "" CACHE STRING "Flags that link a fuzzing engine; empty: replay only")

include(${CMAKE_CURRENT_LIST_DIR}/bundle.cmake)

# ggufgate_fuzz_target(NAME [MUTATOR] [SMOKE] [RUNS n] [MAX_LEN bytes] [DICTIONARY kind] [OPTIONS option...]
#                      LINKS target... CORPUS path...)
#   MUTATOR     inputs are GGUF files, and our mutator makes them
#   SMOKE       the target is also built and replayed with GGUFGATE_SMOKE
#   RUNS        the number of runs of the smoke test; default 10,000
#   MAX_LEN     the maximum length of the inputs that a service makes; default 4096
#   DICTIONARY  gguf, chat_template, http or policy; default gguf
#   LINKS       the libraries of the target; nothing else is built for it
#   OPTIONS     further options of libFuzzer, as NAME=VALUE
#   CORPUS      folders that are replayed and used as seeds, relative to the top. Existing folders fuzz/seeds/gguf
#               (with MUTATOR) or fuzz/seeds/NAME (without) are added.
function(ggufgate_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 target "MUTATOR;SMOKE" "RUNS;MAX_LEN;DICTIONARY"
    "OPTIONS;LINKS;CORPUS")
  if(GGUFGATE_SMOKE AND NOT target_SMOKE)
    return()
  endif()
  file(GLOB source CONFIGURE_DEPENDS targets/${name}.cc targets/*/${name}.cc)
  add_executable(fuzz_${name} ${source} support/asan_defaults.cc)
  target_link_libraries(fuzz_${name} PRIVATE
    ggufgate_oracles ${target_LINKS} ggufgate_warnings ggufgate_room_sanitizers)
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  set(seeds fuzz/seeds/${name})
  if(target_MUTATOR)
    set(seeds fuzz/seeds/gguf)
  endif()
  if(EXISTS "${PROJECT_SOURCE_DIR}/${seeds}")
    list(PREPEND target_CORPUS "${seeds}")
  endif()
  # A list for scripts, so that they need no list of their own: name, kind of input, corpus.
  list(JOIN target_CORPUS " " listed)
  set_property(GLOBAL APPEND_STRING PROPERTY GGUFGATE_FUZZ_LIST
    "${name} $<IF:$<BOOL:${target_MUTATOR}>,gguf,bytes> ${listed}\n")
  ggufgate_fuzz_bundle(${name} "${target_DICTIONARY}" "${target_MAX_LEN}" "${target_OPTIONS}"
    ${target_CORPUS})
  list(TRANSFORM target_CORPUS PREPEND "${PROJECT_SOURCE_DIR}/")
  if(GGUFGATE_FUZZ_ENGINE)
    target_link_libraries(fuzz_${name} PRIVATE ${GGUFGATE_FUZZ_ENGINE})
    if(target_MUTATOR)
      # The same target with the engine's byte mutations only, for comparison. It is built on request.
      get_target_property(parts fuzz_${name} LINK_LIBRARIES)
      add_executable(fuzz_${name}_bytes EXCLUDE_FROM_ALL
        ${source} support/asan_defaults.cc)
      target_link_libraries(fuzz_${name}_bytes PRIVATE ${parts})
      set_target_properties(fuzz_${name}_bytes PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
      target_link_libraries(fuzz_${name} PRIVATE ggufgate_libfuzzer_mutator)
    endif()
  else()
    target_link_libraries(fuzz_${name} PRIVATE ggufgate_replay_main)
    ggufgate_compile_as_core(fuzz_${name})
  endif()
  if(BUILD_TESTING)
    ggufgate_fuzz_tests(${name} "${target_RUNS}" "${target_CORPUS}")
  endif()
  add_dependencies(fuzz-targets fuzz_${name})
endfunction()

# Every build replays the corpus. A build with libFuzzer also runs a fixed number of inputs with a fixed seed.
function(ggufgate_fuzz_tests name runs corpus)
  if(NOT GGUFGATE_FUZZ_ENGINE)
    add_test(NAME fuzz-replay-${name} COMMAND fuzz_${name} ${corpus})
  elseif(GGUFGATE_FUZZ_ENGINE STREQUAL "-fsanitize=fuzzer")
    if(NOT runs)
      set(runs 10000)
    endif()
    set(artifacts "${PROJECT_BINARY_DIR}/fuzz/found/${name}-")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz/found")
    add_test(NAME fuzz-replay-${name}
      COMMAND fuzz_${name} -runs=0 -artifact_prefix=${artifacts} ${corpus})
    # Pass inputs and no folders, because libFuzzer would write new inputs into the first folder.
    add_test(NAME fuzz-smoke-${name}
      COMMAND fuzz_${name} -seed=1 -runs=${runs} -entropic=0 -max_len=4096 -timeout=30
        -rss_limit_mb=2048 -artifact_prefix=${artifacts}
        -seed_inputs=@${PROJECT_BINARY_DIR}/fuzz/fuzz_${name}.inputs
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(fuzz-smoke-${name} PROPERTIES LABELS "fuzz;smoke" TIMEOUT 300)
  endif()
  if(TEST fuzz-replay-${name})
    set_tests_properties(fuzz-replay-${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  endif()
endfunction()

if(NOT GGUFGATE_FUZZ_ENGINE)
  add_library(ggufgate_replay_main OBJECT support/replay_main.cc)
  target_link_libraries(ggufgate_replay_main PRIVATE ggufgate_oracles ggufgate_warnings ggufgate_room_sanitizers)
  ggufgate_compile_as_core(ggufgate_replay_main)
endif()

add_custom_target(fuzz-targets COMMENT "All fuzz targets")
set(files corpus/valid corpus/invalid corpus/regression)
ggufgate_fuzz_target(parse MUTATOR SMOKE LINKS ggufgate_parse CORPUS ${files})
# A new iteration count of a loop in a rule must not count as new coverage. The mutator makes long files anyway, and
# without counters the engine keeps the short files.
ggufgate_fuzz_target(check MUTATOR SMOKE OPTIONS use_counters=0 LINKS ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(tensor_data MUTATOR MAX_LEN 16384 LINKS ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(roundtrip MUTATOR SMOKE LINKS ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(repair MUTATOR RUNS 4000 LINKS ggufgate_repair ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(consistent MUTATOR LINKS ggufgate_oracles_mutants CORPUS ${files})
ggufgate_fuzz_target(one_lie MUTATOR SMOKE LINKS ggufgate_oracles_mutants CORPUS ${files})
ggufgate_fuzz_target(mutator MUTATOR LINKS ggufgate_oracles_mutants CORPUS ${files})
ggufgate_fuzz_target(cost MUTATOR RUNS 4000 LINKS ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(differential MUTATOR SMOKE RUNS 4000 LINKS ggufgate_oracles_differential CORPUS ${files})
ggufgate_fuzz_target(load MUTATOR RUNS 3000 MAX_LEN 524288
  LINKS ggufgate_oracles_plain_loader ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(generate LINKS ggufgate_oracles_mutants CORPUS ${files})
ggufgate_fuzz_target(model LINKS ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(string_walk RUNS 3000 MAX_LEN 512 LINKS ggufgate_parse CORPUS ${files})
ggufgate_fuzz_target(source LINKS ggufgate_oracles_verdict CORPUS ${files})
ggufgate_fuzz_target(c_abi LINKS ggufgate_mutate CORPUS ${files})
ggufgate_fuzz_target(dequantize LINKS ggufgate_dequantize CORPUS tests/dequantize/golden)
ggufgate_fuzz_target(chat_template RUNS 3000 MAX_LEN 8192 DICTIONARY chat_template
  LINKS ggufgate_oracles_verdict CORPUS tests/jinja/chat_templates)
ggufgate_fuzz_target(contracts LINKS ggufgate_oracles_verdict CORPUS)
ggufgate_fuzz_target(template_program RUNS 1500 MAX_LEN 1024 DICTIONARY chat_template
  LINKS ggufgate_oracles_mutants CORPUS tests/jinja/chat_templates)
if(NOT GGUFGATE_CORE_ONLY)
  ggufgate_fuzz_target(api MUTATOR RUNS 3000 LINKS ggufgate_oracles_walk CORPUS ${files})
  ggufgate_fuzz_target(steps MUTATOR RUNS 3000 LINKS ggufgate_gate ggufgate_oracles_verdict CORPUS ${files})
  ggufgate_fuzz_target(answer LINKS ggufgate_remote DICTIONARY http CORPUS tests/remote/answers)
  ggufgate_fuzz_target(policy LINKS ggufgate_policy DICTIONARY policy CORPUS docs/policies)
  ggufgate_fuzz_target(recorded LINKS ggufgate_gate CORPUS ${files})
  ggufgate_fuzz_target(report MUTATOR RUNS 3000 LINKS ggufgate_report nlohmann_json::nlohmann_json
    CORPUS ${files})
endif()

# This target needs the reference library. Without it, a service would run a target that compares nothing.
if(NOT GGUFGATE_CORE_ONLY AND NOT GGUFGATE_SMOKE)
  include(${CMAKE_CURRENT_LIST_DIR}/external/harness.cmake)
  if(EXISTS "${ggufgate_reference_dir}/package/bins/linux-x64/libggml-base.so")
    ggufgate_fuzz_target(reference MUTATOR RUNS 500 LINKS ggufgate_harness ggufgate_oracles_verdict CORPUS ${files})
  endif()
endif()

get_property(listed GLOBAL PROPERTY GGUFGATE_FUZZ_LIST)
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/fuzz/targets.txt" CONTENT "${listed}")
