# GGUFGATE_COMMIT: the commit of the sources. An archive made by `git archive` has it in commit.txt
# (.gitattributes); a clone is asked, and asked again whenever its HEAD has moved.

set(GGUFGATE_COMMIT "unknown")
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/commit.txt" commit LIMIT_COUNT 1)
if(commit MATCHES "^[0-9a-f]+$")
  set(GGUFGATE_COMMIT "${commit}")
  return()
endif()

set(git_log "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
find_program(GIT_PROGRAM git)
mark_as_advanced(GIT_PROGRAM)
if(NOT GIT_PROGRAM OR NOT EXISTS "${PROJECT_SOURCE_DIR}/.git")
  return()
endif()
execute_process(
  COMMAND "${GIT_PROGRAM}" -C "${PROJECT_SOURCE_DIR}" rev-parse HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(commit MATCHES "^[0-9a-f]+$")
  set(GGUFGATE_COMMIT "${commit}")
  if(EXISTS "${git_log}")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${git_log}")
  endif()
endif()
