# Source-based coverage. Counters are mapped from the profile file (%c in LLVM_PROFILE_FILE), so that
# a confined child that ends without running exit handlers is counted too.

if(GGUFGATE_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "GGUFGATE_COVERAGE needs Clang")
  endif()
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping
    "SHELL:-mllvm -runtime-counter-relocation")
  add_link_options(-fprofile-instr-generate)
endif()
