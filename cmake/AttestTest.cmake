include(GoogleTest)

# attest_add_test(<name> SOURCES <file>... [LIBRARIES <target>...] [LABELS <label>...] [TIMEOUT <seconds>])
#
# Builds a GoogleTest executable and registers each of its tests with ctest under its own name. One call, one executable, one
# set of labels: CONTRIBUTING.md lists the labels and what belongs to each. Without LABELS a test is `unit`.
function(attest_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "attest_add_test(${name}): SOURCES missing, or unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()

  add_executable(${name} ${arg_SOURCES})
  # Each test file may name its helpers as it likes.
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} attest_warnings GTest::gmock GTest::gtest_main)

  # PRE_TEST: the tests are listed when ctest starts, not after each link, so a build never runs what it built.
  gtest_discover_tests(
    ${name}
    TEST_FILTER -*DISABLED_*
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
