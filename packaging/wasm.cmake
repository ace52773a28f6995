# For WebAssembly, with clang-19 and Debian's wasi-libc, libc++-19-dev-wasm32 and lld-19.

set(CMAKE_SYSTEM_NAME WASI)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/cmake")
set(CMAKE_SYSTEM_VERSION 1)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# No threads and no exceptions: if memory runs out, the module stops, and its caller reports it.
set(CMAKE_C_FLAGS_INIT "-fno-exceptions")
# Vectors of 128 bits take a fifth off the time of a header: Node 16.4, Chromium 91, Firefox 89 and Safari 16.4
# were the first to have them.
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -fno-rtti -msimd128")
# Sizes have 32 bits here. A number that does not fit, or an index out of bounds, also stops the module.
string(APPEND CMAKE_CXX_FLAGS_INIT " -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST"
  " -fsanitize=implicit-unsigned-integer-truncation,implicit-signed-integer-truncation"
  " -fsanitize-trap=all")
# CMake does not know the platform.
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=/usr/bin/wasm-ld-19")
