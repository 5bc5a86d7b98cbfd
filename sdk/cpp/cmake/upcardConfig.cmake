# What find_package(upcard) reads.
include(CMakeFindDependencyMacro)
find_dependency(gRPC CONFIG)
include(${CMAKE_CURRENT_LIST_DIR}/upcardTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/eecs280/eecs280.cmake)
