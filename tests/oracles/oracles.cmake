# What tests and fuzz targets share, each with no more than it needs: a target builds fast that way.
#
#   ggufgate_oracles_child  work in forked processes, for those who ask loaders of others
#   ggufgate_oracles        inputs in exact copies, choices drawn from them, assertions that end a program
#   …_verdict               what holds of every verdict, and of every file that is accepted
#   …_mutants               what holds of every mutant
#   …_differential          the gate and the witness agree
#   …_plain_loader          a loader that runs models, for bugs that only a file can reach which loads
#   …_walk                  all that an opened file has, by the C interface

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
