# What lies beside a target where it is fuzzed, for engines and for services such as OSS-Fuzz:
#
#   fuzz_NAME.dict              words, out of our tables
#   fuzz_NAME.options           how long inputs are, and which dictionary
#   fuzz_NAME_seed_corpus.zip   the corpus of the target with its seeds
#
# `cmake --build … --target fuzz-bundle` makes all of it; `cmake --install … --component fuzz` puts
# it, and the targets, side by side into a folder.

# Of the tables alone, and without instrumentation or a sanitizer's run-time: so it links and runs in
# the builds of every engine. A build without an engine has the tables compiled as they are wanted.
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
if(NOT GGUFGATE_FUZZ_ENGINE)
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

  # An input takes milliseconds; ten seconds are a hang, also where a machine is slow or shared.
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
  # Sorted, with one time for all: the same seeds give the same archive.
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
