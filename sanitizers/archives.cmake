# The libraries of others as archives, where the system has them: a program that loads forty shared
# libraries takes 10 ms before it does anything. What is linked so is not updated by the system.

if(NOT GGUFGATE_STATIC)
  return()
endif()

set(OPENSSL_USE_STATIC_LIBS ON)
if("${OPENSSL_CRYPTO_LIBRARY}" MATCHES "\\.so$")  # found before this was asked for
  unset(OPENSSL_CRYPTO_LIBRARY CACHE)
endif()

# ggufgate_use_archives(target...) takes the archive that lies beside the shared library of each
# imported target, and of those that it needs.
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
