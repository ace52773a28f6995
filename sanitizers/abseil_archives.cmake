# ggufgate_refuse_abseil(VERSION WITHOUT_ARCHIVE) stops the configuration if Abseil's archives do not fit into
# libggufgate.so: src/api/shared was written for another version, or a library has no archive.
# tests/CMakeLists.txt runs this file as a script, with -D for both arguments.

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
