# The module of bindings/javascript: the core rooms, and the files of higher rooms that use only the standard library
# and the JSON library.

find_path(NLOHMANN_JSON nlohmann/json.hpp PATHS /usr/include /usr/local/include REQUIRED
  NO_CMAKE_FIND_ROOT_PATH)
# Link only this folder, because the folder around it has the headers of another C library.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/headers")
file(CREATE_LINK "${NLOHMANN_JSON}/nlohmann" "${PROJECT_BINARY_DIR}/headers/nlohmann" SYMBOLIC)

file(GLOB module_sources CONFIGURE_DEPENDS api/wasm/*.cc gate/steps/*.cc)
add_executable(ggufgate_module ${module_sources}
  gate/summary.cc
  policy/policy_text.cc
  report/inspect/inspect_parts.cc
  report/json_value.cc
  report/loaders/outcomes.cc
  report/pages/file_line.cc
  report/table.cc
  report/terminal/file_text.cc
  report/terminal/wrap.cc
  report/values.cc)
target_include_directories(ggufgate_module PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_include_directories(ggufgate_module SYSTEM PRIVATE "${PROJECT_BINARY_DIR}/headers")
target_compile_definitions(ggufgate_module PRIVATE
  GGUFGATE_VERSION="${PROJECT_VERSION}" JSON_HAS_FILESYSTEM=0 JSON_HAS_EXPERIMENTAL_FILESYSTEM=0)
target_link_libraries(ggufgate_module PRIVATE
  ggufgate_words ggufgate_check ggufgate_dequantize ggufgate_parse ggufgate_warnings ggufgate_room_rules)
# The module is a reactor: JavaScript calls its exported functions. The stack is placed first in memory, so that an
# overflow cannot overwrite data.
target_link_options(ggufgate_module PRIVATE -mexec-model=reactor
  LINKER:--strip-all LINKER:--gc-sections LINKER:--stack-first LINKER:-z,stack-size=1048576
  LINKER:--max-memory=2147483648)
set_target_properties(ggufgate_module PROPERTIES
  OUTPUT_NAME ggufgate SUFFIX .wasm RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
# The JavaScript package looks for the module in its own folder.
add_custom_command(TARGET ggufgate_module POST_BUILD COMMAND "${CMAKE_COMMAND}" -E copy
  "$<TARGET_FILE:ggufgate_module>" "${PROJECT_SOURCE_DIR}/bindings/javascript/ggufgate.wasm")
