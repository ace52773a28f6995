# What a released binary is built with; tests/tree/hardening.py looks for it in the binary.

if(NOT GGUFGATE_HARDENING)
  return()
endif()

include(CheckCXXCompilerFlag)

add_compile_options(
  -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
  -fstack-protector-strong
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)

# Not every compiler and architecture has these. Where all are there, to ask once is enough.
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

# Debian's start-up objects and libabsl carry no CET note, so the linker would drop ours. A shadow
# stack asks nothing of them, and may be claimed; indirect branch tracking may not: our own objects
# have the landing pads, the packaged archives have none.
if("${GGUFGATE_HAS_fcf_protection_full}")
  add_link_options(LINKER:-z,shstk)
endif()
