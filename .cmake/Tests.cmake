# tests_of(TARGET SHARDS [PROPERTY VALUE…]): the GoogleTest tests of TARGET as entries of ctest, one each.
# Under the sanitizers a process takes longer to start than most tests take to run: there they run in
# SHARDS processes (choose among them with GTEST_FILTER).
function(tests_of target shards)
  if(NOT MEM_SANITIZE)
    gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 ${ARGN})
    return()
  endif()
  math(EXPR last "${shards} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${target}_${shard} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${target}_${shard} PROPERTIES TIMEOUT 900
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${shard}" ${ARGN})
  endforeach()
endfunction()
