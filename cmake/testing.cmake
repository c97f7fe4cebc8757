# How tests are built: each is a program of its own, and one ctest.

# Where plugins for tests are put, and the programs that tests start.
set(TOOLREST_PLUGIN_DIR ${CMAKE_BINARY_DIR}/plugins)

# Add what holds for every object of a test.
function(toolrest_test_rules target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE
    _POSIX_C_SOURCE=200809L
    TR_VERSION="${PROJECT_VERSION}"
    TR_TEST_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    TR_TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests/data"
    TR_TEST_PLUGIN_DIR="${TOOLREST_PLUGIN_DIR}")
  target_link_libraries(${target} PRIVATE toolrest_warnings)
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
endfunction()

# tests/support: objects, not an archive, so that what they wrap is wrapped in every library.
function(toolrest_test_support)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.c)
  if(NOT sources)
    return()
  endif()
  add_library(test_support OBJECT ${sources})
  toolrest_test_rules(test_support)
  target_link_libraries(test_support PUBLIC PkgConfig::JANSSON PkgConfig::CMOCKA)
  # For alloc_fail.c.
  foreach(name IN ITEMS malloc calloc realloc strdup strndup)
    target_link_options(test_support INTERFACE -Wl,--wrap=${name})
  endforeach()
endfunction()

# The test program `target` from `source`, with the support code and the libraries that follow. One that
# names TR_TEST_PLUGIN_DIR can load plugins, one that includes tests/peer has an upstream.
function(toolrest_test_program target source)
  add_executable(${target} ${source})
  toolrest_test_rules(${target})
  file(STRINGS ${source} loads_plugins REGEX TR_TEST_PLUGIN_DIR)
  if(loads_plugins)
    toolrest_host_plugins(${target})
  endif()
  target_link_libraries(${target} PRIVATE ${ARGN} PkgConfig::CMOCKA)
  file(STRINGS ${source} has_upstream REGEX "tests/peer/peer.h")
  if(has_upstream)
    target_link_libraries(${target} PRIVATE peer)
  endif()
  if(TARGET test_support)
    target_link_libraries(${target} PRIVATE test_support)
  endif()
  get_property(plugins GLOBAL PROPERTY TOOLREST_PLUGINS)
  if(plugins)
    add_dependencies(${target} ${plugins})
  endif()
endfunction()

# The plugin `name`.so from the sources in tests/`folder`.
function(toolrest_plugin name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.c)
  if(NOT sources OR NOT TARGET toolrest_core)
    return()
  endif()
  add_library(${name} MODULE ${sources})
  toolrest_test_rules(${name})
  target_link_libraries(${name} PRIVATE PkgConfig::JANSSON)
  # Hidden, so that what a plugin calls its own is not taken from the program that loads it.
  set_target_properties(${name} PROPERTIES
    PREFIX "" C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${TOOLREST_PLUGIN_DIR})
  set_property(GLOBAL APPEND PROPERTY TOOLREST_PLUGINS ${name})
endfunction()

# The library that holds what tests/unit/`path` tests.
function(toolrest_library_of path ret_library)
  set(folders support tools/core tools/guard tools/base tools/suites openapi middleware server)
  set(libraries core core guard base suites openapi middleware server)
  foreach(folder library IN ZIP_LISTS folders libraries)
    if(path MATCHES "^${folder}/")
      set(${ret_library} toolrest_${library} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Every tests/unit/**/test_*.c: linked with the library of the same folder and the ones below it.
function(toolrest_unit_tests folder)
  set(root ${PROJECT_SOURCE_DIR}/tests/${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${root} ${root}/test_*.c)
  foreach(source IN LISTS sources)
    set(library "")
    toolrest_library_of(${source} library)
    if(NOT TARGET "${library}")
      message(STATUS "Left out: tests/unit/${source} (its library has no sources yet)")
      continue()
    endif()
    string(REGEX REPLACE "(.*/)test_(.*)\\.c$" "\\1\\2" name ${source})
    string(REPLACE "/" "_" target "unit/${name}")
    toolrest_test_program(${target} ${root}/${source} ${library})
    add_test(NAME unit/${name} COMMAND ${target})
    set_tests_properties(unit/${name} PROPERTIES LABELS unit TIMEOUT 120)
  endforeach()
endfunction()
