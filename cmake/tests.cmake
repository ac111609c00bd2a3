# V8 alone, for bench/: not of `all`, because linking takes half a minute.
if(SW_BUILD_ADDON)
  sw_add_addon(floor ${PROJECT_SOURCE_DIR}/bench/floor/floor.cc)
  set_target_properties(floor PROPERTIES EXCLUDE_FROM_ALL TRUE)
endif()

# The pool in simulated worlds. The mutex and the atomics of test/sim/shadow come
# before those of src.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT SW_SANITIZE)
  file(GLOB SW_SIM_SOURCES CONFIGURE_DEPENDS test/sim/*.cc)
  set(SW_SIM_CORE ${SW_CORE_SOURCES})
  list(FILTER SW_SIM_CORE EXCLUDE REGEX "/base/(clock|cpu)\\.cc$")
  add_executable(sw_sim ${SW_SIM_SOURCES} ${SW_SIM_CORE})
  target_include_directories(sw_sim PRIVATE
    ${PROJECT_SOURCE_DIR}/test/sim/shadow ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR})
  target_link_libraries(sw_sim PRIVATE sw_options)
  sw_unite(sw_sim)
  target_compile_options(sw_sim PRIVATE ${SW_NO_EXCEPTIONS})
  set_target_properties(sw_sim PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()

# GoogleTest: a plain executable for L0 to L3, an addon for L4 to L6 (an
# executable cannot link V8 from Node's headers).
find_package(GTest QUIET)
file(REMOVE ${PROJECT_BINARY_DIR}/gtest-missing)
if(NOT GTest_FOUND)
  if(NOT EXISTS /usr/src/googletest/CMakeLists.txt)
    # The test runners read this and say that they skip.
    file(TOUCH ${PROJECT_BINARY_DIR}/gtest-missing)
    return()
  endif()
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  add_subdirectory(/usr/src/googletest googletest EXCLUDE_FROM_ALL)
  if(NOT TARGET GTest::gtest)
    add_library(GTest::gtest ALIAS gtest)
  endif()
endif()

file(GLOB_RECURSE SW_UNIT_TESTS CONFIGURE_DEPENDS test/unit/*_test.cc)
# The one file of L4 without V8, because it differs by system, and those by which
# it reads Base64.
add_executable(sw_unit_tests
  ${PROJECT_SOURCE_DIR}/test/unit/main.cc ${SW_UNIT_TESTS}
  ${PROJECT_SOURCE_DIR}/src/isolate/bindings/byte_codecs.cc
  ${PROJECT_SOURCE_DIR}/src/isolate/bindings/wide_codecs.cc
  ${PROJECT_SOURCE_DIR}/src/isolate/bindings/wide_base64.cc
  ${PROJECT_SOURCE_DIR}/src/isolate/bindings/wide_decoders.cc
  ${PROJECT_SOURCE_DIR}/src/isolate/modules/file_path.cc)
target_include_directories(sw_unit_tests PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(sw_unit_tests PRIVATE sw_core GTest::gtest)
sw_unite(sw_unit_tests)
# Linking all of it again, optimised, takes longer than running it.
set_target_properties(sw_unit_tests PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
# Optimised or instrumented code takes twice as long to compile.
set(SW_TESTS_OPTIMISED $<$<CONFIG:Release>:-O1>)
if(SW_SANITIZE MATCHES "address")
  set(SW_TESTS_OPTIMISED -O0)
endif()
target_compile_options(sw_unit_tests PRIVATE ${SW_TESTS_OPTIMISED})
# Two rings under one test's names.
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/test/unit/model/submit_ring_test.cc
  ${PROJECT_SOURCE_DIR}/test/unit/model/wake_gate_test.cc
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(sw_unit_tests PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

if(SW_BUILD_ADDON)
  file(GLOB_RECURSE SW_NATIVE_TESTS CONFIGURE_DEPENDS test/native/*_test.cc)
  if(SW_SANDBOX_OBJECTS)
    # Attempts of native code that has broken out of V8. An addon of their own
    # would take longer to link than to compile.
    list(APPEND SW_NATIVE_TESTS ${PROJECT_SOURCE_DIR}/test/sandbox/attempts.cc)
  endif()
  sw_add_addon(sloppy_workers_native_tests
    ${PROJECT_SOURCE_DIR}/test/native/main.cc ${SW_NATIVE_TESTS})
  target_link_libraries(sloppy_workers_native_tests PRIVATE GTest::gtest)
  sw_unite(sloppy_workers_native_tests)
  target_compile_options(sloppy_workers_native_tests PRIVATE
    ${SW_TESTS_OPTIMISED})
endif()
