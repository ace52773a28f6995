# The files that engines and services such as OSS-Fuzz expect next to a target:
#
#   fuzz_NAME.dict              words from our tables
#   fuzz_NAME.options           the maximum length of inputs, the dictionary, and limits
#   fuzz_NAME_seed_corpus.zip   the corpus of the target with its seeds
#
# `cmake --build … --target fuzz-bundle` makes all of them. `cmake --install … --component fuzz` installs them and the
# targets into one folder.

# With an engine, make_dictionary compiles only the tables, without instrumentation and without a sanitizer's run-time,
# so that it links and runs in the builds of every engine. A build without an engine uses the room `format`.
set(tables "")
if(GGUFGATE_FUZZ_ENGINE)
  file(GLOB_RECURSE tables CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/format/*.cc")
  list(APPEND tables ../src/bytes/character_kind.cc ../src/bytes/utf8.cc ../src/bytes/zeros.cc)
endif()
add_executable(make_dictionary
  dictionary/make_dictionary.cc dictionary/dictionary.cc dictionary/gguf.cc dictionary/text.cc ${tables})
ggufgate_batches(make_dictionary)
target_include_directories(make_dictionary PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
target_compile_options(make_dictionary PRIVATE ${uninstrumented})
target_link_options(make_dictionary PRIVATE ${uninstrumented})
target_link_libraries(make_dictionary PRIVATE ggufgate_warnings)
if(GGUFGATE_FUZZ_ENGINE)
  ggufgate_embed_contracts(make_dictionary)
else()
  target_link_libraries(make_dictionary PRIVATE ggufgate_format)
  ggufgate_compile_as_core(make_dictionary)
endif()

add_custom_target(fuzz-bundle)

# ggufgate_fuzz_bundle(NAME DICTIONARY MAX_LEN OPTIONS CORPUS-path...)
function(ggufgate_fuzz_bundle name dictionary max_len options)
  if(NOT dictionary)
    set(dictionary gguf)
  endif()
  if(NOT max_len)
    set(max_len 4096)
  endif()
  set(folder "${PROJECT_BINARY_DIR}/fuzz")
  set(base "${folder}/fuzz_${name}")

  add_custom_command(OUTPUT "${base}.dict"
    COMMAND make_dictionary ${dictionary} "${base}.dict" DEPENDS make_dictionary VERBATIM
    COMMENT "Writing the dictionary of fuzz_${name}")
  add_custom_target(fuzz_${name}_dictionary ALL DEPENDS "${base}.dict")
  add_dependencies(fuzz_${name} fuzz_${name}_dictionary)

  # An input takes milliseconds. Ten seconds are a hang, even on a slow or shared machine.
  list(TRANSFORM options REPLACE "=" " = ")
  list(TRANSFORM options APPEND "\n")
  list(JOIN options "" more)
  file(CONFIGURE OUTPUT "${base}.options" @ONLY CONTENT
[[[libfuzzer]
max_len = @max_len@
dict = fuzz_@name@.dict
timeout = 10
rss_limit_mb = 2048
@more@]])

  set(seeds "")
  foreach(place IN LISTS ARGN)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
      "${PROJECT_SOURCE_DIR}/${place}/*")
    list(APPEND seeds ${files})
  endforeach()
  list(FILTER seeds EXCLUDE REGEX "/(\\.[^/]*|[^/]*\\.md)$")
  # The files are sorted and get the same time, so that the same seeds give the same archive.
  list(SORT seeds)
  list(JOIN seeds "," inputs)
  file(CONFIGURE OUTPUT "${base}.inputs" CONTENT "@inputs@" @ONLY)  # for -seed_inputs of libFuzzer
  list(JOIN seeds "\n" seeds)
  file(CONFIGURE OUTPUT "${base}.seeds" CONTENT "${seeds}\n" @ONLY)
  add_custom_target(fuzz_${name}_seeds
    COMMAND ${CMAKE_COMMAND} -E tar cf "${base}_seed_corpus.zip" --format=zip
      "--mtime=2000-01-01 00:00:00 UTC" "--files-from=${base}.seeds"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM)

  add_dependencies(fuzz-bundle fuzz_${name} fuzz_${name}_seeds)
  install(TARGETS fuzz_${name} RUNTIME DESTINATION . COMPONENT fuzz EXCLUDE_FROM_ALL)
  install(FILES "${base}.dict" "${base}.options" "${base}_seed_corpus.zip"
    DESTINATION . COMPONENT fuzz EXCLUDE_FROM_ALL)
endfunction()
