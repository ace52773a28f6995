# ggufgate_refuse_abseil(VERSION WITHOUT_ARCHIVE) ends the configuration where Abseil's archives do not fit into
# libggufgate.so: the version is not the one that src/api/shared was written for, or libraries have none. As a
# script, with -D of both, it is what tests/CMakeLists.txt tries.

function(ggufgate_refuse_abseil version without_archive)
  set(otherwise "or build with GGUFGATE_STATIC=OFF, or with GGUFGATE_C_LIBRARY=OFF")
  if(without_archive)
    list(GET without_archive 0 first)
    message(FATAL_ERROR "libggufgate.so needs the archives of Abseil, and ${first} has none beside it: install "
      "libabsl-dev, ${otherwise}")
  endif()
  if(NOT version VERSION_EQUAL 20220623)
    message(FATAL_ERROR "libggufgate.so takes in Abseil 20220623, and ${version} is installed: name Abseil's "
      "sources in GGUFGATE_ABSEIL_SOURCE, ${otherwise}")
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  ggufgate_refuse_abseil("${VERSION}" "${WITHOUT_ARCHIVE}")
endif()
