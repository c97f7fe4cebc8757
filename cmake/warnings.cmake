# The warnings that all of our C is compiled with, by gcc and by clang alike.
add_library(toolrest_warnings INTERFACE)
target_compile_options(toolrest_warnings INTERFACE
  -Wall
  -Wextra
  -Wpedantic
  -Wconversion
  -Wsign-conversion
  -Wshadow
  -Wstrict-prototypes
  -Wmissing-prototypes
  -Wold-style-definition
  -Wcast-qual
  -Wcast-align
  -Wwrite-strings
  -Wpointer-arith
  -Wformat=2
  -Wundef
  -Wvla
  -Wswitch-enum
  -Wnull-dereference
  -Wdouble-promotion
  -Wimplicit-fallthrough
  $<$<BOOL:${TR_WERROR}>:-Werror>)
