# Tests of the tree as a whole; those of one folder stand in that folder's CMakeLists.txt.

# The include rules between the folders, and that the check of them notices each breach.
add_test(NAME layers.are_kept COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_layers.sh ${PROJECT_SOURCE_DIR})
add_test(NAME layers.breaches_are_noticed
         COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/check_layers_test.sh ${PROJECT_BINARY_DIR}/layers_test)
set_tests_properties(layers.are_kept layers.breaches_are_noticed PROPERTIES LABELS unit TIMEOUT 60)

# What a stranger does with an installed copy: find_package(attest), compile, run.
add_test(
  NAME package.example_builds_against_an_installation
  COMMAND
    ${CMAKE_COMMAND} #
    -D build=${PROJECT_BINARY_DIR} -D example=${PROJECT_SOURCE_DIR}/properties/example
    -D scratch=${PROJECT_BINARY_DIR}/package_test -D generator=${CMAKE_GENERATOR} -D compiler=${CMAKE_CXX_COMPILER}
    -D launcher=${CMAKE_CXX_COMPILER_LAUNCHER} -D grader=${ATTEST_BUILD_GRADER} -P
    ${PROJECT_SOURCE_DIR}/cmake/package_test.cmake)
set_tests_properties(package.example_builds_against_an_installation PROPERTIES LABELS package TIMEOUT 600)
