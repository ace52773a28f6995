# ggufgate_check_attack(WORDS) checks GGUFGATE_ATTACK before it becomes a target. The cache keeps the value, so it may
# name files that were removed since. tests/CMakeLists.txt runs this file as a script, with -DGGUFGATE_ATTACK=...

if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
endif()

function(ggufgate_check_attack words)
  set(again "or forget the setting with 'cmake -UGGUFGATE_ATTACK ${CMAKE_BINARY_DIR}'")
  set(sources ${words})
  list(FILTER sources INCLUDE REGEX "\\.(c|cc|cpp|cxx)$")
  if(NOT sources)
    message(FATAL_ERROR "GGUFGATE_ATTACK names no source file (${words}): add your copy of external/template.cc, ${again}")
  endif()
  foreach(word IN LISTS words)
    if(NOT word IN_LIST sources AND NOT IS_ABSOLUTE "${word}")
      continue()  # a library that the linker finds
    endif()
    cmake_path(ABSOLUTE_PATH word BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE path)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "GGUFGATE_ATTACK names a file that does not exist (${word}): name another, ${again}")
    endif()
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  ggufgate_check_attack("${GGUFGATE_ATTACK}")
  message("GGUFGATE_ATTACK is sound")
endif()
