# libggufgate.so: the rooms as one shared library that exports only the functions of ggufgate.h.

set(c_rooms api/c report policy gate remote witness words check jinja parse dequantize scan format bytes)
add_library(ggufgate_shared SHARED)
add_library(ggufgate::c ALIAS ggufgate_shared)
foreach(room IN LISTS c_rooms)
  set(objects ggufgate_${room})
  if(room STREQUAL "api/c")
    set(objects ggufgate_c_api)
  endif()
  target_sources(ggufgate_shared PRIVATE $<TARGET_OBJECTS:${objects}>)
endforeach()
target_sources(ggufgate_shared PUBLIC FILE_SET HEADERS
  BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES "${PROJECT_SOURCE_DIR}/include/ggufgate/ggufgate.h")

set(exports "${CMAKE_CURRENT_SOURCE_DIR}/api/c/ggufgate.map")
set_target_properties(ggufgate_shared PROPERTIES
  OUTPUT_NAME ggufgate EXPORT_NAME c LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION 0
  LINK_DEPENDS "${exports}" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_link_options(ggufgate_shared PRIVATE
  "LINKER:--version-script=${exports}" LINKER:--no-undefined LINKER:--as-needed)

# Memory must be freed by the operator delete that belongs to its operator new. With GGUFGATE_STATIC the library has
# its own operators and hides them, so it must contain all C++ libraries that it uses.
target_link_libraries(ggufgate_shared PRIVATE ${absl_links} ${gate_links} ${core_links})
if(GGUFGATE_STATIC)
  target_link_options(ggufgate_shared PRIVATE -static-libstdc++ -static-libgcc LINKER:--gc-sections)
endif()
if(GGUFGATE_STATIC AND NOT GGUFGATE_ABSEIL_SOURCE)
  include(abseil_archives)
  get_property(without_archive GLOBAL PROPERTY GGUFGATE_WITHOUT_ARCHIVE)
  ggufgate_refuse_abseil("${absl_VERSION}" "${without_archive}")
  # Debian compiles its archives for programs. These sources and options make them fit into a shared library.
  target_sources(ggufgate_shared PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/api/shared/abseil_stand_ins.cc")
  target_link_libraries(ggufgate_shared PRIVATE ggufgate_warnings ggufgate_room_rules)
  target_link_options(ggufgate_shared PRIVATE LINKER:--wrap=stderr)
endif()

if(GGUFGATE_INSTALL)
  install(TARGETS ggufgate_shared EXPORT ggufgateCTargets
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  # The prefix is relative to the folder of the .pc file, so that an installed tree can be moved.
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE pc_prefix)
  string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/api/c/ggufgate.pc.in"
    "${PROJECT_BINARY_DIR}/ggufgate.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/ggufgate.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
