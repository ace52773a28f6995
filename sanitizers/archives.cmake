# Links other projects' libraries as archives if the system has them: a program that loads forty shared libraries
# needs 10 ms to start. System updates do not reach the linked copies.

if(NOT GGUFGATE_STATIC)
  return()
endif()

set(OPENSSL_USE_STATIC_LIBS ON)
if("${OPENSSL_CRYPTO_LIBRARY}" MATCHES "\\.so$")  # found before OPENSSL_USE_STATIC_LIBS was set
  unset(OPENSSL_CRYPTO_LIBRARY CACHE)
endif()

# ggufgate_use_archives(target...) replaces the shared library of each imported target, and of the targets that it
# needs, with the archive in the same folder.
function(ggufgate_use_archives)
  set(todo ${ARGV})
  set(done "")
  while(todo)
    list(POP_FRONT todo target)
    if(NOT TARGET "${target}" OR target IN_LIST done)
      continue()
    endif()
    list(APPEND done "${target}")
    get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
    if(needed)
      list(APPEND todo ${needed})
    endif()
    get_target_property(type ${target} TYPE)
    get_target_property(imported ${target} IMPORTED)
    if(NOT imported OR NOT type STREQUAL "SHARED_LIBRARY")
      continue()
    endif()
    get_target_property(location ${target} LOCATION)
    string(REGEX REPLACE "\\.so(\\.[0-9.]+)?$" ".a" archive "${location}")
    if(NOT archive STREQUAL location AND EXISTS "${archive}")
      get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
      foreach(configuration IN LISTS configurations)
        set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} "${archive}")
      endforeach()
    else()
      set_property(GLOBAL APPEND PROPERTY GGUFGATE_WITHOUT_ARCHIVE "${location}")
    endif()
  endwhile()
endfunction()
