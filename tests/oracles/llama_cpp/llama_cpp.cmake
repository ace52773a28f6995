# The oracle that runs models through libllama: ask-llama, learn-llama, render-llama and their library,
# which tests and attacks use. It needs the headers of the release. It is not built with sanitizers: they
# cannot check a library that was compiled without them, and they reserve address space, which the oracle
# limits in order to limit memory. The project in this folder builds it for the headers of any release.

get_filename_component(ggufgate_top "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# Prints the gate's verdicts on models, for scripts/learn-reference.
if(DEFINED GGUFGATE_CORE_TARGETS AND NOT GGUFGATE_SANITIZE AND NOT GGUFGATE_COVERAGE)
  add_executable(judge-models "${ggufgate_top}/tests/oracles/judge_models.cc")
  target_include_directories(judge-models PRIVATE "${ggufgate_top}" "${ggufgate_top}/src")
  target_link_libraries(judge-models PRIVATE ${GGUFGATE_CORE_TARGETS} nlohmann_json::nlohmann_json ggufgate_warnings)
  set_target_properties(judge-models PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/oracles")
endif()

set(llama_headers "${ggufgate_top}/build/reference-headers/package")
if(GGUFGATE_LLAMA_HEADERS)
  set(llama_headers "${GGUFGATE_LLAMA_HEADERS}")
endif()
if(NOT EXISTS "${llama_headers}/llama.h" OR GGUFGATE_SANITIZE OR GGUFGATE_COVERAGE)
  return()
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${llama_headers}/llama.h")

set(llama_oracle "${ggufgate_top}/tests/oracles/llama_cpp")
add_library(ggufgate_llama_oracle STATIC
  "${llama_oracle}/asker.cc" "${llama_oracle}/children.cc" "${llama_oracle}/command_line.cc"
  "${llama_oracle}/context.cc" "${llama_oracle}/deaths.cc" "${llama_oracle}/library.cc" "${llama_oracle}/run.cc"
  "${llama_oracle}/text.cc")
target_include_directories(ggufgate_llama_oracle PUBLIC "${ggufgate_top}")
target_include_directories(ggufgate_llama_oracle SYSTEM PUBLIC "${llama_headers}")
target_link_libraries(ggufgate_llama_oracle
  PUBLIC ${CMAKE_DL_LIBS} nlohmann_json::nlohmann_json ggufgate_oracles_child PRIVATE ggufgate_warnings)
target_compile_features(ggufgate_llama_oracle PUBLIC cxx_std_20)
target_compile_definitions(ggufgate_llama_oracle PRIVATE
  GGUFGATE_REFERENCE_DIR="${ggufgate_top}/build/reference")

add_library(guarded_blocks SHARED "${llama_oracle}/guarded_blocks.c")
set_target_properties(guarded_blocks PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/oracles" C_VISIBILITY_PRESET default)
# The compiler must not turn the library's own code into calls of the functions that it defines.
target_compile_options(guarded_blocks PRIVATE -fno-builtin-malloc -fno-builtin-calloc)

add_executable(ask-llama "${llama_oracle}/ask_main.cc")
add_executable(learn-llama "${llama_oracle}/learn_main.cc")
add_executable(render-llama "${llama_oracle}/render_main.cc")  # chat templates in llama.cpp's engine
foreach(program IN ITEMS ask-llama learn-llama render-llama)
  target_link_libraries(${program} PRIVATE ggufgate_llama_oracle ggufgate_warnings)
  set_target_properties(${program} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/oracles")
  add_dependencies(${program} guarded_blocks)
endforeach()
# learn-llama puts functions between libllama and libggml; the dynamic linker finds them by name.
set_target_properties(learn-llama PROPERTIES ENABLE_EXPORTS ON)
