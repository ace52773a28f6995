# Products other than the libraries: the static program, manual pages, completions.

# --- ggufgate-static: the objects of the program, linked with nothing left to load -----------------

if(GGUFGATE_STATIC AND TARGET ggufgate_cli)
  add_executable(ggufgate_static "${PROJECT_SOURCE_DIR}/src/cli/main.cc")
  set_target_properties(ggufgate_static PROPERTIES
    OUTPUT_NAME ggufgate-static RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  set_property(TARGET ggufgate_static PROPERTY POSITION_INDEPENDENT_CODE)  # or -pie comes as well
  target_compile_options(ggufgate_static PRIVATE -fPIE)
  ggufgate_compile_as_above(ggufgate_static)
  target_include_directories(ggufgate_static PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(ggufgate_static PRIVATE
    ${GGUFGATE_ROOM_TARGETS} CLI11::CLI11 ggufgate_warnings ggufgate_room_rules)
  target_link_options(ggufgate_static PRIVATE -static-pie -s LINKER:--gc-sections
    LINKER:-Map=${PROJECT_BINARY_DIR}/ggufgate-static.map)  # input of the bill of materials
endif()

# --- what `cmake --install` wants -----------------------------------------------------------------

add_custom_target(ggufgate_installed)
foreach(target IN ITEMS ggufgate_cli ggufgate_fetcher ggufgate_rehearser ggufgate_rehearsal_preload ggufgate
    ggufgate_mutator ggufgate_shared ggufgate_libfuzzer_mutator ggufgate-afl-mutator)
  if(TARGET ${target})
    add_dependencies(ggufgate_installed ${target})
  endif()
endforeach()

# --- manual pages and completions, out of the help of the program ----------------------------------

# Not for builds that only run tests.
if(NOT TARGET ggufgate_cli OR NOT GGUFGATE_INSTALL OR GGUFGATE_SANITIZE OR GGUFGATE_COVERAGE OR GGUFGATE_SMOKE)
  return()
endif()
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(STATUS "Without Python there are no manual pages and completions")
  return()
endif()

set(help_printer $<TARGET_FILE:ggufgate_cli>)
if(CMAKE_CROSSCOMPILING)
  set(help_printer ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:ggufgate_static>)
endif()
set(share "${PROJECT_BINARY_DIR}/share")
file(GLOB page_writers CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/pages/*")
add_custom_command(OUTPUT "${share}/written"
  COMMAND ${CMAKE_COMMAND} -E rm -rf "${share}"
  COMMAND Python3::Interpreter "${CMAKE_CURRENT_LIST_DIR}/pages/write-pages"
    --version ${PROJECT_VERSION} --date "${GGUFGATE_DATE}" --output "${share}" ${help_printer}
  COMMAND ${CMAKE_COMMAND} -E touch "${share}/written"
  DEPENDS ${page_writers} $<IF:$<BOOL:${CMAKE_CROSSCOMPILING}>,ggufgate_static,ggufgate_cli>
  COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(ggufgate_pages ALL DEPENDS "${share}/written")
install(DIRECTORY "${share}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
install(DIRECTORY "${share}/bash-completion" "${share}/zsh" "${share}/fish"
  DESTINATION "${CMAKE_INSTALL_DATADIR}")
add_dependencies(ggufgate_installed ggufgate_pages)
