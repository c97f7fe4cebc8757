# How the product's own libraries and program are put together.

# Add what holds for every object of the product.
function(toolrest_product_rules target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target}
    PUBLIC _POSIX_C_SOURCE=200809L
    PRIVATE TR_VERSION="${PROJECT_VERSION}")
  # -fPIE and not the -fPIC that CMake would take: the libraries go into programs only, and what may
  # not be interposed can be inlined.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE
    -fPIE -include ${PROJECT_SOURCE_DIR}/tools/core/banned.h)
  target_link_libraries(${target} PRIVATE toolrest_warnings)
endfunction()

# The static library `name` of every source below `folder`, on top of the targets that follow.
# A folder without sources gives no library, and libraries on top of it do without.
function(toolrest_library name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  list(FILTER sources EXCLUDE REGEX "/server/main\\.c$")
  if(NOT sources)
    return()
  endif()
  add_library(${name} STATIC ${sources})
  toolrest_product_rules(${name})
  # Only what a tool author may call is visible to plugins: a plugin's own symbols cannot meet ours.
  if(NOT name MATCHES "_(core|base)$")
    set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden)
  endif()
  foreach(dependency IN LISTS ARGN)
    if(TARGET ${dependency} OR NOT dependency MATCHES "^toolrest_")
      target_link_libraries(${name} PUBLIC ${dependency})
    endif()
  endforeach()
endfunction()

# Let plugins that `target` loads use every function of the core and of the bases, also those that the
# program itself does not call.
function(toolrest_host_plugins target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    ENABLE_EXPORTS ON
    LINK_LIBRARY_OVERRIDE_toolrest_core WHOLE_ARCHIVE
    LINK_LIBRARY_OVERRIDE_toolrest_base WHOLE_ARCHIVE)
endfunction()

# The executable `name` from its one source, on top of the targets that follow.
function(toolrest_program name source)
  file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${source})
  if(NOT found OR NOT TARGET toolrest_server)
    return()
  endif()
  add_executable(${name} ${found})
  toolrest_product_rules(${name})
  toolrest_host_plugins(${name})
  target_link_libraries(${name} PRIVATE ${ARGN})
  install(TARGETS ${name})
endfunction()
