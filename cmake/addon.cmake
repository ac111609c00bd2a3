# L4 to L6 and the loadable addon.
foreach(dir SW_NODE_INCLUDE_DIR SW_NODE_ADDON_API_DIR)
  if(NOT IS_DIRECTORY "${${dir}}")
    message(FATAL_ERROR "${dir} is not set: build with `npm run build`")
  endif()
endforeach()

# sw_node: what any object that sees V8, uv or Node-API needs.
add_library(sw_node INTERFACE)
target_include_directories(sw_node SYSTEM INTERFACE
  ${SW_NODE_INCLUDE_DIR} ${SW_NODE_ADDON_API_DIR})
target_compile_definitions(sw_node INTERFACE
  NAPI_VERSION=9
  NODE_ADDON_API_CPP_EXCEPTIONS
  # In an environment that is being terminated nothing can be thrown: without
  # this the process ends instead.
  NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS
  BUILDING_NODE_EXTENSION
  USING_UV_SHARED=1
  USING_V8_SHARED=1
  V8_DEPRECATION_WARNINGS=1)
if(APPLE)
  target_link_options(sw_node INTERFACE -undefined dynamic_lookup)
elseif(WIN32)
  # Beside the headers, where node-gyp puts it.
  find_library(SW_NODE_LIBRARY node REQUIRED NO_DEFAULT_PATH
    PATHS ${SW_NODE_INCLUDE_DIR}/../../x64)
  target_link_libraries(sw_node INTERFACE ${SW_NODE_LIBRARY})
else()
  # A worker thread's last destructors may still run while Node unloads the
  # addon of an ended environment: keep the code mapped.
  target_link_options(sw_node INTERFACE -Wl,-z,nodelete)
endif()

# JavaScript that runs inside the isolates, as C++ byte arrays.
file(GLOB SW_EMBEDDED_JS CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/runtime/gen/*.gen.js
  ${PROJECT_SOURCE_DIR}/src/runtime/gen/${SW_NODE_ABI}/*.gen.js)
if(WIN32)
  # The bundles for libraries that Node does not show there
  # (src/runtime/globals/win32).
  file(GLOB SW_WINDOWS_JS CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/runtime/gen/win32/*.gen.js)
  list(APPEND SW_EMBEDDED_JS ${SW_WINDOWS_JS})
endif()
set(SW_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)
add_custom_command(
  OUTPUT ${SW_GENERATED_DIR}/embedded_js.h ${SW_GENERATED_DIR}/embedded_js.cc
  COMMAND ${SW_NODE_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/embed-js.mjs
    ${SW_GENERATED_DIR} ${SW_EMBEDDED_JS}
  DEPENDS ${SW_EMBEDDED_JS} ${PROJECT_SOURCE_DIR}/scripts/embed-js.mjs
  COMMENT "Embedding JavaScript")
# Data only: neither optimised nor instrumented, which would take minutes.
add_library(sw_embedded_js OBJECT ${SW_GENERATED_DIR}/embedded_js.cc)
target_include_directories(sw_embedded_js PUBLIC ${SW_GENERATED_DIR})
target_compile_options(sw_embedded_js PRIVATE ${SW_DATA_ONLY})
set_target_properties(sw_embedded_js PROPERTIES
  INTERPROCEDURAL_OPTIMIZATION OFF)

# Everything but the module's entry, shared with the in-addon tests.
file(GLOB_RECURSE SW_ISOLATE_SOURCES CONFIGURE_DEPENDS src/isolate/*.cc)
file(GLOB_RECURSE SW_WORKER_SOURCES CONFIGURE_DEPENDS src/worker/*.cc)
file(GLOB_RECURSE SW_BINDING_SOURCES CONFIGURE_DEPENDS binding/*.cc)
set(SW_ENTRY ${PROJECT_SOURCE_DIR}/binding/addon.cc)
list(REMOVE_ITEM SW_BINDING_SOURCES ${SW_ENTRY})

function(sw_add_objects target)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR} ${SW_GENERATED_DIR})
  target_link_libraries(${target} PUBLIC sw_core sw_node)
  # For the generated header; the objects are linked by sw_add_addon.
  add_dependencies(${target} sw_embedded_js)
endfunction()

sw_add_objects(sw_binding_objects ${SW_BINDING_SOURCES})
sw_unite(sw_binding_objects)
sw_add_objects(sw_addon_objects ${SW_ISOLATE_SOURCES} ${SW_WORKER_SOURCES})
target_compile_options(sw_addon_objects PRIVATE ${SW_NO_EXCEPTIONS})
sw_unite(sw_addon_objects)
# Each compressor has the same names for its own things.
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/src/isolate/bindings/brotli.cc
  ${PROJECT_SOURCE_DIR}/src/isolate/bindings/zlib.cc
  ${PROJECT_SOURCE_DIR}/src/isolate/bindings/zstd.cc
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Tests may run without a library.
if(SW_BUILD_TESTS)
  set_source_files_properties(
    ${PROJECT_SOURCE_DIR}/src/isolate/libraries/libraries.cc
    PROPERTIES COMPILE_DEFINITIONS SW_LIBRARIES_CAN_HIDE)
endif()

# The process of a sandbox: Linux with glibc, whose __libc_start_main it takes
# the place of when the addon is preloaded.
set(SW_SANDBOX_OBJECTS "")
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  include(CheckCXXSymbolExists)
  check_cxx_symbol_exists(__GLIBC__ "features.h" SW_HAS_GLIBC)
  if(SW_HAS_GLIBC)
    file(GLOB SW_SANDBOX_SOURCES CONFIGURE_DEPENDS src/sandbox/*.cc)
    sw_add_objects(sw_sandbox_objects ${SW_SANDBOX_SOURCES})
    target_compile_options(sw_sandbox_objects PRIVATE ${SW_NO_EXCEPTIONS})
    sw_unite(sw_sandbox_objects)
    set(SW_SANDBOX_OBJECTS sw_sandbox_objects ${CMAKE_DL_LIBS})
  endif()
endif()

function(sw_add_addon target)
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE
    sw_binding_objects sw_addon_objects ${SW_SANDBOX_OBJECTS} sw_embedded_js)
  target_compile_definitions(${target} PRIVATE NODE_GYP_MODULE_NAME=${target})
  set_target_properties(${target} PROPERTIES
    PREFIX "" SUFFIX .node
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  # The standard library that is linked in must not meet Node's.
  if(SW_EXPORTS)
    target_link_options(${target} PRIVATE -Wl,--version-script=${SW_EXPORTS})
  endif()
  # By the linker, because it also signs; this machine's strip knows no other.
  if(CMAKE_CROSSCOMPILING)
    target_link_options(${target} PRIVATE -s)
  endif()
endfunction()

sw_add_addon(sloppy_workers ${SW_ENTRY})
