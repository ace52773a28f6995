# A fuzz target is one file of targets/ and one line here. Without an engine it is linked with a main
# function that replays files, and replays its corpus in every test run; with GGUFGATE_FUZZ_ENGINE
# (for instance -fsanitize=fuzzer, or what OSS-Fuzz puts into LIB_FUZZING_ENGINE) it is a fuzzer.

set(GGUFGATE_FUZZ_ENGINE "" CACHE STRING "Flags that link a fuzzing engine; empty: replay only")

add_library(ggufgate_fuzz_support STATIC
  support/accepted.cc support/guarded.cc support/judge.cc support/mutants.cc)
target_include_directories(ggufgate_fuzz_support PUBLIC
  "${CMAKE_SOURCE_DIR}" "${CMAKE_SOURCE_DIR}/src")
target_link_libraries(ggufgate_fuzz_support
  PUBLIC ggufgate_check ggufgate_mutate ggufgate_dequantize PRIVATE ggufgate_warnings)

# ggufgate_fuzz_target(NAME [MUTATOR] [LINKS target...] CORPUS path...)
#   MUTATOR  inputs are GGUF files: our mutator makes them
#   CORPUS   what is replayed, and the seeds: folders or files below the top
function(ggufgate_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 target "MUTATOR" "" "LINKS;CORPUS")
  add_executable(fuzz_${name} targets/${name}.cc)
  target_link_libraries(fuzz_${name} PRIVATE
    ggufgate_fuzz_support ${target_LINKS} ggufgate_warnings)
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
  list(TRANSFORM target_CORPUS PREPEND "${CMAKE_SOURCE_DIR}/")
  if(GGUFGATE_FUZZ_ENGINE)
    target_link_libraries(fuzz_${name} PRIVATE ${GGUFGATE_FUZZ_ENGINE})
    if(target_MUTATOR)
      # The engine's own mutations of bytes, to be compared with; built when asked for.
      get_target_property(parts fuzz_${name} LINK_LIBRARIES)
      add_executable(fuzz_${name}_bytes EXCLUDE_FROM_ALL targets/${name}.cc)
      target_link_libraries(fuzz_${name}_bytes PRIVATE ${parts})
      set_target_properties(fuzz_${name}_bytes PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
      target_link_libraries(fuzz_${name} PRIVATE ggufgate_libfuzzer_mutator)
    endif()
  else()
    target_sources(fuzz_${name} PRIVATE support/replay_main.cc)
    add_test(NAME fuzz-replay-${name} COMMAND fuzz_${name} ${target_CORPUS})
    set_tests_properties(fuzz-replay-${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  endif()
  set_property(GLOBAL APPEND PROPERTY GGUFGATE_FUZZ_TARGETS ${name})
endfunction()

set(files corpus/valid corpus/invalid corpus/regression)
ggufgate_fuzz_target(parse MUTATOR CORPUS ${files})
ggufgate_fuzz_target(check MUTATOR CORPUS ${files})
ggufgate_fuzz_target(tensor_data MUTATOR CORPUS ${files})
ggufgate_fuzz_target(roundtrip MUTATOR CORPUS ${files})
ggufgate_fuzz_target(consistent MUTATOR CORPUS ${files})
ggufgate_fuzz_target(one_lie MUTATOR CORPUS ${files})
ggufgate_fuzz_target(mutator MUTATOR CORPUS ${files})
ggufgate_fuzz_target(cost MUTATOR CORPUS ${files})
ggufgate_fuzz_target(generate CORPUS ${files})
ggufgate_fuzz_target(source CORPUS ${files})
ggufgate_fuzz_target(c_abi CORPUS ${files})
ggufgate_fuzz_target(dequantize CORPUS tests/dequantize/golden)
ggufgate_fuzz_target(chat_template CORPUS tests/check/chat_templates)
if(NOT GGUFGATE_CORE_ONLY)
  ggufgate_fuzz_target(policy LINKS ggufgate_gate CORPUS docs/policies)
  ggufgate_fuzz_target(report MUTATOR LINKS ggufgate_report nlohmann_json::nlohmann_json
    CORPUS ${files})
endif()
