# Precompiles headers once for many targets. ggufgate_precompiled(NAME HEADER target-link…) makes the target NAME
# with the headers. ggufgate_precompile(TARGET NAME) compiles TARGET with them if NAME exists. Both targets must have
# the same flags, except definitions that no header of NAME uses.
#
# Rooms use precompiled headers only when they are compiled in batches. A build file by file checks that each file
# includes the headers that it needs. g++ does not use them: it treats precompiled headers as ours, and then warns of
# optimised code of the standard library.

set(by_clang OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(by_clang ON)
endif()
set(GGUFGATE_PRECOMPILE "${by_clang}" CACHE BOOL "Where rooms are compiled in batches: read common headers once")

function(ggufgate_precompiled name header)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cc" CONTENT "\n")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cc")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE ${ARGN} ggufgate_warnings)
  # A time stamp in the precompiled headers would defeat ccache.
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  target_precompile_headers(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/sanitizers/precompiled/${header}>")
endfunction()

# ggufgate_precompiled_upon(NAME BASE): the headers of NAME begin with those of BASE, which are not read again. Both
# need the same level of optimisation and the same sanitizers.
function(ggufgate_precompiled_upon name base)
  get_target_property(folder ${base} BINARY_DIR)
  set(precompiled "${folder}/CMakeFiles/${base}.dir/cmake_pch.hxx.pch")
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -include-pch -Xclang ${precompiled}>")
  # add_dependencies() does not order the objects of two targets.
  get_target_property(own_folder ${name} BINARY_DIR)
  set_source_files_properties("${own_folder}/CMakeFiles/${name}.dir/cmake_pch.hxx.cxx" PROPERTIES
    OBJECT_DEPENDS "${precompiled}")
endfunction()

function(ggufgate_precompile target name)
  if(TARGET ${name})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# For executables that use only the core. They have the flags of the rooms, except the sanitizers that are only for
# src/.
function(ggufgate_compile_as_core target)
  if(TARGET ggufgate_core_headers AND NOT GGUFGATE_SANITIZE)
    target_compile_options(${target} PRIVATE -fPIC)
    ggufgate_precompile(${target} ggufgate_core_headers)
  endif()
endfunction()

# For the files with main() of programs that use rooms above the core. They have the flags of those rooms. It does
# nothing with GGUFGATE_UNSAFE_BUFFERS, because the warning would also search the precompiled headers for each file.
function(ggufgate_compile_as_above target)
  if(TARGET ggufgate_above_headers AND NOT GGUFGATE_UNSAFE_BUFFERS AND NOT GGUFGATE_SANITIZE)
    target_compile_options(${target} PRIVATE ${GGUFGATE_ABOVE_CORE_OPTIONS} -fPIC)
    ggufgate_precompile(${target} ggufgate_above_headers)
  endif()
endfunction()
