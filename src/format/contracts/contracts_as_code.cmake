# Writes files of contracts as the source of embedded_contracts.h. Most lines occur in many blocks, so the text has each
# line once, and a block is a list of offsets. Equal blocks of several releases share their list.
#
# Consecutive files of one release are parts of it, in the order of the architectures.
#
# usage: cmake -DFILES=FILE|FILE… -DOUTPUT=FILE -P contracts_as_code.cmake
#
# The program reads the lines without a check, but a test parses them. The text has no pointers: each would be a
# relocation at each start of the program.

cmake_minimum_required(VERSION 3.25)

set(text "")        # the literal
set(text_size 0)
set(lines "")       # all lists of offsets
set(line_count 0)
set(blocks "")
set(block_count 0)
set(releases "")

# add_line() adds `line` to the text, unless it is there, and sets `offset`. A variable per line is a hash table;
# list(FIND) would take minutes. A macro with parameters would parse their values as code.
macro(add_line)
  set(offset "${line/${line}}")
  if(offset STREQUAL "")
    set(offset ${text_size})
    set("line/${line}" ${text_size})
    string(APPEND text "    \"${line}\\n\"\n")
    string(LENGTH "${line}" length)
    math(EXPR text_size "${text_size} + ${length} + 1")
  endif()
endmacro()

# end_block() adds the block whose offsets are in `offsets`.
macro(end_block)
  if(NOT head STREQUAL "")
    set(first "${block/${offsets}}")
    if(first STREQUAL "")
      set(first ${line_count})
      set("block/${offsets}" ${first})
      string(APPEND lines "    ${offsets}\n")
      math(EXPR line_count "${line_count} + ${offset_count}")
    endif()
    string(APPEND blocks "    {${head}, ${first}, ${offset_count}},\n")
    math(EXPR block_count "${block_count} + 1")
  endif()
endmacro()

# end_release() adds the release whose files were read last.
macro(end_release)
  if(NOT last_release STREQUAL "")
    math(EXPR count "${block_count} - ${first_block}")
    string(APPEND releases "    {${name}, ${first_block}, ${count}},\n")
  endif()
endmacro()

# read_lines(PATH) sets `file_lines`: the lines between "release" and "end", and `release`.
function(read_lines path)
  file(READ "${path}" content)
  # A semicolon or a single bracket would join or split elements of lists; the others end or change a literal.
  if(content MATCHES "[^ -~\n]|[;\"\\\\$]")
    message(FATAL_ERROR "${path}: unexpected character '${CMAKE_MATCH_0}'")
  endif()
  string(REGEX REPLACE "\\[[a-z0-9]+\\]" "" plain "${content}")
  if(plain MATCHES "[][]")
    message(FATAL_ERROR "${path}: unexpected character '${CMAKE_MATCH_0}'")
  endif()
  if(NOT content MATCHES "^ggufgate contracts 1\nrelease ([^\n]+)\narchitecture ")
    message(FATAL_ERROR "${path}: expected \"ggufgate contracts 1\", \"release NAME\" and an architecture")
  endif()
  set(release "${CMAKE_MATCH_1}" PARENT_SCOPE)
  if(NOT content MATCHES "\nend ([0-9]+)\n$")
    message(FATAL_ERROR "${path}: expected \"end NUMBER\" as the last line")
  endif()
  set(wanted "${CMAKE_MATCH_1}" PARENT_SCOPE)
  if(content MATCHES "\n\n")
    message(FATAL_ERROR "${path}: a line is empty")
  endif()
  string(REPLACE "\n" ";" content "${content}")
  list(POP_FRONT content)
  list(POP_FRONT content)
  list(POP_BACK content)  # what follows the last line end
  list(POP_BACK content)
  set(file_lines "${content}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" files "${FILES}")
set(last_release "")
foreach(path IN LISTS files)
  read_lines("${path}")
  if(NOT release STREQUAL last_release)
    end_release()
    set(last_release "${release}")
    set(line "${release}")
    add_line()
    set(name ${offset})
    set(first_block ${block_count})
    set(last "")
  endif()
  set(first_of_file ${block_count})
  set(head "")
  foreach(line IN LISTS file_lines)
    if(line MATCHES "^architecture (([^ ]+) [^ ]+)$")
      set(name_and_vocabulary "${CMAKE_MATCH_1}")
      set(architecture "${CMAKE_MATCH_2}")
      if(NOT last STRLESS architecture)
        message(FATAL_ERROR "${path}: expected architectures in the order of their names: ${last}, ${architecture}")
      endif()
      set(last "${architecture}")
      end_block()
      set(line "${name_and_vocabulary}")
      add_line()
      set(head ${offset})
      set(offsets "")
      set(offset_count 0)
    else()
      add_line()
      string(APPEND offsets "${offset},")
      math(EXPR offset_count "${offset_count} + 1")
    endif()
  endforeach()
  end_block()
  math(EXPR count "${block_count} - ${first_of_file}")
  if(NOT count EQUAL wanted)
    message(FATAL_ERROR "${path}: ${count} architectures, but the last line has ${wanted}")
  endif()
endforeach()
end_release()

file(WRITE "${OUTPUT}" "// Made of src/format/contracts/releases by contracts_as_code.cmake.

#include \"format/contracts/embedded_contracts.h\"

#ifdef __clang__  // the standard asks for 65,536 characters
#pragma clang diagnostic ignored \"-Woverlength-strings\"
#endif

namespace ggufgate {
namespace {

constexpr char kText[] =
${text};
constexpr std::uint32_t kLines[] = {
${lines}};
constexpr EmbeddedBlock kBlocks[] = {
${blocks}};
constexpr EmbeddedRelease kReleases[] = {
${releases}};

}  // namespace

std::string_view EmbeddedText() { return {kText, sizeof(kText) - 1}; }
std::span<const std::uint32_t> EmbeddedLines() { return kLines; }
std::span<const EmbeddedBlock> EmbeddedBlocks() { return kBlocks; }
std::span<const EmbeddedRelease> EmbeddedReleases() { return kReleases; }

}  // namespace ggufgate
")
