# GGUFGATE_SANITIZE applies to all code. GGUFGATE_SANITIZE_ROOMS applies only to src/, through
# ggufgate_room_sanitizers. The program aborts at the first finding of a sanitizer.

add_library(ggufgate_room_sanitizers INTERFACE)

# Checks inside the standard library: an index outside a span or vector aborts with the source location.
add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)

if(GGUFGATE_SANITIZE)
  add_compile_options(-fsanitize=${GGUFGATE_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -fno-optimize-sibling-calls)
  add_link_options(-fsanitize=${GGUFGATE_SANITIZE})
endif()

if(GGUFGATE_SANITIZE MATCHES "memory")
  add_compile_options(-fsanitize-memory-track-origins=2)
  # The templates in the packaged libstdc++.so are not instrumented: make our own copies.
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_EXTERN_TEMPLATE=0>)
endif()

if(GGUFGATE_SANITIZE_ROOMS)
  target_compile_options(ggufgate_room_sanitizers INTERFACE
    -fsanitize=${GGUFGATE_SANITIZE_ROOMS} -fno-sanitize-recover=all
    "-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/sanitizers/room-ignorelist.txt")
  target_link_options(ggufgate_room_sanitizers INTERFACE -fsanitize=${GGUFGATE_SANITIZE_ROOMS})
endif()
