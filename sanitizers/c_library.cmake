# libggufgate.so: the rooms as one shared library that shows the functions of ggufgate.h alone.

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

# Abseil's archives of Debian hold objects that only a program can be made of (thread-local variables at
# a place known to the linker): the shared libraries beside them are taken, unless its sources are compiled
# with our flags. All else goes in.
get_property(abseil GLOBAL PROPERTY GGUFGATE_REPLACED_BY_ARCHIVES)
if(NOT abseil)
  set(abseil ${absl_links})
endif()
target_link_libraries(ggufgate_shared PRIVATE ${abseil} ${gate_links} ${core_links})
if(GGUFGATE_STATIC)
  target_link_options(ggufgate_shared PRIVATE -static-libstdc++ -static-libgcc LINKER:--gc-sections)
endif()

if(GGUFGATE_INSTALL)
  install(TARGETS ggufgate_shared EXPORT ggufgateCTargets
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  # The prefix is said from where the file lies, so that an installed tree can be moved.
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE pc_prefix)
  string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/api/c/ggufgate.pc.in"
    "${PROJECT_BINARY_DIR}/ggufgate.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/ggufgate.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
