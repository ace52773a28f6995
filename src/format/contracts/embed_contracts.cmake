# ggufgate_embed_contracts(TARGET) puts the contracts of the releases below into a target that compiles the files of
# src/format.

# Newest first: `check` uses the contracts of the first one.
set(contract_releases
  llama_cpp_v0_5_0
  llama_cpp_v0_4_0
  llama_cpp_b10361)

# The build writes the source, not the configuration: a changed file of contracts must not configure the build again.
set(contract_code "${CMAKE_CURRENT_BINARY_DIR}/embedded_contracts.cc")
set(contract_script "${CMAKE_CURRENT_LIST_DIR}/contracts_as_code.cmake")
set(contract_files "")
foreach(release IN LISTS contract_releases)
  # One file per first letter, in the order of the architectures.
  file(GLOB parts CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/releases/${release}/*.contracts")
  list(APPEND contract_files ${parts})
endforeach()
list(JOIN contract_files "|" contract_arguments)
add_custom_command(OUTPUT "${contract_code}"
  COMMAND "${CMAKE_COMMAND}" "-DFILES=${contract_arguments}" "-DOUTPUT=${contract_code}" -P "${contract_script}"
  DEPENDS ${contract_files} "${contract_script}" VERBATIM
  COMMENT "Writing the contracts as code")
add_custom_target(ggufgate_contract_code DEPENDS "${contract_code}")
set_property(GLOBAL PROPERTY GGUFGATE_CONTRACT_CODE "${contract_code}")

function(ggufgate_embed_contracts target)
  get_property(code GLOBAL PROPERTY GGUFGATE_CONTRACT_CODE)
  target_sources(${target} PRIVATE "${code}")
  # A folder has its own properties, and targets of other folders use the source too.
  set_source_files_properties("${code}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  add_dependencies(${target} ggufgate_contract_code)
endfunction()
