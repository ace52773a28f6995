# Files of contracts become code, or a message tells what is wrong. tests/CMakeLists.txt sets FOLDER.

cmake_minimum_required(VERSION 3.25)

set(script "${CMAKE_CURRENT_LIST_DIR}/../../../src/format/contracts/contracts_as_code.cmake")
set(head "ggufgate contracts 1\nrelease a b\n")
set(llama "architecture llama spm\nkey a [u32] 1,1 d\nkey b u32 1 d\n")
set(gpt2 "architecture gpt2 bpe\nkey a [u32] 1,1 d\n")

# run(TEXT…) runs the script for files with these texts. It sets `said`, and `code` with the output.
function(run)
  file(REMOVE_RECURSE "${FOLDER}")
  set(files "")
  set(number 0)
  while(number LESS ARGC)
    file(WRITE "${FOLDER}/${number}.contracts" "${ARGV${number}}")
    string(APPEND files "|${FOLDER}/${number}.contracts")
    math(EXPR number "${number} + 1")
  endwhile()
  string(SUBSTRING "${files}" 1 -1 files)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DFILES=${files}" "-DOUTPUT=${FOLDER}/code.cc" -P "${script}"
    ERROR_VARIABLE said OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")  # CMake breaks lines
  set(said "${said}" PARENT_SCOPE)
  set(code "" PARENT_SCOPE)
  if(EXISTS "${FOLDER}/code.cc")
    file(READ "${FOLDER}/code.cc" code)
    set(code "${code}" PARENT_SCOPE)
  endif()
endfunction()

function(expect_refusal message)
  run(${ARGN})
  string(FIND "${said}" "0.contracts: ${message}" place)
  if(place EQUAL -1 OR code)
    message(SEND_ERROR "expected \"${message}\", not: ${said}")
  endif()
endfunction()

expect_refusal("unexpected character ';'" "${head}architecture llama spm\nkey a u32 1\\; d\nend 1\n")
expect_refusal("unexpected character '['" "${head}architecture llama spm\nkey a [u32 1 d\nend 1\n")
expect_refusal("unexpected character '\"'" "${head}architecture llama spm\nkey a \"u32 1 d\nend 1\n")
expect_refusal("unexpected character '\\'" "${head}architecture llama spm\nkey a \\\\u32 1 d\nend 1\n")
expect_refusal("expected \"ggufgate contracts 1\"" "ggufgate contracts 2\nrelease a b\n${llama}end 1\n")
expect_refusal("expected \"ggufgate contracts 1\"" "${head}key a u32 1 d\n${llama}end 1\n")
expect_refusal("expected \"end NUMBER\"" "${head}${llama}")
expect_refusal("expected \"end NUMBER\"" "${head}${llama}end 1")
expect_refusal("a line is empty" "${head}${llama}\n${gpt2}end 2\n")
expect_refusal("1 architectures, but the last line has 2" "${head}${llama}end 2\n")
expect_refusal("expected architectures in the order of their names: llama, gpt2" "${head}${llama}${gpt2}end 2\n")
expect_refusal("expected architectures in the order of their names: llama, llama" "${head}${llama}${llama}end 2\n")

# Lines occur once, and equal blocks share their offsets.
string(REPLACE "release a b" "release c" other "${head}${gpt2}${llama}end 2\n")
run("${head}${llama}end 1\n" "${other}")
string(REGEX MATCHALL "\"[^\n]+\\\\n\"" lines "${code}")
set(wanted "a b" "llama spm" "key a [u32] 1,1 d" "key b u32 1 d" "c" "gpt2 bpe")
list(TRANSFORM wanted REPLACE "(.+)" "\"\\1\\\\n\"")
if(NOT lines STREQUAL wanted)
  message(SEND_ERROR "lines: ${lines}, expected: ${wanted}; ${said}")
endif()
foreach(part IN ITEMS
    "kLines[] = {\n    14,32,\n    14,\n}" "kBlocks[] = {\n    {4, 0, 2},\n    {48, 2, 1},\n    {4, 0, 2},\n}"
    "kReleases[] = {\n    {0, 0, 1},\n    {46, 1, 2},\n}")
  string(FIND "${code}" "${part}" place)
  if(place EQUAL -1)
    message(SEND_ERROR "expected ${part} in:\n${code}")
  endif()
endforeach()
