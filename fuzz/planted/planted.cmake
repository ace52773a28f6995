# Faulty builds of the gate, each with one bug of bugs.toml: docs/planted-bugs.md. They are built on request, as
# planted_NAME, and as planted_NAME_bytes in builds with an engine. planted-bugs builds all.
#
# GGUFGATE_PLANTED_BY says where the bugs must be found: by targets (builds with an engine) or by tests.

find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_Interpreter_FOUND OR Python3_VERSION VERSION_LESS 3.11)
  add_custom_target(planted-bugs COMMAND ${CMAKE_COMMAND} -E echo "planted-bugs: needs python3, 3.11 or newer"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

set(planted_bugs "${CMAKE_CURRENT_LIST_DIR}/bugs.py")
set(planted_folder "${CMAKE_CURRENT_BINARY_DIR}/planted")
add_custom_target(planted-bugs)

# ggufgate_planted_leak(NAME FILE COMPILED) compiles the sources that contain a bug, from src/ or from the plain
# loader. A separate folder has the faulty FILE. It comes before src/ in the include path.
function(ggufgate_planted_leak name file compiled)
  string(REGEX REPLACE "^src/" "" inside "${file}")
  set(leaky "${planted_folder}/${name}/${inside}")
  add_custom_command(OUTPUT "${leaky}"
    COMMAND Python3::Interpreter "${planted_bugs}" plant ${name} "${leaky}"
    DEPENDS "${planted_bugs}" "${PROJECT_SOURCE_DIR}/fuzz/planted/bugs.toml" "${PROJECT_SOURCE_DIR}/${file}"
    COMMENT "Planting ${name}" VERBATIM)
  add_library(planted_leak_${name} OBJECT EXCLUDE_FROM_ALL "${leaky}")
  if(NOT file IN_LIST compiled)
    set_source_files_properties("${leaky}" PROPERTIES HEADER_FILE_ONLY ON)
  endif()
  foreach(source IN LISTS compiled)
    if(NOT source STREQUAL file)
      target_sources(planted_leak_${name} PRIVATE "${PROJECT_SOURCE_DIR}/${source}")
    endif()
  endforeach()
  # Use the flags of the room, except warnings.
  set(room ggufgate_oracles_plain_loader)
  if(file MATCHES "^src/([a-z]+)/")
    set(room ggufgate_${CMAKE_MATCH_1})
  endif()
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES)
    set_property(TARGET planted_leak_${name} APPEND PROPERTY
      ${property} $<TARGET_PROPERTY:${room},${property}>)
  endforeach()
  target_link_libraries(planted_leak_${name} PRIVATE ${room})
  target_include_directories(planted_leak_${name} BEFORE PRIVATE "${planted_folder}/${name}")
  target_compile_options(planted_leak_${name} PRIVATE -w)
endfunction()

# ggufgate_planted_program(PROGRAM BUG OBJECTS [library...]) links the objects and the faulty objects before the
# libraries. The faulty objects define the same symbols as the correct ones, so the linker leaves the correct ones in
# their archives. If it needed both, a symbol would be defined twice and the program would not link.
function(ggufgate_planted_program program name objects)
  add_executable(${program} EXCLUDE_FROM_ALL
    $<TARGET_OBJECTS:planted_leak_${name}> $<TARGET_OBJECTS:${objects}>)
  target_link_libraries(${program} PRIVATE ${ARGN})
  set_target_properties(${program} PROPERTIES
    LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/planted")
  add_dependencies(planted-bugs ${program})
endfunction()

# The object of a target is compiled once for all bugs. PROGRAM is the target without the mutator.
function(ggufgate_planted_target target program)
  if(NOT TARGET ${program})
    message(FATAL_ERROR "planted bugs: no target ${program}")
  endif()
  if(NOT TARGET planted_target_${target})
    file(GLOB source CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/targets/${target}.cc"
      "${PROJECT_SOURCE_DIR}/fuzz/targets/*/${target}.cc")
    add_library(planted_target_${target} OBJECT EXCLUDE_FROM_ALL ${source}
      "${PROJECT_SOURCE_DIR}/fuzz/support/asan_defaults.cc")
    get_target_property(parts ${program} LINK_LIBRARIES)
    target_link_libraries(planted_target_${target} PRIVATE ${parts})
  endif()
endfunction()

# ggufgate_planted_bug(NAME FILE COMPILED TARGET [TARGET]): one target uses the mutator, the other the engine's own
# mutations. A single target has a dictionary instead of the mutator.
function(ggufgate_planted_bug name file compiled target)
  if(ARGC EQUAL 4)
    if(GGUFGATE_CORE_ONLY AND NOT TARGET fuzz_${target})
      return()  # its room is not in this build
    endif()
    ggufgate_planted_leak(${name} ${file} "${compiled}")
    ggufgate_planted_target(${target} fuzz_${target})
    get_target_property(parts fuzz_${target} LINK_LIBRARIES)
    ggufgate_planted_program(planted_${name}_bytes ${name} planted_target_${target} ${parts})
    add_dependencies(planted_${name}_bytes fuzz_${target}_dictionary)
    return()
  endif()
  set(bytes_target ${ARGV4})
  ggufgate_planted_leak(${name} ${file} "${compiled}")
  foreach(by IN ITEMS ${target} ${bytes_target})
    ggufgate_planted_target(${by} fuzz_${by}_bytes)
    get_target_property(parts_of_${by} fuzz_${by}_bytes LINK_LIBRARIES)
  endforeach()
  ggufgate_planted_program(planted_${name} ${name} planted_target_${target}
    ${parts_of_${target}} ggufgate_libfuzzer_mutator)
  ggufgate_planted_program(planted_${name}_bytes ${name} planted_target_${bytes_target}
    ${parts_of_${bytes_target}})
endfunction()

# ggufgate_planted_test(NAME FILE COMPILED TEST): TEST is an executable of tests/ that must fail.
function(ggufgate_planted_test name file compiled test)
  string(REGEX REPLACE "^src/([a-z]+)/.*" "\\1" room "${file}")
  if(NOT TARGET ${test} OR NOT TARGET ggufgate_${room})
    return()  # not in this build
  endif()
  ggufgate_planted_leak(${name} ${file} "${compiled}")
  get_target_property(parts ${test} LINK_LIBRARIES)
  ggufgate_planted_program(planted_${name} ${name} ${test} ${parts})
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_LIST_DIR}/bugs.toml" "${planted_bugs}")
execute_process(COMMAND "${Python3_EXECUTABLE}" "${planted_bugs}" cmake ${GGUFGATE_PLANTED_BY}
  OUTPUT_VARIABLE calls COMMAND_ERROR_IS_FATAL ANY)
cmake_language(EVAL CODE "${calls}")
