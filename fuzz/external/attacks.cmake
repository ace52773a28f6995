# Attacks on other projects' loaders: docs/attach.md. They link no fuzzing engine, so builds that are only for an
# engine leave them out.

if(GGUFGATE_CORE_ONLY OR GGUFGATE_SMOKE OR (GGUFGATE_FUZZ_ENGINE AND NOT BUILD_TESTING))
  return()
endif()

add_library(ggufgate_attack STATIC
  external/attack.cc external/attack_words.cc external/results.cc external/results_text.cc)
target_include_directories(ggufgate_attack PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(ggufgate_attack
  PUBLIC ggufgate_harness ggufgate_oracles_mutants ggufgate_oracles_differential ggufgate_report
  PRIVATE nlohmann_json::nlohmann_json ggufgate_warnings)

# ggufgate_attack(NAME SOURCE... [LINKS target...]) makes the program attack-NAME. One of the sources
# has main(), as in external/template.cc.
function(ggufgate_attack name)
  cmake_parse_arguments(PARSE_ARGV 1 attack "" "" "LINKS")
  add_executable(attack-${name} ${attack_UNPARSED_ARGUMENTS})
  target_link_libraries(attack-${name} PRIVATE ggufgate_attack ${attack_LINKS} ggufgate_warnings)
  set_target_properties(attack-${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz" ENABLE_EXPORTS ON)
endfunction()

ggufgate_attack(naive-loader external/template.cc external/naive_loader.c)
ggufgate_attack(llama-cpp external/llama_cpp.cc external/llama_cpp_runner.cc external/rehearsing.cc)
if(TARGET ggufgate_rehearser)
  target_link_libraries(attack-llama-cpp PRIVATE ggufgate_rehearse)
  target_compile_definitions(attack-llama-cpp PRIVATE GGUFGATE_REHEARSES)
  add_dependencies(attack-llama-cpp ggufgate_rehearser ggufgate_rehearsal_preload)
  # The program searches next to itself.
  file(CREATE_LINK ../ggufgate-rehearse "${PROJECT_BINARY_DIR}/fuzz/ggufgate-rehearse" SYMBOLIC)
endif()
if(TARGET ggufgate_llama_oracle)
  target_link_libraries(attack-llama-cpp PRIVATE ggufgate_llama_oracle)
  target_compile_definitions(attack-llama-cpp PRIVATE GGUFGATE_RUNS_LLAMA_CPP)
endif()

set(GGUFGATE_ATTACK "" CACHE STRING
  "Your copy of external/template.cc and the libraries of your loader; makes attack-mine")
if(GGUFGATE_ATTACK)
  include(external/attack_sources.cmake)
  ggufgate_check_attack("${GGUFGATE_ATTACK}")
  set(mine ${GGUFGATE_ATTACK})
  set(mine_libraries ${GGUFGATE_ATTACK})
  list(FILTER mine INCLUDE REGEX "\\.(c|cc|cpp|cxx)$")
  list(FILTER mine_libraries EXCLUDE REGEX "\\.(c|cc|cpp|cxx)$")
  ggufgate_attack(mine ${mine} LINKS ${mine_libraries})
endif()
