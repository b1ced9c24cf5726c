# Every third-party package, all of them in Debian 12; CONTRIBUTING.md says what each is for. Imported targets, so their
# headers are system headers and our warnings stay ours.
find_package(Eigen3 3.4 REQUIRED NO_MODULE) # Eigen3::Eigen
find_package(fmt 9 REQUIRED) # fmt::fmt
find_package(rapidcheck CONFIG REQUIRED) # rapidcheck, rapidcheck_gtest: no namespace, no version

if(ATTEST_BUILD_GRADER)
  find_package(nlohmann_json 3.11 REQUIRED) # nlohmann_json::nlohmann_json
  find_package(CLI11 2.1 REQUIRED) # CLI11::CLI11
  find_package(tomlplusplus 3.3 REQUIRED) # tomlplusplus::tomlplusplus
  find_package(Seccomp REQUIRED) # Seccomp::Seccomp
  find_package(Threads REQUIRED) # Threads::Threads
endif()

if(ATTEST_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED) # GTest::gtest, GTest::gmock, GTest::gtest_main
endif()

if(ATTEST_BUILD_BENCH)
  find_package(benchmark 1.7 REQUIRED) # benchmark::benchmark
endif()
