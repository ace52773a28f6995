# The harness that runs a loader in forked children, and the reference loader. attacks.cmake and the target
# `reference` use them.

set(ggufgate_reference_dir "${PROJECT_SOURCE_DIR}/build/reference")
add_library(ggufgate_harness STATIC external/harness.cc external/allocations.cc
  external/llama_cpp_loader.cc)
target_include_directories(ggufgate_harness PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(ggufgate_harness
  PUBLIC ${CMAKE_DL_LIBS} ggufgate_oracles_child PRIVATE ggufgate_warnings)
target_compile_features(ggufgate_harness PUBLIC cxx_std_20)
target_compile_definitions(ggufgate_harness PRIVATE
  GGUFGATE_REFERENCE_DIR="${ggufgate_reference_dir}")
