# Nothing that CMake would have to know of WebAssembly with WASI.
