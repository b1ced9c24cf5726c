# Installs `build` to a prefix of its own below `scratch`, then builds and runs the project in `example` against nothing else.
file(REMOVE_RECURSE ${scratch})
set(prefix ${scratch}/prefix)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${status}): ${command}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${example} -B ${scratch}/build -G ${generator} -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher})

# The package that was found must be the one just installed, not another one on this machine.
file(STRINGS ${scratch}/build/CMakeCache.txt found REGEX "^attest_DIR:")
if(NOT found MATCHES "=${prefix}/")
  message(FATAL_ERROR "find_package(attest) found another installation: ${found}")
endif()

run(${CMAKE_COMMAND} --build ${scratch}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${scratch}/build --output-on-failure --no-tests=error)

# The program must find its data below its own prefix: an exercise list needs some of it.
if(grader AND EXISTS ${prefix}/bin/attest)
  run(${prefix}/bin/attest --version)
  run(${prefix}/bin/attest list)
endif()
