# What is handed out besides the libraries: the program that needs nothing, manual pages, completions.

# --- ggufgate-static: the objects of the program, linked with nothing left to load -----------------

if(GGUFGATE_STATIC AND TARGET ggufgate_cli)
  add_executable(ggufgate_static "${PROJECT_SOURCE_DIR}/src/cli/main.cc")
  set_target_properties(ggufgate_static PROPERTIES
    OUTPUT_NAME ggufgate-static RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  set_property(TARGET ggufgate_static PROPERTY POSITION_INDEPENDENT_CODE)  # or -pie comes as well
  target_compile_options(ggufgate_static PRIVATE -fPIE)
  target_include_directories(ggufgate_static PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(ggufgate_static PRIVATE
    ${GGUFGATE_ROOM_TARGETS} CLI11::CLI11 ggufgate_warnings ggufgate_room_rules)
  target_link_options(ggufgate_static PRIVATE -static-pie -s LINKER:--gc-sections)
endif()
