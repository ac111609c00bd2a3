# sw_options: the flags that every object of ours is compiled and linked with.
add_library(sw_options INTERFACE)

# Node is built without RTTI; a class that derives from one of V8's would look
# for type information that is not there.
if(MSVC)  # cl and clang-cl
  target_compile_options(sw_options INTERFACE /GR- /W3 /utf-8 /Zc:__cplusplus)
  target_compile_definitions(sw_options INTERFACE NOMINMAX WIN32_LEAN_AND_MEAN)
  set(SW_NO_EXCEPTIONS "")
  set(SW_DATA_ONLY /Od)
else()
  target_compile_options(sw_options INTERFACE
    -fno-rtti -Wall -Wextra -Wshadow -Woverloaded-virtual)
  set(SW_NO_EXCEPTIONS -fno-exceptions)
  set(SW_DATA_ONLY -O0 -g0)
endif()
if(SW_WERROR)
  target_compile_options(sw_options INTERFACE -Werror)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Unique symbols would be shared by two copies of the addon in one process.
  # gcc reports a dropped result in spite of a cast to void; clang, which the
  # thread-safety preset runs with -Werror, reports only forgotten ones.
  target_compile_options(sw_options INTERFACE
    -fno-gnu-unique -Wno-unused-result)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(sw_options INTERFACE -Wthread-safety)
endif()

# macOS's standard library, where it is installed.
if(SW_LIBCXX)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -stdlib=libc++)
  check_cxx_source_compiles("#include <atomic>\nint main() {}" SW_HAS_LIBCXX)
  unset(CMAKE_REQUIRED_FLAGS)
  if(SW_HAS_LIBCXX)
    target_compile_options(sw_options INTERFACE -stdlib=libc++)
    target_link_options(sw_options INTERFACE -stdlib=libc++)
  endif()
endif()

if(SW_SANITIZE)
  # vptr checks need RTTI.
  set(SW_SANITIZE_FLAGS -fsanitize=${SW_SANITIZE} -fno-omit-frame-pointer)
  if(SW_SANITIZE MATCHES "undefined")
    list(APPEND SW_SANITIZE_FLAGS
      -fno-sanitize=vptr -fno-sanitize-recover=undefined)
  endif()
  # ThreadSanitizer's runtime reads two words before a thread-local block of a
  # loaded library, for glibc's header of 2.19. Later glibc writes none there, so
  # that a block at a page's 16th byte made it map a range of chance.
  if(SW_SANITIZE MATCHES "thread")
    list(APPEND SW_SANITIZE_FLAGS -ftls-model=initial-exec)
  endif()
  # gcc takes V8's Nothing() for an uninitialized value in such builds, as its
  # manual says of them.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND SW_SANITIZE_FLAGS -Wno-maybe-uninitialized)
  endif()
  target_compile_options(sw_options INTERFACE ${SW_SANITIZE_FLAGS})
  target_link_options(sw_options INTERFACE ${SW_SANITIZE_FLAGS})
endif()

if(SW_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT SW_LTO_WORKS LANGUAGES CXX)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${SW_LTO_WORKS})
endif()
