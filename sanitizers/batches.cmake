# ggufgate_batches(TARGET) compiles the sources of a target in batches of GGUFGATE_BATCHES files, because a compiler
# spends most of its time on headers that it reads again for each file. batches.py groups the files.

set(GGUFGATE_BATCHES 0 CACHE STRING "How many files to compile as one; 0: each by itself")

function(ggufgate_batches target)
  if(NOT GGUFGATE_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  set(paths "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    list(APPEND paths "${path}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY GGUFGATE_BATCHED -- ${target} ${paths})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# ggufgate_sort_batches() must be called after all targets. It starts Python once; once for each of fifty targets
# would take ten seconds.
function(ggufgate_sort_batches)
  get_property(batched GLOBAL PROPERTY GGUFGATE_BATCHED)
  if(NOT batched)
    return()
  endif()
  ggufgate_find(Python3 python3 COMPONENTS Interpreter)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/sanitizers/batches.py"
      ${GGUFGATE_BATCHES} ${batched}
    OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" "|" batches "${batches}")
  set(last "")
  while(batches MATCHES "^([^|]+)\\|?(.*)$")
    set(files ${CMAKE_MATCH_1})
    set(batches "${CMAKE_MATCH_2}")
    list(POP_FRONT files target)
    if(NOT target STREQUAL last)
      set(last ${target})
      set(number 0)
    endif()
    math(EXPR number "${number} + 1")
    set_source_files_properties(${files} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP batch_${number})
  endwhile()
endfunction()
