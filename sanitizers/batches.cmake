# ggufgate_batches(TARGET) compiles the sources of a target in batches of GGUFGATE_BATCHES files: most of
# what a compiler does for a file of ours is reading headers again. batches.py says which files go together.

set(GGUFGATE_BATCHES 0 CACHE STRING "How many files to compile as one; 0: each by itself")

function(ggufgate_batches target)
  if(NOT GGUFGATE_BATCHES)
    return()
  endif()
  ggufgate_find(Python3 python3 COMPONENTS Interpreter)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  set(paths "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    list(APPEND paths "${path}")
  endforeach()
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/sanitizers/batches.py"
      ${GGUFGATE_BATCHES} ${paths}
    OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" "|" batches "${batches}")
  set(number 0)
  while(batches MATCHES "^([^|]+)\\|?(.*)$")
    set(batches "${CMAKE_MATCH_2}")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${CMAKE_MATCH_1} PROPERTIES UNITY_GROUP batch_${number})
  endwhile()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
