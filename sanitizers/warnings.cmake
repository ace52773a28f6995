# ggufgate_warnings: the warnings for every file of the project.
# ggufgate_unsafe_buffers: only for src/, warns of pointer arithmetic outside an audited region.

add_library(ggufgate_warnings INTERFACE)
set(warnings
  -Wall -Wextra -Wpedantic
  -Wconversion -Wsign-conversion -Wdouble-promotion
  -Wcast-align -Wcast-qual -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi
  -Wformat=2 -Wimplicit-fallthrough -Wvla -Wwrite-strings
  # A designated initialiser names only some members; the others keep their defaults.
  -Wno-missing-field-initializers
  # GCC and older Clang do not know `#pragma clang unsafe_buffer_usage`.
  -Wno-unknown-pragmas)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC's plain -Wshadow warns of a member of a scoped enum with the name of a constant outside.
  list(APPEND warnings -Wshadow=local -Wduplicated-cond -Wduplicated-branches -Wlogical-op)
  if(GGUFGATE_BATCHES)  # in a batch, GCC treats our source files as headers
    list(APPEND warnings -Wno-subobject-linkage)
  endif()
else()
  # In a batch, the local names of one file seem to hide those of another.
  foreach(warning IN ITEMS -Wshadow -Wshadow-uncaptured-local)
    list(APPEND warnings $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:${warning}>)
  endforeach()
  list(APPEND warnings -Wnull-dereference -Wunreachable-code
    -Wcomma -Wrange-loop-analysis -Wmissing-prototypes)
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")  # packaging/wasm.cmake checks it at run time
  list(APPEND warnings -Wno-shorten-64-to-32)
endif()
if(NOT GGUFGATE_WARNINGS)
  set(warnings -w)
endif()
target_compile_options(ggufgate_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")
if(GGUFGATE_WERROR)
  target_compile_options(ggufgate_warnings INTERFACE -Werror)
endif()

# This warning needs a separate pass over every function, so presets whose checks others repeat turn it off.
option(GGUFGATE_UNSAFE_BUFFERS "Warn of pointer arithmetic in src (Clang 19)" ON)
add_library(ggufgate_unsafe_buffers INTERFACE)
if(GGUFGATE_UNSAFE_BUFFERS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  # Newer compilers and other standard libraries cause more of these warnings, so it is an error only with
  # GGUFGATE_WERROR.
  set(unsafe_buffers -Wunsafe-buffer-usage)
  if(GGUFGATE_WERROR)
    set(unsafe_buffers -Werror=unsafe-buffer-usage)
  endif()
  target_compile_options(ggufgate_unsafe_buffers INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:${unsafe_buffers}>)
endif()
