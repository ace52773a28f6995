# ggufgate_rule_names(TARGET) writes check/rule_names.def for a target: the names of the rules and of
# their wordings, in the order of check/rules.def, without a text. Nearly everything includes these
# names. The texts are included where they are used, so a new text compiles few files.
#
#   GGUFGATE_RULE_NAME(TensorDataBounds,
#     GGUFGATE_WORDING_NAME(PastTheFile) GGUFGATE_WORDING_NAME(PastAnyFile))
#
# check/rule.cc asserts that names and texts agree.

function(ggufgate_rule_names target)
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}")
  set(table "${folder}/check/rules.def")
  set(made "// Made of check/rules.def when the build is configured: check/rule_names.cmake.\n")
  file(STRINGS "${table}" families REGEX "^#include ")
  foreach(line IN LISTS families)
    string(REGEX REPLACE "^#include \"(.*)\"$" "\\1" family "${line}")
    file(READ "${folder}/${family}" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${family}")
    string(REGEX MATCHALL "GGUFGATE_(RULE|WORDING)\\([A-Za-z0-9]+,|GGUFGATE_MESSAGE\\(" words "${text}")
    foreach(word IN LISTS words)
      string(REGEX REPLACE "^[^(]*\\(([A-Za-z0-9]*),?$" "\\1" name "${word}")
      if(word MATCHES "^GGUFGATE_RULE")
        string(APPEND made "${end}GGUFGATE_RULE_NAME(${name},")
        set(end ")\n")
      elseif(word MATCHES "^GGUFGATE_MESSAGE")
        string(APPEND made " GGUFGATE_WORDING_NAME(Only)")
      else()
        string(APPEND made " GGUFGATE_WORDING_NAME(${name})")
      endif()
    endforeach()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
  string(APPEND made "${end}")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/rule_names")
  file(CONFIGURE OUTPUT "${generated}/check/rule_names.def" CONTENT "@made@" @ONLY)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${generated}>)
endfunction()
