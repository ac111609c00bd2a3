# libFuzzer: one executable for each test/fuzz/native/<name>_fuzz.cc.
file(GLOB SW_FUZZERS CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/test/fuzz/native/*_fuzz.cc)
foreach(source ${SW_FUZZERS})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE sw_core)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endforeach()
