# What sets one kind of build apart from another: hardening, sanitizers, coverage, fuzzing.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

# Assertions stay on in a release (no NDEBUG): a process that stops is started again, a corrupted one
# gives wrong answers.
set(CMAKE_C_FLAGS_RELEASE "-O2")
add_compile_options("$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fstack-protector-strong>")
add_link_options("$<$<CONFIG:Release>:-Wl,-z,relro,-z,now>")

if(TR_SANITIZE)
  add_compile_options(-fsanitize=${TR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TR_SANITIZE})
endif()

if(TR_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

if(TR_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "The fuzz targets need clang (libFuzzer): use the preset 'fuzz'")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
