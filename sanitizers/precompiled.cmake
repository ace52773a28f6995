# Headers that are read once for many targets. ggufgate_precompiled(NAME HEADER target-link…) makes
# NAME, the target that has them; ggufgate_precompile(TARGET NAME) compiles TARGET with them, if there is a
# NAME. Both must be compiled with the same flags, but for definitions that no header of NAME looks at.
#
# Of rooms only those that are compiled in batches: what is compiled file by file shows that each file
# includes what it uses. And not with g++, which takes what it precompiled for headers of ours, and warns of
# what the optimiser makes of the standard library.

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
  # ccache has no use for the time in them.
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  target_precompile_headers(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/sanitizers/precompiled/${header}>")
endfunction()

function(ggufgate_precompile target name)
  if(TARGET ${name})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# For executables that see nothing above the core. They are compiled as the rooms are, but for sanitizers
# that are for src/ alone.
function(ggufgate_compile_as_core target)
  if(TARGET ggufgate_core_headers AND NOT GGUFGATE_SANITIZE)
    target_compile_options(${target} PRIVATE -fPIC)
    ggufgate_precompile(${target} ggufgate_core_headers)
  endif()
endfunction()

# For the files with main() of programs that are made of rooms above the core. They are compiled as those rooms are.
# Where each file is searched for pointer arithmetic, what is precompiled would be searched as well.
function(ggufgate_compile_as_above target)
  if(TARGET ggufgate_above_headers AND NOT GGUFGATE_UNSAFE_BUFFERS AND NOT GGUFGATE_SANITIZE)
    target_compile_options(${target} PRIVATE ${GGUFGATE_ABOVE_CORE_OPTIONS} -fPIC)
    ggufgate_precompile(${target} ggufgate_above_headers)
  endif()
endfunction()
