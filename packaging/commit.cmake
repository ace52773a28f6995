# GGUFGATE_COMMIT and GGUFGATE_DATE: of the sources. An archive made by `git archive` has them in
# commit.txt (.gitattributes); a clone is asked, and asked again whenever its HEAD has moved.

set(GGUFGATE_COMMIT "unknown")
set(GGUFGATE_DATE "")
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/commit.txt" commit LIMIT_COUNT 1)

if(commit MATCHES "^\\$" AND NOT PROJECT_IS_TOP_LEVEL)
  return()  # a part of something else, whose git it is
endif()
set(git_log "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
find_program(GGUFGATE_GIT git)
mark_as_advanced(GGUFGATE_GIT)
if(commit MATCHES "^\\$" AND GGUFGATE_GIT AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(
    COMMAND "${GGUFGATE_GIT}" -C "${PROJECT_SOURCE_DIR}" log -1 "--format=%H %cs"
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(EXISTS "${git_log}")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${git_log}")
  endif()
endif()

if(commit MATCHES "^([0-9a-f]+) ([0-9-]+)$")
  set(GGUFGATE_COMMIT "${CMAKE_MATCH_1}")
  set(GGUFGATE_DATE "${CMAKE_MATCH_2}")
endif()
