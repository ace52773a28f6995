# Compiler and linker options of released binaries. tests/tree/hardening.py checks the binary for them.

if(NOT GGUFGATE_HARDENING)
  return()
endif()

include(CheckCXXCompilerFlag)

add_compile_options(
  -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
  -fstack-protector-strong
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)

# Not every compiler and architecture has these. One check is enough if all are available.
set(flags -fstack-clash-protection -fcf-protection=full -ftrivial-auto-var-init=zero)
list(JOIN flags " " all_flags)
check_cxx_compiler_flag("${all_flags}" GGUFGATE_HAS_ALL_HARDENING)
foreach(flag IN LISTS flags)
  string(MAKE_C_IDENTIFIER "GGUFGATE_HAS${flag}" known)
  if(GGUFGATE_HAS_ALL_HARDENING)
    set(${known} ON)
  else()
    check_cxx_compiler_flag(${flag} ${known})
  endif()
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()

# Debian's start-up objects and libabsl carry no CET note, so the linker would drop ours. A shadow stack needs no
# support from them, so we may claim it. We may not claim indirect branch tracking: our own objects have the landing
# pads, but the packaged archives do not.
if("${GGUFGATE_HAS_fcf_protection_full}")
  add_link_options(LINKER:-z,shstk)
endif()
