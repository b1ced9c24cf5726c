# cmake --install: bin/attest, share/attest (what the program reads at run time, laid out as in the source tree), and the two
# libraries for find_package(attest). Headers go below include/attest; both include/ and include/attest/ are on a consumer's
# path, so <attest/properties/suite.hpp> works for them and "reference/attention.hpp" inside our headers resolves unchanged.
include(CMakePackageConfigHelpers)

set(headers ${CMAKE_INSTALL_INCLUDEDIR}/attest)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/attest)

target_include_directories(attest_reference INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(attest_properties INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(
  TARGETS attest_reference attest_properties
  EXPORT attestTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  FILE_SET HEADERS DESTINATION ${headers} COMPONENT development)
install(
  EXPORT attestTargets
  NAMESPACE attest::
  DESTINATION ${package}
  COMPONENT development)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/attestConfig.cmake.in ${PROJECT_BINARY_DIR}/attestConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/attestConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/attestConfig.cmake ${PROJECT_BINARY_DIR}/attestConfigVersion.cmake
  DESTINATION ${package}
  COMPONENT development)

install(
  FILES ${PROJECT_SOURCE_DIR}/grader/report/report.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/attest/grader/report
  COMPONENT grader)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT grader)

# cpack -G DEB: one package. Libraries that the program loads become Depends by dpkg-shlibdeps.
set(CPACK_PACKAGE_NAME attest)
set(CPACK_PACKAGE_CONTACT "The attest authors <attest@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Python submissions are the default, so they work out of the package alone.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, python3-numpy")
# To grade C++ submissions.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, libeigen3-dev (>= 3.4)")
# To use the installed libraries and the GoogleTest suite.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang, cmake, libeigen3-dev (>= 3.4), libfmt-dev, librapidcheck-dev, libgtest-dev")
include(CPack)
