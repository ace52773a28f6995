# Finds other projects' libraries. If one is missing, the configuration stops with one sentence that names the Debian
# package. scripts/check and scripts/test show that sentence.

function(ggufgate_lacks package)
  message(FATAL_ERROR "ggufgate needs the Debian package ${package}")
endfunction()

# ggufgate_find(NAME PACKAGE [ARGUMENT...]) is find_package(NAME ARGUMENT...), which must succeed.
macro(ggufgate_find name package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    ggufgate_lacks(${package})
  endif()
endmacro()
