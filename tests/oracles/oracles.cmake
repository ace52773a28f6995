# Libraries that tests and fuzz targets share. They are small, so that a target builds only the code it needs:
#
#   ggufgate_oracles_child  work in forked processes, for tests that run other projects' loaders
#   ggufgate_oracles        exact copies of inputs, choices drawn from them, assertions that abort the program
#   …_verdict               properties of every verdict and of every accepted file
#   …_mutants               properties of every mutant
#   …_differential          the gate and the witness agree
#   …_plain_loader          a loader that runs models, for bugs that only a loadable file can reach
#   …_walk                  reads everything in an opened file through the C interface

function(ggufgate_oracle name)
  cmake_parse_arguments(PARSE_ARGV 1 oracle "" "" "SOURCES;LINKS")
  list(TRANSFORM oracle_SOURCES PREPEND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/")
  add_library(${name} STATIC ${oracle_SOURCES})
  ggufgate_batches(${name})
  ggufgate_precompile(${name} ggufgate_core_headers)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name}
    PUBLIC ${oracle_LINKS} PRIVATE ggufgate_warnings ggufgate_room_sanitizers)
  set_property(GLOBAL APPEND PROPERTY GGUFGATE_ORACLES ${name})
endfunction()

ggufgate_oracle(ggufgate_oracles_child SOURCES forked_child.cc)
ggufgate_oracle(ggufgate_oracles SOURCES draw.cc guarded.cc LINKS ggufgate_bytes)
ggufgate_oracle(ggufgate_oracles_verdict SOURCES accepted.cc verdict.cc LINKS ggufgate_check ggufgate_oracles)
ggufgate_oracle(ggufgate_oracles_mutants SOURCES mutants.cc LINKS ggufgate_oracles_verdict ggufgate_mutate)
ggufgate_oracle(ggufgate_oracles_differential SOURCES differential.cc
  LINKS ggufgate_oracles_verdict ggufgate_witness)
ggufgate_oracle(ggufgate_oracles_plain_loader SOURCES plain_loader/load.cc plain_loader/decode.cc LINKS ggufgate_witness)
if(TARGET ggufgate_c_api)
  ggufgate_oracle(ggufgate_oracles_walk SOURCES walk.cc LINKS ggufgate_c_api)
endif()
