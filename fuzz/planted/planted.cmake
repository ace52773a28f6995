# Leaky builds of the gate, each with one bug of bugs.toml: docs/planted-bugs.md. In builds with an
# engine, and only when asked for: planted-bugs, planted_NAME, planted_NAME_bytes.

find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_Interpreter_FOUND OR Python3_VERSION VERSION_LESS 3.11)
  add_custom_target(planted-bugs COMMAND ${CMAKE_COMMAND} -E echo "planted-bugs: needs python3, 3.11 or newer"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

set(planted_bugs "${CMAKE_CURRENT_LIST_DIR}/bugs.py")
set(planted_folder "${CMAKE_CURRENT_BINARY_DIR}/planted")
file(MAKE_DIRECTORY "${planted_folder}")
add_custom_target(planted-bugs)

# The object of a target is compiled once for all bugs.
function(ggufgate_planted_target target)
  if(NOT TARGET fuzz_${target}_bytes)
    message(FATAL_ERROR "planted bugs: no target ${target} with the mutator")
  endif()
  if(NOT TARGET planted_target_${target})
    add_library(planted_target_${target} OBJECT EXCLUDE_FROM_ALL
      "${CMAKE_SOURCE_DIR}/fuzz/targets/${target}.cc"
      "${CMAKE_SOURCE_DIR}/fuzz/support/asan_defaults.cc")
    target_link_libraries(planted_target_${target} PRIVATE ggufgate_oracles_mutants ggufgate_oracles_differential)
  endif()
endfunction()

# ggufgate_planted_program(PROGRAM BUG TARGET [library...]) links a target with the leaky object in
# front of the libraries: it defines all that the sound one does, which so stays in its archive. A
# symbol defined by both would not link.
function(ggufgate_planted_program program name target)
  ggufgate_planted_target(${target})
  get_target_property(parts fuzz_${target}_bytes LINK_LIBRARIES)
  add_executable(${program} EXCLUDE_FROM_ALL
    $<TARGET_OBJECTS:planted_leak_${name}> $<TARGET_OBJECTS:planted_target_${target}>)
  target_link_libraries(${program} PRIVATE ${parts} ${ARGN})
  set_target_properties(${program} PROPERTIES
    LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/planted")
  add_dependencies(planted-bugs ${program})
endfunction()

# ggufgate_planted_bug(NAME FILE TARGET TARGET): the targets are the mutator's and the engine's own.
function(ggufgate_planted_bug name file target bytes_target)
  set(leaky "${planted_folder}/${name}.cc")
  add_custom_command(OUTPUT "${leaky}"
    COMMAND Python3::Interpreter "${planted_bugs}" plant ${name} "${leaky}"
    DEPENDS "${planted_bugs}" "${CMAKE_SOURCE_DIR}/fuzz/planted/bugs.toml" "${CMAKE_SOURCE_DIR}/${file}"
    COMMENT "Planting ${name}" VERBATIM)
  # Compiled as its room is, but for warnings.
  string(REGEX REPLACE "^src/([^/]+)/.*" "\\1" room "${file}")
  add_library(planted_leak_${name} OBJECT EXCLUDE_FROM_ALL "${leaky}")
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES)
    set_property(TARGET planted_leak_${name} APPEND PROPERTY
      ${property} $<TARGET_PROPERTY:ggufgate_${room},${property}>)
  endforeach()
  target_link_libraries(planted_leak_${name} PRIVATE ggufgate_${room})
  target_compile_options(planted_leak_${name} PRIVATE -w)
  ggufgate_planted_program(planted_${name} ${name} ${target} ggufgate_libfuzzer_mutator)
  ggufgate_planted_program(planted_${name}_bytes ${name} ${bytes_target})
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_LIST_DIR}/bugs.toml" "${planted_bugs}")
execute_process(COMMAND "${Python3_EXECUTABLE}" "${planted_bugs}" cmake
  OUTPUT_VARIABLE calls COMMAND_ERROR_IS_FATAL ANY)
cmake_language(EVAL CODE "${calls}")
